//! Schedule, through its binary.

use std::time::{Duration, Instant};

use local::runtime_api::Invocation;
use local::sqs::Fault;
use local::stack::{Stack, WAKES};
use pushwake::limits;
use pushwake::wake::{Wake, Why};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::log_lines::log_lines;
use crate::stack;

async fn connect(stack: &Stack) -> PgConnection {
    PgConnection::connect_with(&stack.connect_options()).await.expect("the test's own connection")
}

async fn execute(connection: &mut PgConnection, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await.expect(sql);
}

/// Queues one notification for each of `devices` devices, past enqueue and its wake, as if that was lost. `due` and
/// `expires` are seconds from now.
async fn plant(stack: &Stack, devices: usize, due: i32, expires: i32) {
    let sql = format!(
        "with queued as (
            insert into notifications
                (app, device, source, event, kind, format, payload, target, send_at, expires_at)
            select 'ios', gen_random_uuid(), 'shop', 'e', 'alert', 1, '{{}}', '{{}}',
                now() + interval '{due} s', now() + interval '{expires} s'
            from generate_series(1, {devices})
            returning seq, app, device, send_at
        )
        insert into lanes (app, device, head, head_at, due_at)
        select app, device, seq, send_at, send_at from queued"
    );
    execute(&mut connect(stack).await, &sql).await;
}

async fn run(stack: &Stack) -> Value {
    stack.run_schedule().await.json().expect("a run that succeeds")
}

/// What the one line of the log says, an error.
async fn only_error(stack: &Stack) -> String {
    let log = log_lines(&stack.schedule, 1).await;
    assert!(log.len() == 1 && log[0]["level"] == "ERROR", "{log:?}");
    log[0]["error"].as_str().expect("its error").to_owned()
}

#[tokio::test]
async fn c20_what_is_due_gets_a_wake_per_drain_whatever_became_of_its_own() {
    let stack = stack(&[]).await;
    assert_eq!(run(&stack).await["wake_posted"], 0, "nothing is due");
    plant(&stack, 3, -10, 300).await;
    let three = run(&stack).await;
    assert_eq!((&three["due"], &three["wake_posted"]), (&json!(3), &json!(3)));
    plant(&stack, 50, 0, 300).await;
    assert_eq!(run(&stack).await["wake_posted"], limits::DRAINS);
    let sent = stack.sqs.sent(WAKES);
    assert_eq!(sent.len(), 3 + limits::DRAINS);
    assert!(sent.iter().all(|sent| Wake::read(&sent.body) == Some(Wake::first(Why::TopUp))));
    assert!(sent.iter().all(|sent| sent.delay.is_zero()));
    let scheduled = log_lines(&stack.schedule, 3).await;
    assert_eq!(scheduled.len(), 3, "one line a run: {scheduled:?}");
    assert!(scheduled.iter().all(|line| line["message"] == "scheduled"), "{scheduled:?}");
    assert!(scheduled[2]["oldest_seconds"].as_u64() >= Some(10), "{scheduled:?}");
    stack.stop().await.expect("the stack stops");
}

#[tokio::test]
async fn c23_what_falls_due_before_the_next_run_gets_a_delayed_wake() {
    let stack = stack(&[]).await;
    plant(&stack, 5, 3_600, 7_200).await;
    assert_eq!(run(&stack).await["wake_posted"], 0, "the next runs see to it");
    plant(&stack, 5, 30, 300).await;
    let scheduled = run(&stack).await;
    assert_eq!((&scheduled["wake_posted"], &scheduled["delayed"]), (&json!(1), &json!(true)));
    let delay = stack.sqs.sent(WAKES)[0].delay;
    assert!((Duration::from_secs(20)..=Duration::from_secs(30)).contains(&delay), "{delay:?}");
    stack.stop().await.expect("the stack stops");
}

