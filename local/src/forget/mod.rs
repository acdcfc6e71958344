//! `pushwake forget`: removes every trace of a device.

use std::io::{self, IsTerminal, Write as _};

use pushwake::operator::{Action, Forgotten};

use crate::caller::{self, CallError, Caller};
use crate::terminal::{self, FAILED, WELL, count};

/// The options of `pushwake forget`.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// The device's app.
    app: String,
    /// The device.
    device: String,
    /// Don't ask.
    #[arg(long, short)]
    yes: bool,
    #[command(flatten)]
    caller: caller::Options,
    /// Name, ARN or alias of schedule, which does it.
    #[arg(long, value_name = "NAME", default_value = "pushwake-schedule")]
    function: String,
    /// Print what was removed as JSON.
    #[arg(long)]
    json: bool,
}

/// Examples, for the help.
pub const EXAMPLES: &str = "\
Examples:
  cargo run -- forget ios-prod ada-phone
  cargo run -- forget ios-prod ada-phone --yes --json

What is in flight is waited for, for up to 15 s; what is left after that is said, with exit status 1. An event that is sent
to the device again is new: nobody knows any more that it was there.";

/// Asks for confirmation, and forgets.
pub async fn run(options: &Options) -> Result<u8, CallError> {
    let Options { app, device, .. } = options;
    if !options.yes && !confirmed(app, device).await? {
        eprintln!("Nothing was removed.");
        return Ok(FAILED);
    }
    let caller = Caller::new(&options.caller, &options.function)?;
    let action = Action::Forget { app: app.as_str().into(), device: device.as_str().into() };
    let answer = caller.invoke(&action.to_json()).await?;
    let forgotten: Forgotten = serde_json::from_str(&answer).map_err(|_| CallError::Unreadable)?;
    let said = if options.json { format!("{}\n", answer.trim()) } else { say(&forgotten) };
    terminal::print(&said).map_err(|error| CallError::Output(error.to_string()))?;
    Ok(if forgotten.complete { WELL } else { FAILED })
}

async fn confirmed(app: &str, device: &str) -> Result<bool, CallError> {
    if !io::stdin().is_terminal() {
        let message = "forget asks before it removes anything, and there is no terminal to ask on: pass --yes";
        return Err(CallError::Usage(message.to_owned()));
    }
    eprint!("Remove everything that is queued or known of {device} in {app}? [y/N] ");
    let _ = io::stderr().flush();
    // On a thread of its own: Ctrl-C ends the question.
    let read = tokio::task::spawn_blocking(|| io::stdin().lines().next().and_then(Result::ok)).await;
    Ok(read.ok().flatten().is_some_and(|answer| ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())))
}

fn say(forgotten: &Forgotten) -> String {
    let Forgotten { app, device, removed, .. } = forgotten;
    let what = [
        count(removed.notifications, "notification"),
        count(removed.receipts, "receipt"),
        count(removed.dismissals, "dismissal"),
        count(removed.dead_tokens, "dead token"),
    ];
    let removed = format!("removed of {} in {}: {}\n", device.as_str(), app.as_str(), what.join(", "));
    let left = match (forgotten.complete, forgotten.in_flight) {
        (true, _) => "Nothing of it is left.\n".to_owned(),
        (false, Some(until)) => {
            format!("Its head is still in flight, leased until {until}: forget it again after that.\n")
        }
        (false, None) => "Something of it is locked or was more than there was time for: forget it again.\n".to_owned(),
    };
    removed + &left
}
