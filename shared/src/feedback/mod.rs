//! The feedback queue: what a product has to know of its devices and apps.
//!
//! Each message is one JSON [`Message`]. A product that reads the queue needs this and the contract alone
//! (`default-features = false`).
//!
//! # For whoever reads the queue
//!
//! * A message may come twice, late, and in any order: act on what it says, not on its arrival.
//! * [`Feedback::Unregistered`] is about a *token*, not about its device. Forget the token only if it is the one of
//!   `token_hash` and the product has not seen it registered after `time`: a device may have got a new token, or
//!   registered the same one again. Until then enqueue answers `unregistered` for it.
//! * [`Feedback::Paused`] comes once for a pause and once more each time it grows: `until` says when one notification
//!   is tried again. [`Feedback::Resumed`] ends it. A pause that ended before it could be posted is told by its
//!   `resumed` alone, which has its reason.
//! * Ignore keys and kinds you don't know: additions are minor.
//!
//! ```
//! use pushwake::feedback::{Feedback, Message, token_hash};
//!
//! # let token = "00fc13adff785122b4ad28809a342098";
//! # let body = format!(r#"{{"v":1,"kind":"unregistered","app":"ios-prod","device":"ada-phone","token_hash":"{}",
//! #     "reason":"Unregistered","time":"2027-01-02T03:04:05Z"}}"#, token_hash(token));
//! # let body = body.as_str();
//! # let mut forgotten = false;
//! match Message::from_json(body)?.feedback {
//!     Feedback::Unregistered { device, token_hash: dead, .. } => {
//!         // `token` is the one you have for `device` now.
//!         if token_hash(token) == dead {
//!             println!("forget the token of {}", device.as_str());
//! #           forgotten = true;
//!         }
//!     }
//!     Feedback::Paused { app, reason, until, .. } => println!("{}: {reason}, until {until}", app.as_str()),
//!     Feedback::Resumed { app, .. } => println!("{} goes on", app.as_str()),
//!     Feedback::Other => {}
//! }
//! # assert!(forgotten);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # How a message gets there
//!
//! The rows of `dead_tokens`, `pauses` and `past_pauses` that have no `posted_at` are the outbox: what a drain commits
//! is in it. Then the drain, as soon as its last send is finished, and schedule, every minute, post what they find:
//!
//! 1. **take**: lease the oldest rows, with `skip locked`, so that two posters don't post the same;
//! 2. **post** them, up to ten in one `SendMessageBatch`, several batches at a time;
//! 3. **mark** what SQS accepted, entry by entry, and give the rest back. Whoever dies before this has its rows posted
//!    again when the lease has run out.
//!
//! A mark names the verdict that was posted: one that a newer verdict has replaced meanwhile is posted, too. Nothing
//! waits for SQS but the poster: no lock is held while it posts, and sends and claims are over by then.
//!
//! Without `FEEDBACK_QUEUE_URL` nothing is posted. The outbox then ends with the retention of its rows, and a queue
//! that is configured later gets what is left of it.

mod hash;
mod message;
#[cfg(feature = "functions")]
mod post;

pub use hash::token_hash;
pub use message::{Feedback, Message, VERSION};
#[cfg(feature = "functions")]
pub use post::{FeedbackError, FeedbackQueue, Posted};
