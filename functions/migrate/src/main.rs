//! The function of the deploy: applies migrations/ before the other functions update.

use std::process::ExitCode;

use migrate::Migrate;
use pushwake::function::{self, config::Name};

#[tokio::main]
async fn main() -> ExitCode {
    // Its configuration is read by itself: CloudFormation has to be told of a fault, too.
    let open = async |()| Ok(Migrate::new(Name::from_environment));
    function::run(Ok(()), open, async |migrate, event| migrate.handle(event).await).await
}
