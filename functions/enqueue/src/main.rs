//! The function product Lambdas invoke: validates, inserts, commits, then posts one wake.

use std::process::ExitCode;
use std::sync::Arc;

use enqueue::Enqueue;
use pushwake::function::{self, Event, config::Name};

#[tokio::main]
async fn main() -> ExitCode {
    function::run(|| async {
        let enqueue = Arc::new(Enqueue::start(Name::from_environment).await?);
        Ok(move |event: Event| {
            let enqueue = Arc::clone(&enqueue);
            async move { Ok(enqueue.handle(&event.payload).await?) }
        })
    })
    .await
}
