//! What every function's main needs.
