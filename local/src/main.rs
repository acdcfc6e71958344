//! The local stack.

use std::error::Error;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use local::caller::CallError;
use local::interrupt::{Interrupted, unless_interrupted};
use local::terminal::{INTERRUPTED, STATUSES};
use local::{demo, doctor, forget, send, status, terminal, up};

/// Pushwake on this machine, on loopback and free ports: Postgres, SQS, the four real functions, and a simulated APNs,
/// FCM and push service of browsers.
/// What it starts ends with it, and its files are removed.
///
/// Without a command it runs the demo: delivers notifications through all of it, shows how it stands, and prints a
/// report. The exit status is 0 only if every check of the report holds.
#[derive(Parser)]
#[command(name = "pushwake", version, args_conflicts_with_subcommands = true, verbatim_doc_comment, after_help = STATUSES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    demo: demo::Options,
}

#[derive(Subcommand)]
enum Command {
    /// Deliver notifications through all of it, as without a command.
    Demo(demo::Options),
    /// Bring the product up, print where everything is, and keep it until Ctrl-C.
    Up(up::Options),
    /// Look at a configuration as the functions would read it, and say what to fix. Nothing is sent.
    #[command(after_help = format!("{}\n\n{STATUSES}", doctor::SOURCES))]
    Doctor(doctor::Options),
    /// Invoke enqueue with the requests of files, and say what became of each device.
    #[command(after_help = format!("{}\n\n{STATUSES}", send::EXAMPLES))]
    Send(send::Options),
    /// Say where an event or a device stands: queued, its place, attempts, lease, pause, dead token.
    #[command(after_help = format!("{}\n\n{STATUSES}", status::EXAMPLES))]
    Status(status::Options),
    /// Remove every trace of a device from an app.
    #[command(after_help = format!("{}\n\n{STATUSES}", forget::EXAMPLES))]
    Forget(forget::Options),
    /// Print the completions of a shell.
    #[command(
        after_help = "Example:\n  pushwake completions bash > ~/.local/share/bash-completion/completions/pushwake"
    )]
    Completions {
        /// The shell.
        shell: Shell,
    },
}

#[tokio::main]
async fn main() -> ExitCode {
    let Arguments { command, demo } = Arguments::parse();
    let command = command.unwrap_or(Command::Demo(demo));
    if let Command::Demo(options) = &command
        && let Err(message) = options.check()
    {
        Arguments::command().error(ErrorKind::ValueValidation, message).exit();
    }
    let ran = unless_interrupted(async {
        match command {
            Command::Up(options) => {
                up::run(options).await?;
                Ok(ExitCode::SUCCESS)
            }
            Command::Doctor(options) => Ok(doctor::run(options).await?.into()),
            Command::Send(options) => Ok(send::run(&options).await?.into()),
            Command::Status(options) => Ok(status::run(&options).await?.into()),
            Command::Forget(options) => Ok(forget::run(&options).await?.into()),
            Command::Completions { shell } => {
                let mut script = Vec::new();
                clap_complete::generate(shell, &mut Arguments::command(), "pushwake", &mut script);
                terminal::print(&String::from_utf8(script)?)?;
                Ok(ExitCode::SUCCESS)
            }
            Command::Demo(options) => Ok::<_, Box<dyn Error>>(match demo::run(&options).await? {
                demo::Ended::Passed => ExitCode::SUCCESS,
                demo::Ended::Failed => ExitCode::FAILURE,
                demo::Ended::Interrupted => ExitCode::from(INTERRUPTED),
            }),
        }
    });
    match ran.await {
        Ok(Ok(status)) => status,
        Ok(Err(error)) => {
            eprintln!("pushwake: {error}");
            error.downcast_ref().map_or(ExitCode::FAILURE, |error: &CallError| error.status().into())
        }
        // Not a return from `main`, which would wait for whatever still blocks a thread: the reaper cleans up.
        Err(Interrupted) => std::process::exit(INTERRUPTED.into()),
    }
}
