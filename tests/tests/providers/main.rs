//! The drain's providers against simulated ones, over real TLS and HTTP/2.

mod answers;
mod connection;
mod fcm;
mod freeze;
mod go_away;
mod proxy;
mod raw;
mod rig;
mod settings;
mod silence;
mod tokens;
mod webpush;
