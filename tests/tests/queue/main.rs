//! The queue's protocols against a real Postgres: every test has a database of its own, and bad interleavings are
//! forced with barriers.

mod broadcasts;
mod claims;
mod connections;
mod contention;
mod cost;
mod dismissals;
mod enqueues;
mod finishes;
mod forget_races;
mod forgets;
mod inspect_cost;
mod inspects;
mod lock_order;
mod measures;
mod old_rows;
mod order;
mod paused;
mod pauses;
mod pooled;
mod prunes;
mod renewals;
mod rereading;
mod revisions;
mod statements;
