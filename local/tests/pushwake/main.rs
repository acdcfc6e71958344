//! The program `pushwake`, as a person runs it.

mod demo;
mod doctor;
mod look;
mod no_stack;
mod processes;
mod running;
mod send;
mod up;
