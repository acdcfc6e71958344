//! What a function's instances did.

use super::Invocation;

/// What a function's instances did since it was started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instances that were started.
    pub cold: u64,
    /// Invocations that found an idle instance.
    pub warm: u64,
    /// The most instances at once.
    pub peak: usize,
    /// Invocations that were answered.
    pub answered: u64,
    /// Invocations that were answered with an error.
    pub failed: u64,
    /// Invocations that ran into the time-out.
    pub timed_out: u64,
    /// Invocations whose instance ended.
    pub crashed: u64,
    /// Instances that did not start.
    pub init_failed: u64,
    /// Invocations that found every instance busy.
    pub throttled: u64,
}

impl Counts {
    pub(super) fn ended(&mut self, invocation: &Invocation) {
        let count = match invocation {
            Invocation::Ok(_) => &mut self.answered,
            Invocation::FunctionError { .. } => &mut self.failed,
            Invocation::TimedOut => &mut self.timed_out,
            Invocation::Crashed { .. } => &mut self.crashed,
            Invocation::InitError { .. } => &mut self.init_failed,
            Invocation::Throttled => &mut self.throttled,
        };
        *count += 1;
    }
}
