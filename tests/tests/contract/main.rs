//! What a product is given: the contract's crate, and the samples.

mod alone;
mod samples;
