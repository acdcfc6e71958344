//! The commands without a stack, with something else in its place, and on a command line that can't be read.

use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::Router;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use local::caller::ATTEMPTS;
use tokio::net::TcpListener;

use super::processes::{Ground, ended, signal};
use super::running::{request, run_at};

const THROTTLED: (StatusCode, [(&str, &str); 1], &str) =
    (StatusCode::TOO_MANY_REQUESTS, [("x-amzn-errortype", "TooManyRequestsException")], "{}");

/// A port on which nobody listens.
async fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

/// Answers every request with what `answer` says of its number, and counts them.
async fn answering<A: IntoResponse + 'static>(answer: fn(u32) -> A) -> (String, Arc<AtomicU32>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicU32::new(0));
    let counted = asked.clone();
    let router = Router::new().fallback(move || {
        let n = counted.fetch_add(1, Ordering::Relaxed);
        async move { answer(n).into_response() }
    });
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, asked)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stack_that_is_not_running_is_said_with_how_to_start_it() {
    let endpoint = nobody().await;
    let file = [request("e1", "d"), request("e2", "d")].join("\n");
    for arguments in [
        &["send", "-"][..],
        &["send", "--json", "-"],
        &["status", "e1"],
        &["status", "device", "ios-prod", "d", "--json"],
        &["forget", "ios-prod", "d", "--yes"],
    ] {
        let ran = run_at(&endpoint, arguments, file.as_bytes()).await;
        let expected = format!("pushwake: nothing listens at {endpoint}: start a stack with `cargo run -- up`\n");
        assert!(ran.status == Some(3) && ran.err.ends_with(&expected), "{arguments:?}: {ran:?}");
        assert!(arguments[0] != "send" || ran.err.contains("0 requests sent, 1 failed, 1 not sent"), "{ran:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_throttled_is_tried_again_and_not_for_ever() {
    let (endpoint, asked) = answering(|n| match n {
        0 | 1 => THROTTLED,
        _ => (StatusCode::OK, [("x-odd", "")], r#"{"v": 1, "results": [], "wake": "not_needed"}"#),
    })
    .await;
    let ran = run_at(&endpoint, &["send", "-"], request("e", "d").as_bytes()).await;
    assert_eq!((ran.status, asked.load(Ordering::Relaxed)), (Some(0), 3), "{ran:?}");
    let (endpoint, asked) = answering(|_| THROTTLED).await;
    let ran = run_at(&endpoint, &["send", "--json", "-"], request("e", "d").as_bytes()).await;
    assert_eq!((ran.status, asked.load(Ordering::Relaxed)), (Some(1), ATTEMPTS), "{ran:?}");
    assert_eq!(ran.json()[0]["error"]["kind"], "throttled");
}

#[tokio::test(flavor = "multi_thread")]
async fn something_else_in_its_place_is_no_answer() {
    for (status, body) in [(StatusCode::OK, "<html>"), (StatusCode::NOT_FOUND, "<html>"), (StatusCode::OK, "{}")] {
        let answer: fn(u32) -> (StatusCode, &'static str) = match (status, body) {
            (StatusCode::NOT_FOUND, _) => |_| (StatusCode::NOT_FOUND, "<html>"),
            (_, "{}") => |_| (StatusCode::OK, "{}"),
            _ => |_| (StatusCode::OK, "<html>"),
        };
        let (endpoint, _) = answering(answer).await;
        for arguments in [&["send", "-"][..], &["status", "e"], &["forget", "ios-prod", "d", "--yes"]] {
            let ran = run_at(&endpoint, arguments, request("e", "d").as_bytes()).await;
            let said = format!("{}{}", ran.out, ran.err);
            assert!(ran.status == Some(1) && said.contains("the answer can't be read"), "{arguments:?}: {ran:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_command_line_is_refused_before_anything_is_asked() {
    let endpoint = nobody().await;
    for arguments in [
        &["send"][..],
        &["send", "--concurrency", "0", "-"],
        &["send", "--endpoint", "9310", "-"],
        &["status"],
        &["status", "device"],
        &["status", "device", "a", "b", "c"],
        &["status", "event", "e", "--app", "a"],
        &["forget", "ios-prod"],
        &["forget", "ios-prod", "d"],
        &["completions", "cmd"],
    ] {
        let ran = run_at(&endpoint, arguments, b"").await;
        assert!(ran.status == Some(2) && ran.out.is_empty(), "{arguments:?}: {ran:?}");
    }
    let ran = run_at("9310", &["status", "e"], b"").await;
    assert!(ran.status == Some(2) && ran.err.contains("PUSHWAKE_ENDPOINT: expected a URL"), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_help_has_examples_and_exit_statuses_and_shells_can_complete() {
    let endpoint = nobody().await;
    for command in ["send", "status", "forget"] {
        let help = run_at(&endpoint, &[command, "--help"], b"").await;
        let has = |what: &str| help.out.contains(what);
        assert!(help.status == Some(0) && has("Examples:") && has("3    no stack is running"), "{}", help.out);
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run_at(&endpoint, &["completions", shell], b"").await;
        assert!(script.status == Some(0) && script.out.contains("forget"), "{script:?}");
    }
}

#[test]
fn an_interrupt_ends_a_send_that_waits_for_its_input() {
    let mut send = Ground::new().pushwake(&["send", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    signal(send.id(), "-INT");
    let ended = ended(&mut send);
    // As a shell says it, or before it could say so itself.
    assert!(ended.code() == Some(130) || ended.signal() == Some(2), "{ended:?}");
}
