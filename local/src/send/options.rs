//! The options of `pushwake send`.

use std::path::PathBuf;

use clap::value_parser;

use crate::caller;

/// The options of `pushwake send`.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Files with requests of enqueue: one, one on each line, or an array of them; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) caller: caller::Options,
    /// Name, ARN or alias of enqueue.
    #[arg(long, value_name = "NAME", default_value = "pushwake-enqueue")]
    pub(super) function: String,
    /// Requests on their way at once, 1 to 64.
    #[arg(long, value_name = "COUNT", default_value_t = 4, value_parser = value_parser!(u16).range(1..=64))]
    pub(super) concurrency: u16,
    /// Give every request an event id of its own: a file that is sent again is then no duplicate.
    #[arg(long)]
    pub(super) new_event: bool,
    /// Print one line of JSON for each request: where it stands, and the response or the error.
    #[arg(long)]
    pub(super) json: bool,
}

/// Examples, for the help.
pub const EXAMPLES: &str = "\
Examples:
  cargo run -- send events/enqueue-alert.json
  cargo run -- send --new-event events/enqueue-*.json
  generate-requests | cargo run -- send --json - | jq '.response.results[].status'

An event id is sent once: a file that is sent again answers `duplicate`, which is well. A request that is throttled, gets
no answer or finds the database away is tried up to 6 times; one that can't be read costs no other.";
