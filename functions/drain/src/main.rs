//! The function a wake starts: claims the heads of free lanes, sends them, finishes them in batches.

use std::process::ExitCode;
use std::sync::Arc;

use drain::handler::Handler;

#[tokio::main]
async fn main() -> ExitCode {
    Box::pin(pushwake::function::run(|| async {
        let handler = Arc::new(Handler::start().await?);
        Ok(move |event| {
            let handler = handler.clone();
            async move { handler.handle(event).await }
        })
    }))
    .await
}
