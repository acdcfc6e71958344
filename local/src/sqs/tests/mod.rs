//! Unit tests of the queue and the mapping; what a client sees is checked through the SDK, in `tests/tests/sqs`.

mod mapping;
mod queue;
