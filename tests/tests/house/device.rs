//! The hash that stands for a device in the log.

use std::process::Command;

use pushwake::function::device_hash;

use crate::root;

#[test]
fn an_operator_s_command_makes_the_hash_of_the_log_whatever_a_device_is_called() {
    let page = std::fs::read_to_string(root().join("docs/operations.md")).expect("the page");
    let command = page.lines().find(|line| line.contains("sha256sum")).expect("the command");
    // A digit behind the NUL, and what a format would take for its own.
    for device in ["ada-phone", "42", "7%d\\n"] {
        let asked = command.replace("ada-phone", &format!("'{device}'"));
        assert!(asked.contains(device), "{asked}");
        let told = Command::new("bash").args(["-c", &asked]).output().expect("bash");
        let hash = String::from_utf8(told.stdout).expect("UTF-8");
        assert_eq!(hash.trim(), device_hash(&"ios-prod".into(), &device.into()), "{asked}");
    }
}
