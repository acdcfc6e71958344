//! `pushwake doctor`: looks at a configuration as the functions would read it, and says what to fix. Nothing is sent.

mod apps;
mod database;
mod environment;
mod finding;
mod queues;

use std::io;
use std::path::PathBuf;

use pushwake::function::apps::AppsRef;
use pushwake::function::config::{ConfigError, Drain, Name};

pub use environment::EnvironmentError;
pub use finding::{Finding, Verdict};

use crate::terminal::{self, FAILED, Paint, WELL, width};

/// Whence what it looks at comes, for the help.
pub const SOURCES: &str = "\
Without options it reads the variables that the functions read: DATABASE_HOST, WAKE_QUEUE_URL, PUSHWAKE_APPS and so on.
Credentials of AWS come from the environment alone, as on Lambda: `aws configure export-credentials --format env` prints
yours. A warning is no fault: it works, and may not be what was meant.";

/// The options of `pushwake doctor`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// A file of variables: JSON as for `sam local invoke --env-vars`, or lines of NAME=VALUE.
    #[arg(long, value_name = "FILE")]
    env_file: Option<PathBuf>,
    /// Looks at the apps in this file and at nothing else.
    #[arg(long, value_name = "FILE", conflicts_with = "env_file")]
    apps: Option<PathBuf>,
    /// Prints the findings as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Why there are no findings.
#[derive(Debug, thiserror::Error)]
pub enum DoctorError {
    /// The variables can't be read from the file.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// Standard output takes nothing.
    #[error("can't print the findings: {0}")]
    Output(#[from] io::Error),
}

/// Looks, prints, and answers the exit status.
pub async fn run(options: Options) -> Result<u8, DoctorError> {
    if let Some(file) = &options.env_file {
        // A process of its own, since the AWS SDK reads the environment too.
        return Ok(environment::run_with(file, options.json)?);
    }
    let findings = match &options.apps {
        Some(file) => of_file(&format!("file:{}", file.display())).await,
        None => of_environment(Drain::read(Name::from_environment)).await,
    };
    terminal::print(&said(&findings, options.json))?;
    let wrong = findings.iter().any(|finding| finding.verdict == Verdict::Wrong);
    Ok(if wrong { FAILED } else { WELL })
}

/// What there is to say about the apps of one file.
async fn of_file(reference: &str) -> Vec<Finding> {
    match AppsRef::parse(reference) {
        Ok(apps) => apps::look(apps, None).await,
        Err(must) => {
            vec![Finding::wrong(
                "apps",
                format!("what --apps names {must}"),
                "correct the file; docs/apps.md has a sample",
            )]
        }
    }
}

/// What there is to say about the configuration of a drain, which is everybody's and more.
async fn of_environment(config: Result<Drain, ConfigError>) -> Vec<Finding> {
    let config = match config {
        Ok(config) => config,
        Err(ConfigError { faults }) => {
            let mut findings: Vec<_> = faults.iter().map(Finding::fault).collect();
            if let Some(last) = findings.last_mut() {
                last.fix = Some("set them as template.yaml does; what lies behind them is looked at then".to_owned());
            }
            return findings;
        }
    };
    let mut findings = vec![Finding::ok("variables", "every one that the functions need is set and can be read")];
    findings.extend(apps::look(config.apps, config.provider_ca.as_deref()).await);
    findings.extend(database::look(&config.database).await);
    findings.extend(queues::look(&config.wake_queue_url, config.feedback_queue_url.as_deref()).await);
    findings
}

fn said(findings: &[Finding], json: bool) -> String {
    if json {
        let wrong = findings.iter().filter(|finding| finding.verdict == Verdict::Wrong).count();
        return format!("{}\n", serde_json::json!({"v": 1, "wrong": wrong, "findings": findings}));
    }
    let (paint, width) = (Paint::of_stdout(), width(findings.iter().map(|finding| finding.subject.as_str())));
    findings.iter().map(|finding| finding.lines(width, paint)).collect()
}
