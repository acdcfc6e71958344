//! The client of FCM against a simulated one.

mod access_tokens;
mod answers;
mod mint;
mod rig;
