//! The wake: the SQS message that starts a drain.
