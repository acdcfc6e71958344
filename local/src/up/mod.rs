//! `pushwake up`: the product, kept until Ctrl-C, behind one port for everything that AWS tools need.

mod door;
mod owner;
mod places;
mod port;
mod serving;
mod simulated;

use std::io::{self, Write as _};

pub use places::Places;
pub use port::{Port, PortError};
pub use serving::Serving;

use crate::interrupt::Orderly;
use crate::real::{Real, RealError};
use crate::stack::{self, Stack, StackError};

/// Where `up` listens unless it is told otherwise, and where the other commands look for it.
pub const PORT: u16 = 9310;

/// The options of `pushwake up`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Port on loopback for Lambda, SQS and the page; 0 takes any free one.
    #[arg(long, value_name = "NUMBER", default_value_t = PORT)]
    port: u16,
    /// Leave instances running between invocations instead of stopping them as Lambda does.
    #[arg(long)]
    no_freeze: bool,
    /// Say where everything is as one line of JSON, once all of it runs.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    real: Real,
}

/// Why the product did not come up, or not down.
#[derive(Debug, thiserror::Error)]
pub enum UpError {
    /// A key of a real provider is of no use.
    #[error(transparent)]
    Real(#[from] RealError),
    /// Its port is not to be had.
    #[error(transparent)]
    Port(#[from] PortError),
    /// It did not start, or not stop.
    #[error(transparent)]
    Stack(#[from] StackError),
    /// Standard output takes nothing.
    #[error("can't say where everything is: {0}")]
    Output(#[from] io::Error),
}

/// Brings the product up, says where it is, and stops it on Ctrl-C.
pub async fn run(options: Options) -> Result<(), UpError> {
    let apps = options.real.apps()?;
    // Before everything else: whoever has to choose another port should not wait for a start first.
    let port = Port::take(options.port).await?;
    eprintln!("Starting Postgres, SQS, a simulated provider of each kind and the functions ...");
    if !apps.is_empty() {
        let real = apps.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        eprintln!("These apps send to their real providers, and so to real devices: {real}");
    }
    let options_of_stack = stack::Options { freeze: !options.no_freeze, apps, ..stack::Options::default() };
    let stack = Stack::start(options_of_stack).await?;
    stack.call_dead_tokens_dead();
    let orderly = Orderly::new();
    let serving = Serving::start(port, &stack);
    let said = say(&Places::of(&stack, &serving), options.json);
    if said.is_ok() {
        orderly.interrupt().await;
        eprintln!("Stopping ...");
    }
    drop(serving);
    stack.stop().await?;
    Ok(said?)
}

fn say(places: &Places, json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        serde_json::to_writer(&mut out, places)?;
        writeln!(out)?;
    } else {
        write!(out, "{places}")?;
    }
    out.flush()
}
