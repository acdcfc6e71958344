//! The function product Lambdas invoke: validates, inserts, commits, then posts one wake.

fn main() {}
