//! Dead tokens, for whoever tries the product from outside and can't script a provider.

use super::Stack;
use crate::provider::Reply;

/// What a token begins with that the simulated providers call dead once they were asked to: hex, as APNs has it.
pub const DEAD: &str = "dead";

impl Stack {
    /// Has APNs and FCM call every token dead that begins with [`DEAD`]. The push service calls every subscription dead
    /// that it did not give out, in any case.
    pub fn call_dead_tokens_dead(&self) {
        self.apns.answer_prefix(DEAD, Reply::status(410, "Unregistered"));
        self.fcm.answer_prefix(DEAD, Reply::status(404, "UNREGISTERED"));
    }
}
