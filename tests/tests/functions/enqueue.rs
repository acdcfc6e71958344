//! The contract of enqueue, through its binary.

use std::time::{Duration, Instant};

use local::runtime_api::Invocation;
use local::sqs::Fault;
use local::stack::{Stack, WAKES};
use pushwake::body::apns;
use pushwake::contract::{Payload, Response, Status, WakeStatus};
use pushwake::limits;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::stack;

/// An alert about event `n` for devices `d0`, `d1`, …
fn alert(n: u32, devices: usize) -> Value {
    let device = |d| json!({"id": format!("d{d}"), "app": "ios", "token": format!("{d:064x}")});
    json!({"source": "shop", "event": format!("e{n}"), "notification": {"title": "CANARY-TITLE"},
        "devices": (0..devices).map(device).collect::<Vec<_>>()})
}

async fn call(stack: &Stack, request: &Value) -> Response {
    let answer = stack.enqueue(request).await.expect("an answer");
    serde_json::from_value(answer).expect("a response")
}

fn statuses(response: &Response) -> Vec<Status> {
    response.results.iter().map(|result| result.status).collect()
}

fn fields(response: &Response) -> Vec<Option<&str>> {
    response.results.iter().map(|result| result.field.as_deref()).collect()
}

async fn count(stack: &Stack, sql: &'static str) -> i64 {
    let mut connection = PgConnection::connect_with(&stack.connect_options()).await.expect("a connection");
    sqlx::query_scalar(sql).fetch_one(&mut connection).await.expect(sql)
}

fn hours_from_now(hours: i64) -> String {
    (OffsetDateTime::now_utc() + time::Duration::hours(hours)).format(&Rfc3339).expect("a time")
}

#[tokio::test]
async fn c30_one_bad_device_never_fails_the_others() {
    let stack = stack(&[]).await;
    let request = r#"{"source":"shop","event":"e","notification":{"title":"CANARY-TITLE"},"devices":[
        {"id":"a","app":"ios","token":"aa"},
        {"id":"b\u0000","app":"ios","token":"aa"},
        {"id":"\ud800","app":"ios","token":"aa"},
        {"id":"c","app":"gone","token":"aa"},
        {"id":"d","app":"ios","tokn":"CANARY-TOKEN"},
        {"id":"a","app":"ios","token":"bb"},
        7,
        {"id":"a","app":"ipad","token":"cc"}]}"#;
    let response: Response = stack.enqueue.invoke(request).await.json().expect("an answer");
    let (q, i) = (Status::Queued, Status::Invalid);
    assert_eq!(statuses(&response), [q, i, i, i, i, i, i, q]);
    let at = |n: usize, field: &str| Some(format!("devices[{n}]{field}"));
    let expected = [None, at(1, ".id"), at(2, ".id"), at(3, ".app"), at(4, ".tokn"), at(5, ".id"), at(6, ""), None];
    assert_eq!(fields(&response), expected.each_ref().map(Option::as_deref));
    assert_eq!(response.wake, WakeStatus::Posted);
    assert_eq!(count(&stack, "select count(*) from notifications").await, 2);
    let line =
        stack.enqueue.output().wait_for(Duration::from_secs(5), |line| line.text.contains(r#""message":"enqueue""#));
    let line: Value = serde_json::from_str(&line.await.expect("the line of the call").text).expect("JSON");
    assert_eq!((&line["queued"], &line["invalid"], &line["wake_posted"]), (&json!(2), &json!(6), &json!(1)));
    assert!(stack.enqueue.output().find(|line| line.text.contains("CANARY")).is_none());
    stack.stop().await.expect("the stack stops");
}

#[tokio::test]
async fn c26n_nul_and_surrogates_in_any_field_of_a_device_are_that_devices_alone() {
    let stack = stack(&[]).await;
    let faults = [r"\u0000", r"x\u0000x", r"\ud800", r"\udfff\ud800", r"ok\ud83d"];
    for (n, fault) in faults.iter().enumerate() {
        let request = format!(
            r#"{{"source":"shop","event":"e{n}","notification":{{"title":"t"}},"devices":[
                {{"id":"first","app":"ios","token":"aa"}},
                {{"id":"{fault}","app":"ios","token":"aa"}},
                {{"id":"a","app":"{fault}","token":"aa"}},
                {{"id":"b","app":"ios","token":"{fault}"}},
                {{"id":"c","app":"ios","token":"aa","registered_at":"{fault}"}},
                {{"id":"d","app":"ios","token":"aa","{fault}":1}},
                {{"id":"last","app":"ios","token":"aa"}}]}}"#
        );
        let response: Response = stack.enqueue.invoke(request).await.json().expect("an answer");
        let (q, i) = (Status::Queued, Status::Invalid);
        assert_eq!(statuses(&response), [q, i, i, i, i, i, q], "{fault}: {response:?}");
        assert_eq!(response.wake, if n == 0 { WakeStatus::Posted } else { WakeStatus::NotNeeded });
    }
    assert_eq!(count(&stack, "select count(*) from notifications").await, 2 * faults.len() as i64);
    stack.stop().await.expect("the stack stops");
}

