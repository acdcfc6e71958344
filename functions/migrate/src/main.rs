//! The function of the deploy: applies migrations/ before the other functions update.

use std::process::ExitCode;
use std::sync::Arc;

use migrate::Migrate;
use pushwake::function::{self, config::Name};

#[tokio::main]
async fn main() -> ExitCode {
    function::run(|| async {
        let migrate = Arc::new(Migrate::new(Name::from_environment));
        Ok(move |event| {
            let migrate = Arc::clone(&migrate);
            async move { migrate.handle(event).await }
        })
    })
    .await
}
