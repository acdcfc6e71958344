//! The function of every minute: prunes, tops the wakes up from the database, posts what feedback is left.

use std::process::ExitCode;

use pushwake::function::{self, config};
use schedule::Schedule;

#[tokio::main]
async fn main() -> ExitCode {
    let config = config::Schedule::read(config::Name::from_environment);
    function::run(config, Schedule::open, async |schedule, event| schedule.handle(event).await).await
}
