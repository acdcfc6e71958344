//! The metrics, as the binaries write them.

mod delivery;
mod sample;
mod schedule;

use local::stack::Stack;
use tests::metrics::Points;

/// What all functions of a stack wrote.
fn points(stack: &Stack) -> Points {
    Points::of([&stack.enqueue, &stack.drain, &stack.schedule, &stack.migrate])
}
