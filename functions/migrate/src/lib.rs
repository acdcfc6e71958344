//! The function of the deploy: applies `migrations/` before the other functions update.
//!
//! # Protocol
//!
//! One connection polls the `migrate` advisory lock in transactions of one statement each, and never waits inside it:
//! a waiter's snapshot makes `create index concurrently` hang. The transaction that gets it stays idle and so holds
//! it, while a second connection runs the statements. Whoever comes second finds everything applied.
//!
//! A migration is one transaction together with its row in `schema_migrations`. It waits for a table only as long as
//! a claim bears to queue up behind it, then lets go, pauses, and tries again until the budget ends in an error that
//! names who held the table. A file whose first line is `-- no transaction` runs statement by statement, for
//! `create index concurrently`; each of its statements can be run again (`if not exists`), and an invalid index that
//! it names is dropped first. Such a file needs a session of its own: migrate connects past a transaction pooler.
//!
//! Migrations only go forward: expand in one release, contract in a later one. A schema newer than ours, as after a
//! rollback, is success.
//!
//! # Invocations
//!
//! Invoked directly, it answers `{"applied": ["0001_queue"], "version": 1}`. As a `CloudFormation` custom resource it
//! PUTs its answer to the event's `ResponseURL`, whatever happened: a deploy waits for an hour where nobody answers.

mod apply;
mod attempt;
mod blocker;
mod error;
mod handler;
mod lock;
mod migrations;
mod respond;
mod stack;
mod statements;

pub use apply::{Applied, Migrator, apply};
pub use blocker::Blocker;
pub use error::MigrateError;
pub use handler::Migrate;
pub use migrations::{MIGRATIONS, Migration};
