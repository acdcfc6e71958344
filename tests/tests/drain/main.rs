//! The drain's loop in-process: over real Postgres and a wake queue, with a scripted provider.

mod database;
mod failing;
mod fcm;
mod finishes;
mod incident;
mod pauses;
mod poison;
mod sends;
mod setup;
mod silent;
mod wakes;
