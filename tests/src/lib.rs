//! What the integration tests share: one cluster per test binary, one database per test (advisory locks cross
//! schemas), cloned from a migrated template.

pub mod backends;
pub mod barrier;
pub mod database;
pub mod drive;
pub mod http;
pub mod metrics;
pub mod ministack;
pub mod pooler;
pub mod product;
pub mod rds;
pub mod schema;
pub mod sdk;
pub mod tls;
pub mod wire;
