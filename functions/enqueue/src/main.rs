//! The function product Lambdas invoke: validates, inserts, commits, then posts one wake.

use std::process::ExitCode;

use enqueue::Enqueue;
use pushwake::function::{self, config};

#[tokio::main]
async fn main() -> ExitCode {
    let config = config::Enqueue::read(config::Name::from_environment);
    function::run(config, Enqueue::open, async |enqueue, event| Ok(enqueue.handle(&event.payload).await?)).await
}
