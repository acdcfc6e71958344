//! Pauses: shared by all drains, growing, with one probe at a time.

use std::time::Duration;

use pushwake::contract::AppId;
use pushwake::limits::{LEASE, PAUSE_FIRST, PAUSE_LONGEST};
use pushwake::queue::{Claim, Probe, Want};
use tests::database::Database;
use tests::drive::{self, APP, batch, heads};

const OVER: &str = "update pauses set until = now() - interval '1 s', probe_until = '-infinity'";

fn ours() -> Probe {
    Probe::Ours { reason: "BadTopic".to_owned() }
}

async fn paused() -> (Database, AppId) {
    let database = Database::new().await;
    drive::queue(&database.queue(1), "E", "d").await;
    let app = AppId::from(APP);
    database.queue(1).pause(&app, "BadTopic", None).await.unwrap();
    (database, app)
}

#[tokio::test]
async fn a_paused_app_is_not_claimed_and_the_others_are() {
    let (database, _) = paused().await;
    let queue = database.queue(1);
    assert!(heads(&queue, 8).await.is_empty());
    let mut other = batch("E", &[]);
    other.devices = vec![drive::device("other", "d")];
    queue.enqueue(&other).await.unwrap();
    let apps = [AppId::from(APP), "other".into()];
    let Claim::Claimed(claimed) = queue.claim(&Want { apps: &apps, n: 8, turn: 0, probe: false }).await.unwrap() else {
        panic!("claimed")
    };
    assert_eq!(claimed.heads.len(), 1);
    assert_eq!(queue.backlog(None).await.unwrap().due, 0, "nor is it work for a top-up");
}

#[tokio::test]
async fn a_pause_whose_time_is_over_has_one_probe() {
    let (database, app) = paused().await;
    let queue = database.queue(1);
    assert_eq!(queue.take_probe(&app).await.unwrap(), Probe::NotOurs, "not yet");
    database.execute(OVER).await;
    assert!(heads(&queue, 8).await.is_empty(), "without the probe nothing is claimed");
    assert_eq!(queue.backlog(None).await.unwrap().due, 1, "but there is work for one probe");
    assert_eq!(queue.take_probe(&app).await.unwrap(), ours());
    assert_eq!(queue.take_probe(&app).await.unwrap(), Probe::NotOurs);
    let want = Want { apps: std::slice::from_ref(&app), n: 1, turn: 0, probe: true };
    assert!(matches!(queue.claim(&want).await.unwrap(), Claim::Claimed(_)));
    queue.resume(&app).await.unwrap();
    drive::queue(&queue, "F", "e").await;
    assert_eq!(heads(&queue, 8).await.len(), 1);
}

#[tokio::test]
async fn a_probe_that_is_given_back_or_never_reported_is_free_again() {
    let (database, app) = paused().await;
    let queue = database.queue(1);
    database.execute(OVER).await;
    assert_eq!(queue.take_probe(&app).await.unwrap(), ours());
    queue.give_probe_back(&app).await.unwrap();
    assert_eq!(queue.take_probe(&app).await.unwrap(), ours());
    let next = queue.backlog(None).await.unwrap().next.unwrap();
    assert!(next <= LEASE && next > LEASE / 2, "a drain looks again when the probe is overdue: {next:?}");
    database.execute("update pauses set probe_until = now() - interval '1 s'").await;
    assert_eq!(queue.take_probe(&app).await.unwrap(), ours());
}

#[tokio::test]
async fn a_pause_grows_when_its_probe_fails_and_not_with_every_failure() {
    let (database, app) = paused().await;
    let queue = database.queue(1);
    for _ in 0..84 {
        queue.pause(&app, "BadTopic", None).await.unwrap();
    }
    let near = |is: Duration, should: Duration| is <= should && is + Duration::from_secs(3) > should;
    assert!(near(queue.pause(&app, "BadTopic", None).await.unwrap(), PAUSE_FIRST), "a window of failures is one");
    let mut pause = PAUSE_FIRST;
    for _ in 0..10 {
        database.execute(OVER).await;
        queue.take_probe(&app).await.unwrap();
        pause = (pause * 2).min(PAUSE_LONGEST);
        let is = queue.pause(&app, "BadTopic", None).await.unwrap();
        assert!(near(is, pause), "{is:?} {pause:?}");
    }
    let at_least = queue.pause(&app, "QuotaExceeded", Some(PAUSE_LONGEST * 2)).await.unwrap();
    assert!(near(at_least, PAUSE_LONGEST * 2), "never below what the provider asked for");
}
