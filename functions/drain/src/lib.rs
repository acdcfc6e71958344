//! The function a wake starts: claims the heads of free lanes, sends them, finishes them in batches.

pub mod apns;
pub mod clock;
pub mod connection;
pub mod outcome;
pub mod policy;
pub mod provider;
