//! The program `pushwake`, as a person runs it.

mod demo;
mod processes;
mod up;
