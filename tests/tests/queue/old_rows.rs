//! Old rows: never before fresh ones, never hidden.

use pushwake::limits::OLD_SHARE;
use pushwake::queue::{Found, Head, Step};
use tests::database::Database;
use tests::drive::{self, batch, complete, event, finish, heads};

/// `n` expired lanes that have been due for longer than the TTL.
async fn plant_expired(database: &Database, n: usize) {
    database
        .execute(&format!(
            "insert into notifications (app, device, source, event, kind, format, payload, target, send_at, expires_at)
             select 'ios-prod', 'dead-' || n, 'tests', 'old', 'alert', 1, '{{}}', '{{}}',
                 now() - interval '1 hour' - n * interval '1 ms', now() - interval '50 min'
             from generate_series(1, {n}) as n;
             insert into lanes (app, device, head, head_at, due_at)
             select app, device, seq, send_at, send_at from notifications where event = 'old'"
        ))
        .await;
}

fn old(heads: &[Head]) -> usize {
    heads.iter().filter(|head| matches!(head.found, Found::Expired(_))).count()
}

#[tokio::test]
async fn c53_a_dead_backlog_takes_an_eighth_of_a_claim_at_most_while_there_is_fresh_work() {
    let database = Database::new().await;
    plant_expired(&database, 10_000).await;
    let queue = database.queue(1);
    for call in 0..2 {
        let devices: Vec<String> = (0..100).map(|n| format!("fresh-{call}-{n}")).collect();
        queue.enqueue(&batch("E", &devices.iter().map(String::as_str).collect::<Vec<_>>())).await.unwrap();
    }
    for n in [84, 21, 8, 3] {
        let claimed = heads(&queue, n).await;
        assert_eq!(claimed.len(), n);
        assert_eq!(old(&claimed), n.div_ceil(OLD_SHARE), "of {n}");
    }
}

#[tokio::test]
async fn c53_when_the_fresh_rows_end_the_rest_of_a_claim_is_old_rows() {
    let database = Database::new().await;
    plant_expired(&database, 200).await;
    let queue = database.queue(1);
    drive::queue(&queue, "E", "fresh").await;
    let claimed = heads(&queue, 84).await;
    assert_eq!((claimed.len(), old(&claimed)), (84, 83));
}

#[tokio::test]
async fn a_single_place_goes_to_fresh_rows_at_seven_turns_of_eight() {
    let database = Database::new().await;
    plant_expired(&database, 20).await;
    let queue = database.queue(1);
    let devices: Vec<String> = (0..20).map(|n| format!("fresh-{n}")).collect();
    queue.enqueue(&batch("E", &devices.iter().map(String::as_str).collect::<Vec<_>>())).await.unwrap();
    let apps = [drive::APP.into()];
    let mut expired = 0;
    for turn in 0..16 {
        let want = pushwake::queue::Want { apps: &apps, n: 1, turn, probe: false };
        let pushwake::queue::Claim::Claimed(claimed) = queue.claim(&want).await.unwrap() else { panic!("claimed") };
        expired += old(&claimed.heads);
    }
    assert_eq!(expired, 2, "nothing starves: neither the fresh rows nor the old ones");
}

#[tokio::test]
async fn c55_a_long_lived_row_behind_a_head_that_was_retried_for_eleven_minutes_is_claimed() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let mut long = batch("E2", &["d"]);
    long.expires_at = Some(drive::from_now(12 * 3600));
    queue.enqueue(&long).await.unwrap();
    database
        .execute(
            "update notifications set send_at = send_at - interval '11 min';
             update notifications set expires_at = send_at + interval '5 min' where event = 'E1';
             update lanes set head_at = head_at - interval '11 min', tail_at = tail_at - interval '11 min',
                 due_at = now() - interval '1 s', attempts = 20",
        )
        .await;
    let dead = heads(&queue, 8).await;
    assert!(matches!(dead[0].found, Found::Expired(_)));
    queue.finish(&[finish(&dead[0], Step::Expire)]).await.unwrap();
    let next = heads(&queue, 8).await;
    assert_eq!(event(&next[0]), "E2");
    assert!(matches!(next[0].found, Found::Live(_)), "without waiting for prune");
}

#[tokio::test]
async fn c55_a_row_that_waited_out_a_pause_of_eleven_minutes_is_claimed() {
    let database = Database::new().await;
    let queue = database.queue(1);
    let mut long = batch("E", &["d"]);
    long.expires_at = Some(drive::from_now(3600));
    queue.enqueue(&long).await.unwrap();
    queue.pause(&drive::APP.into(), "down", None).await.unwrap();
    database
        .execute(
            "update notifications set send_at = send_at - interval '11 min';
             update lanes set head_at = head_at - interval '11 min', due_at = due_at - interval '11 min'",
        )
        .await;
    assert!(heads(&queue, 8).await.is_empty(), "paused");
    queue.resume(&drive::APP.into()).await.unwrap();
    assert!(matches!(heads(&queue, 8).await[0].found, Found::Live(_)));
}

#[tokio::test]
async fn c55_a_scheduled_row_that_comes_due_behind_a_dead_head_is_claimed() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let mut scheduled = batch("E2", &["d"]);
    scheduled.send_at = Some(drive::from_now(600));
    queue.enqueue(&scheduled).await.unwrap();
    // eleven minutes pass
    database
        .execute(
            "update notifications set send_at = send_at - interval '11 min', expires_at = expires_at - interval '11 min';
             update lanes set head_at = head_at - interval '11 min', due_at = due_at - interval '11 min',
                 tail_at = tail_at - interval '11 min'",
        )
        .await;
    let dead = heads(&queue, 8).await;
    assert!(matches!(dead[0].found, Found::Expired(_)));
    queue.finish(&[finish(&dead[0], Step::Expire)]).await.unwrap();
    let next = heads(&queue, 8).await;
    assert_eq!(event(&next[0]), "E2");
    complete(&queue, &next[0]).await;
}

#[tokio::test]
async fn an_expired_head_takes_the_expired_rows_behind_it_along() {
    let database = Database::new().await;
    let queue = database.queue(1);
    for n in 0..6 {
        drive::queue(&queue, &format!("E{n}"), "d").await;
    }
    database.execute("update notifications set expires_at = now() - interval '1 s' where event <> 'E5'").await;
    let dead = heads(&queue, 1).await;
    let finished = queue.finish(&[finish(&dead[0], Step::Expire)]).await.unwrap();
    assert_eq!(finished, [pushwake::queue::Finished::Done { released: true, also_expired: 4, dismissed: false }]);
    assert_eq!(event(&heads(&queue, 1).await[0]), "E5");
}
