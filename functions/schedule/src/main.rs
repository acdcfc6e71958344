//! The function of every minute: prunes, tops the wakes up from the database, posts what feedback is left.

use std::process::ExitCode;
use std::sync::Arc;

use pushwake::function::{self, config::Name};
use schedule::Schedule;

#[tokio::main]
async fn main() -> ExitCode {
    function::run(|| async {
        let schedule = Arc::new(Schedule::start(Name::from_environment).await?);
        Ok(move |event| {
            let schedule = Arc::clone(&schedule);
            async move { schedule.handle(event).await }
        })
    })
    .await
}
