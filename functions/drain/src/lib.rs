//! The function a wake starts: claims the heads of free lanes, sends them, finishes them in batches.
//!
//! One invocation is one [`drain`](drain::Drain::run). Its loop has at most one statement under way, since claims and
//! finishes share one connection, while up to a [`window`] of sends is in flight:
//!
//! 1. **claim** as many heads as there are free places, at the [`pace`] of what the last claims found;
//! 2. **triage** each head: most are sent, the expired, dismissed and unreadable ones are finished at once;
//! 3. **send** ([`send`]), concurrently, unless the lease is too old for the answer to come before it ends;
//! 4. **answer**: the [`policy`] turns an [`outcome`] into what becomes of the head;
//! 5. **finish** in batches; whatever fails from here on, only the finish is tried again, never the send;
//! 6. **settle** what the outcomes said about tokens and whole apps ([`settle`], [`pauses`]);
//! 7. **claim** again, back to back with the finish, until nothing is claimable or the budget is spent;
//! 8. **wake**: post the [`wakes`] for what this drain has written and left.
//!
//! The [`renew`]er keeps the [`leases`] meanwhile, on a connection of its own. Nothing outlives the invocation but
//! the connections: every send is answered or given up, and every task joined, before it returns.
//!
//! # What proves it
//!
//! The pure decisions (when to claim, when to finish, which wakes, may this send start) are tested beside their code;
//! the loop as a whole in the package `tests`, over real Postgres, a simulated provider and the real binary.

// The page speaks of rooms that only this crate enters.
#![allow(rustdoc::private_intra_doc_links)]

pub mod apns;
mod apps;
mod attempt;
pub mod clock;
pub mod connection;
pub mod drain;
mod event;
pub mod handler;
mod leases;
mod log;
pub mod outcome;
mod pace;
mod pauses;
pub mod policy;
pub mod provider;
mod renew;
mod send;
mod settle;
mod wakes;
mod window;

pub use pace::Ended;
