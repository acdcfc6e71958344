//! The local stack.

fn main() {}
