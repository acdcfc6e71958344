//! A headless browser, which sees nothing but loopback.

use std::path::Path;

use tests::barrier::soon;
use tokio::process::Command;

const QUIET: [&str; 12] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
];

/// A window's width and height, and whether it is dark.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub name: &'static str,
    pub width: u32,
    pub height: u32,
    pub dark: bool,
}

impl Window {
    /// The document as it is once the page has refreshed itself a few times.
    pub async fn dom(self, url: &str) -> String {
        self.run(&["--virtual-time-budget=7000", "--dump-dom", url]).await
    }

    /// Takes a picture.
    pub async fn screenshot(self, url: &str, file: &Path) {
        let _ = std::fs::remove_file(file);
        self.run(&["--virtual-time-budget=3000", &format!("--screenshot={}", file.display()), url]).await;
        assert!(file.metadata().is_ok_and(|picture| picture.len() > 10_000), "no picture in {}", file.display());
    }

    async fn run(self, arguments: &[&str]) -> String {
        let profile = tempfile::tempdir().expect("a folder");
        let mut command = Command::new("chromium");
        command.args(QUIET).arg(format!("--user-data-dir={}", profile.path().display()));
        command.arg(format!("--window-size={},{}", self.width, self.height));
        if self.dark {
            command.arg("--blink-settings=preferredColorScheme=0");
        }
        let ran = soon(command.args(arguments).kill_on_drop(true).output()).await.expect("chromium starts");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).expect("text")
    }
}
