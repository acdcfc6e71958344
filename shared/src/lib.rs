//! What Pushwake's functions share.
//!
//! The crate is one room per subject: the [`contract`] of enqueue, the provider [`body`] built from it, the
//! configured [`app`]s, the [`queue`] in Postgres and its [`limits`], the [`wake`], the [`feedback`] to products, what
//! an [`operator`] asks, and what every [`function`]'s `main` needs. A product Lambda depends on the contract and the
//! feedback alone, with `default-features = false`; their JSON Schemas are made in [`schema`].

#[cfg(feature = "reader")]
pub mod app;
#[cfg(feature = "reader")]
pub mod body;
pub mod contract;
pub mod feedback;
#[cfg(feature = "reader")]
mod field;
#[cfg(feature = "functions")]
pub mod function;
pub mod limits;
#[cfg(feature = "functions")]
pub mod operator;
#[cfg(feature = "functions")]
pub mod queue;
#[cfg(feature = "schema")]
pub mod schema;
#[cfg(feature = "functions")]
pub mod wake;
