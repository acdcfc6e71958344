//! A function that does what its payload says, in the same test binary: a script starts the binary as an instance.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;

use local::runtime_api::{Function, Settings};
use tempfile::TempDir;

/// A function whose instances are this test binary. The folder holds the script that starts it.
pub fn function(change: impl FnOnce(&mut Settings)) -> (Function, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("bootstrap");
    let binary = std::env::current_exe().unwrap();
    let text =
        format!("#!/bin/sh\nexec '{}' --exact {} --nocapture\n", binary.display(), "scripted::scripted_function");
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    let mut settings = Settings::new("scripted", &script);
    change(&mut settings);
    (Function::start(settings), folder)
}

/// Not a test of its own: an instance.
#[test]
fn scripted_function() {
    let Ok(runtime_api) = std::env::var("AWS_LAMBDA_RUNTIME_API") else { return };
    match std::env::var("INIT").as_deref() {
        Ok("exits") => std::process::exit(3),
        Ok("reports") => {
            let report = r#"{"errorType":"Config","errorMessage":"DATABASE_HOST is missing"}"#;
            call(&runtime_api, "POST", "/2018-06-01/runtime/init/error", report);
            std::process::exit(1);
        }
        _ => {}
    }
    let registered = call(&runtime_api, "POST", "/2020-01-01/extension/register", r#"{"events":[]}"#);
    assert!(registered.header("lambda-extension-identifier").is_some());
    loop {
        let next = call(&runtime_api, "GET", "/2018-06-01/runtime/invocation/next", "");
        let invocation = format!(
            "/2018-06-01/runtime/invocation/{}",
            next.header("lambda-runtime-aws-request-id").expect("an invocation has a request id")
        );
        println!("does {}", next.body);
        match next.body.as_str() {
            "exit" => std::process::exit(7),
            "panic" => {
                eprintln!("the handler panicked");
                std::process::abort();
            }
            hang if hang.starts_with("hang") => std::thread::park(),
            "fail" => {
                let report = r#"{"errorType":"Away","errorMessage":"postgres can't be reached"}"#;
                call(&runtime_api, "POST", &format!("{invocation}/error"), report);
            }
            "large" => {
                call(&runtime_api, "POST", &format!("{invocation}/response"), &"x".repeat(6 * 1024 * 1024 + 1));
            }
            "headers" => {
                call(&runtime_api, "POST", &format!("{invocation}/response"), &next.head);
            }
            other => {
                call(&runtime_api, "POST", &format!("{invocation}/response"), other);
            }
        }
    }
}

struct Answer {
    head: String,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.head.lines().filter_map(|line| line.split_once(": "));
        headers.find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// One request on a connection of its own.
fn call(runtime_api: &str, method: &str, path: &str, body: &str) -> Answer {
    let mut stream = TcpStream::connect(runtime_api).unwrap();
    let head = format!("{method} {path} HTTP/1.1\r\nHost: local\r\nContent-Length: {}\r\n\r\n", body.len());
    // A server that refuses a body may close before it has read all of it.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
    let mut reader = BufReader::new(stream);
    let mut answer = Answer { head: String::new(), body: String::new() };
    while !answer.head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut answer.head).unwrap_or(0) == 0 {
            return answer;
        }
    }
    let length = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes).unwrap();
    answer.body = String::from_utf8(bytes).unwrap();
    answer
}
