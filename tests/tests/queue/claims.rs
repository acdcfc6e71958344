//! What a claim leases, and what it reads of it.

use pushwake::contract::AppId;
use pushwake::limits::LEASE;
use pushwake::queue::{Claim, Claimed, Finished, Found, Step, Want};
use tests::barrier::{Held, until_blocked};
use tests::database::{Database, queue_over};
use tests::drive::{self, APP, batch, claim, complete, event, finished, head, heads};

#[tokio::test]
async fn a_claim_leases_the_head_and_reads_what_was_queued() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let head = head(&queue).await;
    assert_eq!((head.attempts, head.unanswered), (1, 1));
    let Found::Live(found) = head.found else { panic!("live") };
    assert_eq!((found.event.as_str(), found.kind.as_str()), ("E1", "alert"));
    assert_eq!(found.payload, batch("E1", &[]).payload);
    assert!(heads(&queue, 10).await.is_empty(), "a leased lane is not claimed again");
}

#[tokio::test]
async fn a_claim_takes_no_more_than_it_was_asked_for_and_says_when_it_was_full() {
    let database = Database::new().await;
    let queue = database.queue(1);
    let devices: Vec<String> = (0..10).map(|n| format!("d{n}")).collect();
    queue.enqueue(&batch("E", &devices.iter().map(String::as_str).collect::<Vec<_>>())).await.unwrap();
    let Claim::Claimed(Claimed { heads, full, .. }) = claim(&queue, 6).await else { panic!("claimed") };
    assert!(full && heads.len() == 6);
    let Claim::Claimed(Claimed { heads, full, .. }) = claim(&queue, 6).await else { panic!("claimed") };
    assert!(!full && heads.len() == 4);
}

#[tokio::test]
async fn a_lease_that_ran_out_is_claimed_with_its_attempts_counted() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let lost = head(&queue).await;
    database.end_leases().await;
    let again = head(&queue).await;
    assert_eq!((again.attempts, again.unanswered), (2, 2), "the first one never answered");
    assert_ne!(again.lease.token, lost.lease.token);
}

#[tokio::test]
async fn c41_a_late_finish_of_a_lost_lease_changes_nothing() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    let late = head(&queue).await;
    database.end_leases().await;
    let owner = head(&queue).await;
    assert_eq!(finished(&queue, &late, Step::Complete).await, Finished::Lost);
    assert_eq!(database.count("select count(*) from notifications").await, 1);
    complete(&queue, &owner).await;
    assert_eq!(finished(&queue, &late, Step::Complete).await, Finished::Lost, "also when the lane is gone");
}

/// Pauses the scan of every claim on device `d` behind advisory lock 42: after the statement's snapshot, before its
/// row lock. A row security policy runs there without a hook in the product.
const PAUSED_SCAN: &str = "
    create role claimer login;
    grant all on all tables in schema public to claimer;
    create function paused(device text) returns boolean language plpgsql volatile as $$
    begin
        if device = 'd' and current_setting('application_name') = 'paused' then
            perform pg_advisory_lock_shared(42);
            perform pg_advisory_unlock_shared(42);
        end if;
        return true;
    end $$;
    alter table lanes enable row level security;
    create policy paused on lanes to claimer using (paused(device)) with check (true)";

#[tokio::test]
async fn c44_a_head_that_was_finished_between_snapshot_and_lock_is_not_sent_again() {
    let database = Database::new().await;
    database.execute(&PAUSED_SCAN.replace("claimer", &database.name)).await;
    let role = database.front().username(&database.name).application_name("paused");
    let slow = queue_over(sqlx::PgPool::connect_lazy_with(role));
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    drive::queue(&queue, "E2", "d").await;
    // late, but not lost yet: nobody else has claimed the lane
    let late = head(&queue).await;
    database.end_leases().await;

    let barrier = Held::new(&database, "select pg_advisory_xact_lock(42)").await;
    let claiming = tokio::spawn(async move { heads(&slow, 1).await });
    until_blocked(&database.pool, "paused").await;
    complete(&queue, &late).await;
    barrier.commit().await;

    let claimed = claiming.await.unwrap();
    assert_eq!(claimed.len(), 1);
    assert_eq!(event(&claimed[0]), "E2", "the head it read is the one the lane has now");
    assert_eq!(claimed[0].attempts, 1, "and its attempts are its own");
}

#[tokio::test]
async fn a_token_is_new_for_every_claim_and_a_lease_lasts_as_the_limits_say() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    head(&queue).await;
    let seconds =
        database.count("select round(extract(epoch from lease_until - clock_timestamp()))::bigint from lanes").await;
    assert!((seconds - LEASE.as_secs() as i64).abs() <= 2, "{seconds}");
}

#[tokio::test]
async fn apps_share_a_claim_and_one_that_is_quiet_leaves_its_places() {
    let database = Database::new().await;
    let queue = database.queue(1);
    for n in 0..20 {
        let mut busy = batch(&format!("E{n}"), &[]);
        busy.devices = vec![drive::device("busy", &format!("d{n}"))];
        queue.enqueue(&busy).await.unwrap();
    }
    let mut quiet = batch("E", &[]);
    quiet.devices = vec![drive::device("quiet", "d")];
    queue.enqueue(&quiet).await.unwrap();
    let apps: Vec<AppId> = vec!["busy".into(), "quiet".into(), "silent".into()];
    for turn in 0..2 {
        let claimed = queue.claim(&Want { apps: &apps, n: 9, turn, probe: false }).await.unwrap();
        let Claim::Claimed(Claimed { heads, .. }) = claimed else { panic!("claimed") };
        assert_eq!(heads.len(), 9, "what the quiet apps leave is given to the busy one");
        assert_eq!(heads.iter().any(|head| head.lease.app.as_str() == "quiet"), turn == 0);
    }
}

#[tokio::test]
async fn an_app_that_is_not_wanted_is_not_claimed() {
    let database = Database::new().await;
    let queue = database.queue(1);
    let mut other = batch("E", &[]);
    other.devices = vec![drive::device("other", "d")];
    queue.enqueue(&other).await.unwrap();
    assert!(matches!(claim(&queue, 8).await, Claim::Empty));
    assert!(matches!(queue.claim(&Want { apps: &[], n: 8, turn: 0, probe: false }).await.unwrap(), Claim::Empty));
    assert_eq!(APP, "ios-prod");
}

#[tokio::test]
async fn c61_a_row_in_a_newer_format_is_left_to_a_newer_drain() {
    let database = Database::new().await;
    let queue = database.queue(1);
    drive::queue(&queue, "E1", "d").await;
    database.execute("update notifications set format = 2").await;
    let head = head(&queue).await;
    assert!(matches!(head.found, Found::Newer(2)));
    let released = finished(&queue, &head, Step::Release { after: std::time::Duration::from_secs(30) }).await;
    assert!(matches!(released, Finished::Done { released: false, .. }));
    assert_eq!(database.count("select (attempts + unanswered)::bigint from lanes").await, 0, "no attempt is spent");
    assert_eq!(database.count("select count(*) from notifications").await, 1, "and nothing discarded");
}
