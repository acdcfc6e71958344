use drain::clock::DatabaseClock;
use drain::outcome::Outcome;
use local::fcm::{Options, Reply};
use time::OffsetDateTime;

use super::rig::{Rig, send, start_send};
use crate::rig::{Client, named};

/// The same client while the database's clock shows `minutes` from now.
fn at(client: &Client, minutes: i64) -> Client {
    let mut client = client.clone();
    client.clock = DatabaseClock::showing(OffsetDateTime::now_utc() + time::Duration::minutes(minutes));
    client
}

#[tokio::test]
async fn twelve_sends_at_once_ask_for_one_access_token() {
    let rig = Rig::start(Options::default()).await;
    rig.server.mint_gate().close();
    let sends: Vec<_> = (0..12).map(|i| start_send(&rig.client, &format!("token-{i}"), 1)).collect();
    rig.server.wait_for_mint_requests(1).await;
    rig.server.mint_gate().open();
    for send in sends {
        assert_eq!(send.await.expect("no panic").outcome, Outcome::Delivered);
    }
    assert_eq!((rig.server.mint_requests(), rig.server.mints(), rig.server.tally().delivered), (1, 1, 12));
}

#[tokio::test]
async fn whoever_waits_first_is_not_needed_for_the_others() {
    let rig = Rig::start(Options::default()).await;
    rig.server.mint_gate().close();
    let first = start_send(&rig.client, "token-1", 1);
    rig.server.wait_for_mint_requests(1).await;
    let second = start_send(&rig.client, "token-2", 1);
    first.abort();
    assert!(first.await.expect_err("aborted").is_cancelled());
    rig.server.mint_gate().open();
    assert_eq!(second.await.expect("no panic").outcome, Outcome::Delivered);
    assert_eq!(rig.server.mint_requests(), 1);
}

#[tokio::test]
async fn a_token_is_replaced_before_its_end_by_the_databases_clock() {
    let rig = Rig::start(Options::default()).await;
    for (minutes, mints) in [(-57, 1), (-3, 1), (-1, 2), (0, 2)] {
        let client = at(&rig.client, minutes);
        assert_eq!(send(&client, "token-1", 1).await.outcome, Outcome::Delivered);
        assert_eq!(rig.server.mints(), mints, "{} min after the first", minutes + 57);
    }
}

#[tokio::test]
async fn while_the_old_token_is_valid_a_failing_endpoint_hurts_nobody() {
    let rig = Rig::start(Options::default()).await;
    assert_eq!(send(&rig.client, "token-1", 1).await.outcome, Outcome::Delivered);
    rig.server.script_mints([Reply::raw(503, "").retry_after("60")]);
    let late = at(&rig.client, 56);
    for n in 2..=9 {
        assert_eq!(send(&late, "token-1", n).await.outcome, Outcome::Delivered);
    }
    assert_eq!(rig.server.mint_requests(), 2, "and it is left alone as long as it asked for");
}

#[tokio::test]
async fn a_refused_token_is_replaced_once_and_the_notification_resent_once() {
    let rig = Rig::start(Options::default()).await;
    assert_eq!(send(&rig.client, "token-1", 1).await.outcome, Outcome::Delivered);
    rig.server.revoke_tokens();
    assert_eq!(send(&rig.client, "token-1", 2).await.outcome, Outcome::Delivered);
    assert_eq!((rig.server.mints(), rig.server.requests_of("token-1").len()), (2, 3));

    rig.server.script("token-2", [Reply::without_detail(401), Reply::without_detail(401)]);
    assert_eq!(named(&send(&rig.client, "token-2", 1).await.outcome), ("misconfigured", "UNAUTHENTICATED"));
    assert_eq!((rig.server.mints(), rig.server.requests_of("token-2").len()), (3, 2));
}

#[tokio::test]
async fn sends_that_meet_the_same_refused_token_share_its_replacement() {
    let rig = Rig::start(Options::default()).await;
    assert_eq!(send(&rig.client, "token-0", 1).await.outcome, Outcome::Delivered);
    rig.server.revoke_tokens();
    let sends: Vec<_> = (1..=40).map(|i| start_send(&rig.client, &format!("token-{i}"), 1)).collect();
    for send in sends {
        assert_eq!(send.await.expect("no panic").outcome, Outcome::Delivered);
    }
    assert_eq!(rig.server.mints(), 2);
}

#[tokio::test]
async fn c18_a_database_an_hour_ahead_of_google_gets_no_token_and_keeps_its_rows() {
    let rig = Rig::start(Options::default()).await;
    let ahead = at(&rig.client, 60);
    assert_eq!(named(&send(&ahead, "token-1", 1).await.outcome), ("misconfigured", "invalid_grant"));
    assert_eq!(rig.server.tally().requests, 0);
}
