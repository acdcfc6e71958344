//! The program `pushwake`, as a person runs it.

mod demo;
mod doctor;
mod processes;
mod up;
