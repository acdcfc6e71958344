//! The policy, through the real functions: what a provider that fails as a whole, or a key that can't be read, costs
//! the others.

mod keys;
mod outage;
mod two_apps;
