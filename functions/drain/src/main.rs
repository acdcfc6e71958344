//! The function a wake starts: claims the heads of free lanes, sends them, finishes them in batches.

use std::process::ExitCode;

use drain::handler::Handler;
use pushwake::function::{self, config};

#[tokio::main]
async fn main() -> ExitCode {
    let config = config::Drain::read(config::Name::from_environment);
    Box::pin(function::run(config, Handler::open, async |handler, event| handler.handle(event).await)).await
}