#[tokio::test]
async fn c23w_at_the_moment_of_the_wake_the_rows_are_visible() {
    let stack = stack(&[]).await;
    let options = stack.connect_options();
    let (seen, mut visible) = tokio::sync::mpsc::unbounded_channel();
    stack.sqs.on_send(move |_| {
        let (options, seen) = (options.clone(), seen.clone());
        async move {
            let mut connection = PgConnection::connect_with(&options).await.expect("a connection");
            let rows: i64 = sqlx::query_scalar(
                "select count(*) from notifications where event = (select max(event) from notifications)",
            )
            .fetch_one(&mut connection)
            .await
            .expect("rows");
            seen.send(rows).expect("the test listens");
        }
    });
    for n in 1..=5 {
        assert_eq!(call(&stack, &alert(n, 500)).await.wake, WakeStatus::Posted);
        assert_eq!(visible.recv().await, Some(500), "event {n}");
        empty_lanes(&stack).await;
    }
    stack.stop().await.expect("the stack stops");
}

/// Empties the lanes, so that the next event has new heads and is woken for.
async fn empty_lanes(stack: &Stack) {
    let mut connection = PgConnection::connect_with(&stack.connect_options()).await.expect("a connection");
    sqlx::raw_sql("delete from notifications; delete from lanes").execute(&mut connection).await.expect("a delete");
}

#[tokio::test]
async fn c24_the_retry_of_a_call_answers_duplicate_and_posts_a_wake() {
    let stack = stack(&[]).await;
    assert_eq!(statuses(&call(&stack, &alert(1, 3)).await), [Status::Queued; 3]);
    let mut retry = alert(1, 4);
    retry["devices"][0]["token"] = json!("ff");
    let response = call(&stack, &retry).await;
    let d = Status::Duplicate;
    assert_eq!((statuses(&response), response.wake), (vec![d, d, d, Status::Queued], WakeStatus::Posted));
    retry["notification"]["title"] = json!("another");
    assert_eq!(statuses(&call(&stack, &retry).await), [Status::Conflict; 4]);
    assert_eq!(count(&stack, "select count(*) from notifications").await, 4);
    assert!(stack.sqs.sent(WAKES).len() >= 2);
    stack.stop().await.expect("the stack stops");
}

#[tokio::test]
async fn c20_a_wake_that_cannot_be_posted_leaves_the_answer_queued() {
    let stack = stack(&[]).await;
    for (n, fault) in [(1, Some(Fault::Fail)), (2, Some(Fault::Hang)), (3, None)] {
        stack.sqs.set_fault(fault);
        if fault.is_none() {
            stack.sqs.refuse_connections().await;
        }
        let mut request = alert(n, 2);
        request["devices"][0]["id"] = json!(format!("fresh{n}"));
        let started = Instant::now();
        let response = call(&stack, &request).await;
        assert_eq!((statuses(&response), response.wake), (vec![Status::Queued; 2], WakeStatus::Failed), "{fault:?}");
        assert!(started.elapsed() < limits::WAKE_POST + Duration::from_secs(8), "{fault:?}: {:?}", started.elapsed());
    }
    stack.sqs.accept_connections().await;
    assert_eq!(count(&stack, "select count(*) from notifications").await, 6);
    stack.stop().await.expect("the stack stops");
}

#[tokio::test]
async fn c59_a_device_that_was_not_queued_is_queued_when_the_caller_tries_again() {
    let stack = stack(&[("PUSHWAKE_SOURCE_QUOTA", "3")]).await;
    let mut expired = alert(1, 1);
    expired["expires_at"] = json!(hours_from_now(-1));
    assert_eq!(statuses(&call(&stack, &expired).await), [Status::Expired]);
    let mut invalid = alert(1, 1);
    invalid["devices"][0]["token"] = json!("x");
    assert_eq!(statuses(&call(&stack, &invalid).await), [Status::Invalid]);
    let limited = call(&stack, &alert(1, 3)).await;
    assert_eq!((statuses(&limited), limited.wake), (vec![Status::RateLimited; 3], WakeStatus::NotNeeded));
    assert_eq!(fields(&limited), [Some("source"); 3]);
    assert_eq!(statuses(&call(&stack, &alert(1, 1)).await), [Status::Queued], "what is left of the quota");
    let mut dismissal = alert(1, 3);
    dismissal["kind"] = json!("dismiss");
    dismissal["notification"] = Value::Null;
    assert_eq!(statuses(&call(&stack, &dismissal).await), [Status::Dismissed; 3], "a dismissal spends no quota");
    stack.stop().await.expect("the stack stops");
}

