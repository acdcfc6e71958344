//! The checks, each against one subject.

pub mod batches;
pub mod bodies;
pub mod queues;
pub mod receipts;
pub mod receiving;
pub mod redrive;