#[tokio::test]
async fn c34_a_long_run_and_another_beside_it_prune_once_and_post_at_most_two_sets_of_wakes() {
    let stack = stack(&[]).await;
    plant(&stack, 100, -20, -1).await;
    plant(&stack, 40, 0, 300).await;
    // The first run waits behind this lock, in the middle of its prune.
    let mut lock = connect(&stack).await;
    execute(&mut lock, "begin; lock table receipts in access exclusive mode").await;
    let (first, second) = tokio::join!(run(&stack), async {
        until_blocked(&mut connect(&stack).await).await;
        let second = run(&stack).await;
        execute(&mut lock, "rollback").await;
        second
    });
    assert_eq!((&first["expired"], &first["busy"]), (&json!(100), &json!(false)));
    assert_eq!((&second["expired"], &second["busy"]), (&json!(0), &json!(true)));
    assert_eq!(stack.sqs.sent(WAKES).len(), 2 * limits::DRAINS);
    let mut test = connect(&stack).await;
    let left: i64 = sqlx::query_scalar("select count(*) from notifications").fetch_one(&mut test).await.expect("rows");
    assert_eq!(left, 40);
    let log = log_lines(&stack.schedule, 2).await;
    assert!(log.len() == 2 && log.iter().all(|line| line["level"] == "INFO"), "{log:?}");
    stack.stop().await.expect("the stack stops");
}

/// Waits until schedule waits for a lock.
async fn until_blocked(connection: &mut PgConnection) {
    let blocked = "select exists (select from pg_stat_activity where datname = current_database()
        and application_name = 'schedule' and wait_event_type = 'Lock')";
    let waited = tokio::time::timeout(Duration::from_mins(1), async {
        while !sqlx::query_scalar::<_, bool>(blocked).fetch_one(&mut *connection).await.expect(blocked) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    waited.await.expect("schedule waits");
}

#[tokio::test]
async fn c34_two_runs_at_once_do_no_harm() {
    let stack = stack(&[]).await;
    plant(&stack, 5_000, -20, -1).await;
    plant(&stack, 40, 0, 300).await;
    let (one, other) = tokio::join!(run(&stack), run(&stack));
    let expired = [&one, &other].iter().filter_map(|run| run["expired"].as_u64()).sum::<u64>();
    assert!((one["busy"] == true || other["busy"] == true) || expired == 5_000, "{one} {other}");
    assert!(stack.sqs.sent(WAKES).len() <= 2 * limits::DRAINS);
    // Whoever found the other one busy left the rest to it, or to the next run.
    run(&stack).await;
    let mut test = connect(&stack).await;
    let left: i64 = sqlx::query_scalar("select count(*) from notifications").fetch_one(&mut test).await.expect("rows");
    assert_eq!(left, 40);
    stack.stop().await.expect("the stack stops");
}

#[tokio::test]
async fn a_prune_that_fails_does_not_cost_the_top_up() {
    let stack = stack(&[]).await;
    plant(&stack, 2, 0, 300).await;
    execute(&mut connect(&stack).await, "alter table receipts rename to elsewhere").await;
    let failed = stack.run_schedule().await;
    assert!(matches!(&failed, Invocation::FunctionError { message, .. } if message.contains("receipts")), "{failed:?}");
    assert!(only_error(&stack).await.contains("receipts"));
    assert_eq!(stack.sqs.sent(WAKES).len(), 2);
    stack.stop().await.expect("the stack stops");
}

#[tokio::test]
async fn c20_wakes_that_can_not_be_posted_are_one_error_in_time_and_the_next_run_posts_them() {
    let stack = stack(&[]).await;
    plant(&stack, 40, 0, 300).await;
    stack.sqs.set_fault(Some(Fault::Hang));
    let start = Instant::now();
    let failed = stack.run_schedule().await;
    let took = start.elapsed();
    assert!(
        matches!(&failed, Invocation::FunctionError { message, .. } if message.starts_with("12 of 12 wakes failed"))
    );
    assert!(took < 2 * limits::WAKE_POST + Duration::from_secs(3), "the posts are concurrent: {took:?}");
    only_error(&stack).await;
    stack.sqs.set_fault(None);
    assert_eq!(run(&stack).await["wake_posted"], limits::DRAINS);
    stack.stop().await.expect("the stack stops");
}
