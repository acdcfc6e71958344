//! `pushwake send`: invokes enqueue with the requests of files, and says what became of each device.

mod call;
mod options;
mod print;
mod read;
mod tally;

use std::io::{self, IsTerminal};
use std::path::Path;

use futures::StreamExt as _;
use indicatif::{ProgressBar, ProgressStyle};

pub use options::{EXAMPLES, Options};

use crate::caller::{CallError, Caller};
use crate::terminal::{self, FAILED, WELL};
use call::{Ended, Placed};
use print::Print;
use tally::Tally;

/// With fewer requests than these nobody needs a bar.
const MANY: usize = 20;

/// Sends everything that can be read; the exit status says whether all of it is queued.
pub async fn run(options: &Options) -> Result<u8, CallError> {
    let caller = Caller::new(&options.caller, &options.function)?;
    let files = options.files.clone();
    // On a thread of its own: Ctrl-C ends what reads a terminal or a pipe that nobody closes.
    let opened = tokio::task::spawn_blocking(move || files.iter().flat_map(|file| open(file)).collect()).await;
    let placed: Vec<Placed> = opened.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
    let bar = bar(placed.len());
    let print = Print::new(options.json);
    let mut tally = Tally::of(placed.len());
    let caller = &caller;
    let calls = placed.iter().map(|placed| async move { (placed, placed.call(caller, options.new_event).await) });
    // In their order, so that the results of a file stand as its requests do.
    let mut calls = futures::stream::iter(calls).buffered(options.concurrency.into());
    let mut no_stack = None;
    while let Some((placed, ended)) = calls.next().await {
        tally.add(placed, &ended);
        bar.inc(1);
        let said = print.request(placed, &ended);
        bar.suspend(|| terminal::print(&said)).map_err(|error| CallError::Output(error.to_string()))?;
        if let Ended::Failed(error @ CallError::NoStack(_)) = ended {
            // Nobody will answer the others either.
            no_stack = Some(error);
            break;
        }
    }
    bar.finish_and_clear();
    eprintln!("{tally}");
    match no_stack {
        Some(error) => Err(error),
        None => Ok(if tally.is_well() { WELL } else { FAILED }),
    }
}

/// What stands in a file, or that it can't be opened.
fn open(path: &Path) -> Vec<Placed> {
    let is_stdin = path.as_os_str() == "-";
    let name = if is_stdin { "standard input".to_owned() } else { path.display().to_string() };
    let bytes = if is_stdin { read_stdin() } else { std::fs::read(path) };
    let items = match bytes {
        Ok(bytes) => read::read(&bytes),
        Err(error) => vec![read::Item { line: 0, request: Err(format!("can't be read: {error}")) }],
    };
    items.into_iter().map(|item| Placed { file: name.clone(), item }).collect()
}

fn read_stdin() -> io::Result<Vec<u8>> {
    if io::stdin().is_terminal() {
        eprintln!("Reading requests from the terminal until Ctrl-D ...");
    }
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes)?;
    Ok(bytes)
}

/// On standard error, and only for many on a terminal.
fn bar(n: usize) -> ProgressBar {
    if n < MANY || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} requests, {eta} left");
    ProgressBar::new(n as u64).with_style(style.expect("the template is valid"))
}
