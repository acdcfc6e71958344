//! The demo: the whole product on loopback, and notifications through all of it.
//!
//! Callers ([`callers`]) invoke the real `enqueue` by a [`plan`]: every device gets its notifications in waves, and
//! their numbers travel to its simulated [`provider`], whose ledger sees what is lost, doubled, out of order or in
//! flight twice. Meanwhile a provider may fail for a while ([`outage`]), and a live [`view`] says how it stands; the
//! [`report`] says how it went.
//!
//! A provider that answers that it failed costs nothing: no notification of it is lost or sent twice. One that does
//! not answer leaves open what it delivered. What is sent again then, and what is discarded after a few such sends,
//! is counted by itself ([`sends`]), and is no failure of the demo.

mod callers;
mod devices;
mod during;
mod error;
mod findings;
mod lines;
mod look;
mod options;
mod outage;
mod plan;
mod print;
mod processor;
mod provider;
mod rate;
mod report;
mod run;
mod sends;
mod standing;
mod told;
mod track;
mod view;

use std::io::Write as _;
use std::sync::Arc;

pub use error::DemoError;
pub use options::Options;
pub use outage::Outage;
pub use provider::Provider;

use crate::interrupt::Orderly;
use crate::runtime_api::OnLine;
use crate::stack::{self, Stack};
use crate::{apns, fcm, webpush};
use lines::Lines;
use report::Report;

/// How the demo ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Every check holds.
    Passed,
    /// One does not.
    Failed,
    /// By Ctrl-C.
    Interrupted,
}

/// Brings everything up, runs the demo, prints its report, and takes everything down again.
pub async fn run(options: &Options) -> Result<Ended, DemoError> {
    eprintln!("Building the functions ...");
    stack::built().await?;
    eprintln!("Starting Postgres, SQS, the functions and the simulated providers ...");
    let demo = Demo::start(options).await?;
    eprintln!("The data is in {}, which is removed at the end.", demo.stack.cluster().folder().display());
    let orderly = Orderly::new();
    let report = tokio::select! {
        report = demo.run(options) => Some(report),
        () = orderly.interrupt() => None,
    };
    if report.is_none() {
        eprintln!("Stopping ...");
    }
    demo.stack.stop().await?;
    let Some(report) = report.transpose()? else { return Ok(Ended::Interrupted) };
    print(&report, options.json).map_err(DemoError::Report)?;
    Ok(if report.passed { Ended::Passed } else { Ended::Failed })
}

/// What runs.
struct Demo {
    stack: Stack,
    lines: Arc<Lines>,
}

impl Demo {
    async fn start(options: &Options) -> Result<Self, DemoError> {
        let lines = Arc::new(Lines::default());
        let on_line: OnLine = {
            let lines = lines.clone();
            Arc::new(move |line| lines.take(line))
        };
        let (latency, seed) = (options.answer_times(), options.seed);
        let stack = Stack::start(stack::Options {
            apns: apns::Options { latency, seed, ..apns::Options::default() },
            fcm: fcm::Options { latency, seed, ..fcm::Options::default() },
            webpush: webpush::Options { latency, seed, ..webpush::Options::default() },
            drains: options.drains.into(),
            enqueues: callers::CALLERS,
            duplicates: Some((options.duplicate_wakes, options.seed)),
            environment: vec![("PUSHWAKE_WINDOW".to_owned(), options.window.to_string())],
            on_line: Some(on_line),
            ..stack::Options::default()
        });
        Ok(Self { stack: stack.await?, lines })
    }
}

fn print(report: &Report, json: bool) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        serde_json::to_writer_pretty(&mut out, report)?;
        writeln!(out)?;
    } else {
        write!(out, "\n{report}")?;
    }
    out.flush()
}
