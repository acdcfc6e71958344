//! The advisory lock keys, in the order to take them.
//!
//! Only transaction-level locks: a session-level one leaks through a transaction pooler. The upper half of each key
//! is its namespace, so that a product that keeps its own advisory locks in the same database does not meet ours.

/// `PWK` and a zero byte: the namespace of every key below.
const NAMESPACE: i64 = 0x5057_4b00 << 32;

/// Shared by every claim; taken exclusively by a revision whose claim works differently, for one release.
pub const CLAIM: i64 = NAMESPACE | 1;
/// Tried by every prune, so that one runs at a time. Taken after no other key.
pub const PRUNE: i64 = NAMESPACE | 2;
/// Polled by every migrator. Taken after no other key.
pub const MIGRATE: i64 = NAMESPACE | 3;
