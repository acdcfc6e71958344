//! The local stack.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use local::interrupt::{Interrupted, unless_interrupted};
use local::up;

/// Pushwake on this machine: Postgres, an SQS endpoint, the Lambda Runtime API with the four real functions, and
/// simulated providers, all on loopback and on free ports. What it starts ends with it, and its data is removed.
#[derive(Parser)]
#[command(name = "pushwake", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Bring the product up, print where everything is, and keep it until Ctrl-C.
    Up(up::Options),
}

#[tokio::main]
async fn main() -> ExitCode {
    let command = Arguments::parse().command.unwrap_or_else(|| Command::Up(up::Options::default()));
    let ran = unless_interrupted(async {
        match command {
            Command::Up(options) => up::run(options).await,
        }
    });
    match ran.await {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            eprintln!("pushwake: {error}");
            ExitCode::FAILURE
        }
        // Not a return from `main`, which would wait for whatever still blocks a thread: the reaper cleans up.
        Err(Interrupted) => std::process::exit(130),
    }
}
