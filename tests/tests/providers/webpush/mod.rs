//! Web Push against a simulated push service that is the browser too.

mod answers;
mod delivery;
mod endpoints;
mod interop;
mod rig;
mod vapid;