#[tokio::test]
async fn times_are_judged_by_the_databases_clock() {
    let stack = stack(&[]).await;
    for (field, hours, status, at_fault) in [
        ("send_at", 13, Status::Invalid, Some("send_at")),
        ("expires_at", 13, Status::Invalid, Some("expires_at")),
        ("expires_at", -1, Status::Expired, None),
        ("send_at", 11, Status::Queued, None),
    ] {
        let mut request = alert(1, 1);
        request[field] = json!(hours_from_now(hours));
        let response = call(&stack, &request).await;
        assert_eq!((statuses(&response), fields(&response)), (vec![status], vec![at_fault]), "{field} {hours}");
    }
    let wakes = stack.sqs.sent(WAKES);
    assert_eq!(wakes.iter().map(|wake| wake.delay).collect::<Vec<_>>(), [limits::WAKE_DELAY]);
    stack.stop().await.expect("the stack stops");
}

#[tokio::test]
async fn what_is_stored_is_what_drain_builds_the_body_from() {
    let stack = stack(&[]).await;
    let mut request = alert(1, 1);
    request["notification"] = json!({"badge": 0, "body": "\"é🚀\u{1}", "data": {"n": 1.5e-7, "big": u64::MAX}});
    assert_eq!(statuses(&call(&stack, &request).await), [Status::Queued]);
    let mut connection = PgConnection::connect_with(&stack.connect_options()).await.expect("a connection");
    let stored: String =
        sqlx::query_scalar("select payload::text from notifications").fetch_one(&mut connection).await.expect("a row");
    let built = apns::build(&Payload::from_json(&stored).expect("a payload")).unwrap_or_else(|error| panic!("{error}"));
    let body: Value = serde_json::from_str(&built.body).expect("JSON");
    assert_eq!(
        body,
        json!({"aps": {"alert": {"body": "\"é🚀\u{1}"}, "badge": 0}, "n": 1.5e-7, "big": u64::MAX,
            "pushwake": {"event": "e1"}})
    );
    stack.stop().await.expect("the stack stops");
}

#[tokio::test]
async fn errors_tell_a_call_to_make_again_from_one_that_will_fail_again() {
    // Nobody listens on port 1.
    let away = stack(&[("DATABASE_PORT", "1")]).await;
    for (request, expected) in [
        (alert(1, 1), "Pushwake.Unavailable"),
        (json!({"devices": []}), "Pushwake.InvalidRequest"),
        (json!("CANARY"), "Pushwake.InvalidRequest"),
    ] {
        let ended = away.enqueue(&request).await.expect_err("an error");
        let Invocation::FunctionError { kind, message } = ended else { panic!("{ended:?}") };
        assert_eq!(kind, expected, "{message}");
        assert!(!message.contains("CANARY"));
    }
    let errors = away.enqueue.output().lines().into_iter().filter(|line| line.text.contains(r#""level":"ERROR""#));
    assert_eq!(errors.count(), 3, "one line for each");
    away.stop().await.expect("the stack stops");
}

#[tokio::test]
async fn a_notification_without_an_end_lives_as_long_as_the_stack_says() {
    let lives = "select array_agg(extract(epoch from expires_at - send_at)::bigint order by seq) from notifications";
    for (configured, expected) in [(&[] as &[_], 300), (&[("DEFAULT_LIFE", "7200")], 7_200)] {
        let stack = stack(configured).await;
        let mut request = json!({"source": "shop", "event": "without", "notification": {"title": "t"},
            "devices": [{"id": "a", "app": "ios", "token": "aa"}]});
        stack.enqueue(&request).await.expect("an answer");
        request["event"] = json!("later");
        request["send_at"] = json!(hours_from_now(1));
        stack.enqueue(&request).await.expect("an answer");
        request["event"] = json!("with");
        request["expires_at"] = json!(hours_from_now(4));
        stack.enqueue(&request).await.expect("an answer");
        let mut connection = PgConnection::connect_with(&stack.connect_options()).await.expect("a connection");
        let found: Vec<i64> = sqlx::query_scalar(lives).fetch_one(&mut connection).await.expect(lives);
        assert_eq!(found[..2], [expected; 2]);
        assert!((3 * 3600 - 60..=3 * 3600).contains(&found[2]), "its own end wins: {found:?}");
        connection.close().await.expect("closed");
        stack.stop().await.expect("it stops");
    }
}
