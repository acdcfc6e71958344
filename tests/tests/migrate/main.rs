//! Migrations against a real Postgres, each test on an empty database of its own.

mod concurrency;
mod deploys;
mod indexes;
mod schema;
mod writers;

mod ground;
