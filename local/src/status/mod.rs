//! `pushwake status`: where an event or a device stands.

mod ago;
mod device;
mod event;

use clap::{Args, Subcommand};
use pushwake::operator::{Action, DeviceStory, EventStory};
use serde_json::value::RawValue;

use crate::caller::{self, CallError, Caller};
use crate::terminal::{self, FAILED, Paint, WELL};

/// The options of `pushwake status`.
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Options {
    #[command(subcommand)]
    what: Option<What>,
    /// An event or a device: it is looked up as both, over all sources and apps.
    #[arg(required = true, value_name = "EVENT|DEVICE")]
    id: Option<String>,
    #[command(flatten)]
    asking: Asking,
}

#[derive(Debug, Clone, Args)]
struct Asking {
    #[command(flatten)]
    caller: caller::Options,
    /// Name, ARN or alias of schedule, which answers.
    #[arg(long, value_name = "NAME", default_value = "pushwake-schedule")]
    function: String,
    /// Print the answers as JSON, one on each line.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Subcommand)]
enum What {
    /// Where an event stands with each of its devices.
    Event {
        /// The event.
        #[arg(value_name = "EVENT")]
        event: String,
        /// Its source; without one, all sources are looked up.
        #[arg(long, value_name = "SOURCE")]
        source: Option<String>,
        #[command(flatten)]
        asking: Asking,
    },
    /// The lane of a device, its events of the last 24 h and its dead tokens.
    Device {
        /// Its app and its id; without an app, all apps are looked up.
        #[arg(value_name = "[APP] DEVICE", num_args = 1..=2, required = true)]
        key: Vec<String>,
        #[command(flatten)]
        asking: Asking,
    },
}

/// Examples, for the help.
pub const EXAMPLES: &str = "\
Examples:
  cargo run -- status order-1742-shipped
  cargo run -- status event order-1742-shipped --source orders
  cargo run -- status device ios-prod ada-phone --json

No content is shown: no title, body, data or token. Of a notification that is over nothing is known but its receipt, which
is kept for 24 h; how it ended stands in the log of drain.";

/// Asks, and says what is known; the exit status says whether anything is.
pub async fn run(options: &Options) -> Result<u8, CallError> {
    let (asking, actions) = match (&options.what, &options.id) {
        (Some(What::Event { event, source, asking }), _) => {
            let source = source.clone().map(Into::into);
            (asking, vec![Action::InspectEvent { source, event: event.as_str().into() }])
        }
        (Some(What::Device { key, asking }), _) => {
            let (app, device) = match &key[..] {
                [app, device] => (Some(app.as_str().into()), device),
                key => (None, &key[0]),
            };
            (asking, vec![Action::InspectDevice { app, device: device.as_str().into() }])
        }
        (None, Some(id)) => (&options.asking, either(id)),
        (None, None) => return Err(CallError::Usage("name an event or a device".to_owned())),
    };
    let caller = Caller::new(&asking.caller, &asking.function)?;
    let mut known = false;
    for action in &actions {
        let answer = caller.invoke(&action.to_json()).await?;
        let (said, is_known) = say(action, &answer)?;
        known |= is_known;
        let said = if asking.json { one_line(&answer)? } else { said };
        // Of what was looked up as both, the one it is.
        if is_known || asking.json || actions.len() == 1 {
            terminal::print(&said).map_err(|error| CallError::Output(error.to_string()))?;
        }
    }
    if !known && !asking.json && actions.len() > 1 {
        let id = options.id.as_deref().unwrap_or_default();
        let said = format!("No event and no device {id} is known: receipts are kept for 24 h.\n");
        terminal::print(&said).map_err(|error| CallError::Output(error.to_string()))?;
    }
    Ok(if known { WELL } else { FAILED })
}

fn either(id: &str) -> Vec<Action> {
    vec![
        Action::InspectEvent { source: None, event: id.into() },
        Action::InspectDevice { app: None, device: id.into() },
    ]
}

/// What an answer says, and whether it knows anything.
fn say(action: &Action, answer: &str) -> Result<(String, bool), CallError> {
    let paint = Paint::of_stdout();
    if let Action::InspectEvent { .. } = action {
        let story: EventStory = serde_json::from_str(answer).map_err(|_| CallError::Unreadable)?;
        return Ok((event::lines(&story, paint), !story.devices.is_empty()));
    }
    let story: DeviceStory = serde_json::from_str(answer).map_err(|_| CallError::Unreadable)?;
    let known = !(story.events.is_empty() && story.lanes.is_empty() && story.dead_tokens.is_empty());
    Ok((device::lines(&story, paint), known))
}

fn one_line(answer: &str) -> Result<String, CallError> {
    // As it came, with what a newer revision adds: an answer of a function holds no line break outside of its strings.
    let raw: &RawValue = serde_json::from_str(answer).map_err(|_| CallError::Unreadable)?;
    Ok(format!("{raw}\n"))
}
