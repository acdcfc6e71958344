//! The Runtime API runs real processes as Lambda does.

mod scripted;

use std::process::Command;
use std::time::Duration;

use local::runtime_api::{Invocation, Stream};
use scripted::function;

/// Long enough for a busy machine.
const SOON: Duration = Duration::from_secs(30);

fn ok(text: &str) -> Invocation {
    Invocation::Ok(text.to_owned().into())
}

/// The state that `ps` shows: `T` is stopped, nothing is gone.
fn state(pid: u32) -> String {
    let said = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().unwrap().stdout;
    String::from_utf8(said).unwrap().trim().to_owned()
}

#[tokio::test]
async fn an_idle_instance_is_frozen_and_used_again() {
    let (function, _folder) = function(|_| ());
    assert_eq!(function.invoke("one").await, ok("one"));
    let pids = function.pids();
    assert!(state(pids[0]).starts_with('T'), "it is not stopped: {}", state(pids[0]));
    assert_eq!(function.invoke("two").await, ok("two"));
    assert_eq!(function.pids(), pids);
    let counts = function.counts();
    assert_eq!((counts.cold, counts.warm, counts.answered), (1, 1, 2));
    function.shutdown().await;
    assert_eq!((state(pids[0]).as_str(), function.pids().len()), ("", 0));
    assert_eq!(function.invoke("three").await, Invocation::Throttled);
}

#[tokio::test]
async fn the_headers_of_an_invocation_are_lambdas() {
    let (function, _folder) = function(|settings| settings.freeze = false);
    let headers = function.invoke("headers").await.answer().unwrap();
    let headers = String::from_utf8(headers.to_vec()).unwrap().to_lowercase();
    for name in ["aws-request-id", "deadline-ms", "invoked-function-arn", "trace-id"] {
        assert!(headers.contains(&format!("lambda-runtime-{name}: ")), "{name} is missing: {headers}");
    }
    assert!(headers.contains("arn:aws:lambda:eu-central-1:000000000000:function:scripted"));
}

#[tokio::test]
async fn an_invocation_over_its_time_is_killed_and_its_instance_replaced() {
    let (function, _folder) = function(|settings| settings.timeout = Duration::from_secs(2));
    assert_eq!(function.invoke("one").await, ok("one"));
    let pid = function.pids()[0];
    assert_eq!(function.invoke("hang").await, Invocation::TimedOut);
    assert_eq!(state(pid), "");
    assert_eq!(function.invoke("two").await, ok("two"));
    assert_eq!(function.counts().cold, 2);
}

#[tokio::test]
async fn a_crash_is_reported_with_its_last_words_and_the_instance_replaced() {
    let (function, _folder) = function(|_| ());
    let Invocation::Crashed { status } = function.invoke("panic").await else { panic!("it did not crash") };
    assert!(status.contains("signal: 6") && status.contains("the handler panicked"), "{status}");
    let Invocation::Crashed { status } = function.invoke("exit").await else { panic!("it did not crash") };
    assert!(status.contains("exit status: 7"), "{status}");
    assert_eq!(function.invoke("two").await, ok("two"));
    let counts = function.counts();
    assert_eq!((counts.cold, counts.crashed, counts.answered), (3, 2, 1));
}

#[tokio::test]
async fn an_error_is_an_answer_and_the_instance_lives_on() {
    let (function, _folder) = function(|_| ());
    let away = Invocation::FunctionError { kind: "Away".into(), message: "postgres can't be reached".into() };
    assert_eq!(function.invoke("fail").await, away);
    let Invocation::FunctionError { kind, .. } = function.invoke("large").await else { panic!("it was accepted") };
    assert_eq!(kind, "Function.ResponseSizeTooLarge");
    assert_eq!(function.invoke("two").await, ok("two"));
    assert_eq!(function.counts().cold, 1);
}

#[tokio::test]
async fn an_instance_that_can_not_start_says_why() {
    let init = |how: &str| vec![("INIT".to_owned(), how.to_owned())];
    let (exits, _folder) = function(|settings| settings.environment = init("exits"));
    let Invocation::InitError { message } = exits.invoke("one").await else { panic!("it started") };
    assert!(message.contains("exit status: 3"), "{message}");
    let (reports, _folder) = function(|settings| settings.environment = init("reports"));
    let message = "Config: DATABASE_HOST is missing".to_owned();
    assert_eq!(reports.invoke("one").await, Invocation::InitError { message });
    let (missing, _folder) = function(|settings| settings.binary = "/nowhere/drain".into());
    let Invocation::InitError { message } = missing.invoke("one").await else { panic!("it started") };
    assert!(message.contains("/nowhere/drain"), "{message}");
    assert_eq!(missing.pids().len() + exits.pids().len() + reports.pids().len(), 0);
}

#[tokio::test]
async fn instances_are_started_up_to_the_concurrency_and_no_further() {
    let (function, _folder) = function(|settings| settings.concurrency = 2);
    let hanging = [tokio::spawn(invoke(&function, "hang a")), tokio::spawn(invoke(&function, "hang b"))];
    for taken in ["does hang a", "does hang b"] {
        assert!(function.output().wait_for(SOON, |line| line.text == taken).await.is_some());
    }
    assert_eq!(function.invoke("three").await, Invocation::Throttled);
    // One that is killed in an invocation makes room.
    let killed = function.kill_one().await.unwrap();
    assert!(!function.pids().contains(&killed));
    assert_eq!(function.invoke("three").await, ok("three"));
    function.shutdown().await;
    for hanging in hanging {
        assert!(matches!(hanging.await.unwrap(), Invocation::Crashed { .. }));
    }
    assert_eq!(function.counts().peak, 2);
}

fn invoke(function: &local::runtime_api::Function, payload: &'static str) -> impl Future<Output = Invocation> + use<> {
    let function = function.clone();
    async move { function.invoke(payload).await }
}

#[tokio::test]
async fn a_suspended_instance_goes_on_when_it_is_resumed() {
    let (function, _folder) = function(|settings| settings.freeze = false);
    assert_eq!(function.invoke("one").await, ok("one"));
    let pid = function.pids()[0];
    function.suspend(pid).unwrap();
    let waiting = tokio::spawn(invoke(&function, "two"));
    // An invocation continues its instance, as it does a frozen one.
    assert_eq!(waiting.await.unwrap(), ok("two"));
    function.suspend(pid).unwrap();
    function.resume(pid).unwrap();
    assert!(function.suspend(1).is_err(), "only instances are suspended");
    function.retire_idle().await;
    assert_eq!(function.invoke("three").await, ok("three"));
    assert_eq!(function.counts().cold, 2);
}

#[tokio::test]
async fn an_instance_that_is_idle_for_long_is_ended() {
    let (function, _folder) = function(|settings| settings.idle_for = Some(Duration::from_millis(50)));
    assert_eq!(function.invoke("one").await, ok("one"));
    let deadline = tokio::time::Instant::now() + SOON;
    while !function.pids().is_empty() {
        assert!(tokio::time::Instant::now() < deadline, "it is still there");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let lines = function.output().lines();
    assert!(lines.iter().any(|line| line.stream == Stream::Out && line.text == "does one"));
}
