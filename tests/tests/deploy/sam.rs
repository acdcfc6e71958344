//! `sam deploy`, with the stage `dev` of samconfig.toml.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tests::sdk::KEY;
use tokio::process::Command;

use crate::account::Account;
use crate::tool;

/// The name that the stage gives its stack.
pub const STACK: &str = "pushwake-dev";
/// A deploy takes seconds here; the machine may be busy.
const PATIENCE: Duration = Duration::from_mins(10);

/// The program against an account.
pub struct Sam {
    url: String,
    ca: String,
    /// Where it keeps what it would keep in the user's home.
    home: PathBuf,
}

impl Sam {
    /// For an account.
    pub fn new(account: &Account, home: &Path) -> Self {
        Self { url: account.url().to_owned(), ca: account.ca.clone(), home: home.to_owned() }
    }

    /// Deploys a built template as `stack`; an error is what it said.
    pub async fn deploy(&self, stack: &str, template: &Path, parameters: &[(&str, String)]) -> Result<(), String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
        let mut sam = self.command("deploy");
        sam.arg("--config-file").arg(root.join("samconfig.toml")).args(["--config-env", "dev", "--stack-name", stack]);
        sam.arg("--template-file").arg(template).arg("--parameter-overrides");
        sam.args(parameters.iter().map(|(name, value)| format!("{name}={value}")));
        run(sam).await.map(drop)
    }

    /// The outputs of the stack.
    pub async fn outputs(&self) -> HashMap<String, String> {
        let mut sam = self.command("list");
        sam.args(["stack-outputs", "--stack-name", STACK, "--output", "json"]);
        let listed: Vec<Value> = serde_json::from_str(&run(sam).await.expect("the outputs")).expect("JSON");
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        listed.iter().map(|output| (text(&output["OutputKey"]), text(&output["OutputValue"]))).collect()
    }

    fn command(&self, verb: &str) -> Command {
        let mut command = Command::new(tool("sam"));
        command.arg(verb).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", &self.home).env("AWS_ENDPOINT_URL", &self.url).env("LC_ALL", "C.UTF-8");
        command.env("AWS_ACCESS_KEY_ID", KEY.0).env("AWS_SECRET_ACCESS_KEY", KEY.1).env("AWS_CA_BUNDLE", &self.ca);
        command.env("AWS_DEFAULT_REGION", local::sqs::REGION).env("SAM_CLI_TELEMETRY", "0");
        command.env("SAM_CLI_POLL_DELAY", "1");
        command.stdin(Stdio::null()).kill_on_drop(true);
        command
    }
}

/// A text of narrow columns as one line.
pub fn words(said: &str) -> String {
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What it wrote to standard output, or everything if it failed.
async fn run(mut command: Command) -> Result<String, String> {
    let ended = tokio::time::timeout(PATIENCE, command.output()).await.expect("sam ends in time").expect("sam runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if ended.status.success() {
        return Ok(text(&ended.stdout));
    }
    let said = text(&[ended.stdout, ended.stderr].concat());
    Err(said.lines().filter(|line| !line.contains("Uploading")).collect::<Vec<_>>().join("\n"))
}
