use std::time::Duration;

use drain::clock::DatabaseClock;
use drain::outcome::Outcome;
use time::OffsetDateTime;

use super::rig::{Rig, send, target};
use crate::rig::{Client, named};

/// The same client under a database's clock that is ahead.
fn ahead(client: &Client, hours: u64) -> Client {
    let mut client = client.clone();
    client.clock = DatabaseClock::showing(OffsetDateTime::now_utc() + Duration::from_hours(hours));
    client
}

#[tokio::test]
async fn a_token_is_kept_until_an_hour_before_its_end_and_not_after_a_step_back() {
    let rig = Rig::start().await;
    let browser = rig.subscribe("ada");
    for (hours, tokens) in [(0, 1), (10, 1), (12, 2), (13, 2), (1, 3)] {
        let sent = send(&ahead(&rig.client, hours), &browser, 1).await;
        assert_eq!((sent.outcome, rig.server.distinct_tokens()), (Outcome::Delivered, tokens), "{hours} h");
    }
}

#[tokio::test]
async fn a_clock_that_is_a_day_ahead_is_our_fault_and_no_token_is_dead() {
    let rig = Rig::start().await;
    let sent = send(&ahead(&rig.client, 24), &rig.subscribe("ada"), 1).await;
    assert_eq!(named(&sent.outcome), ("misconfigured", "BadJwtToken"));
}

/// A subscription of another key pair, such as one from before the key was changed.
#[tokio::test]
async fn a_key_that_no_push_was_taken_with_is_misconfigured_and_one_that_works_is_not() {
    let rig = Rig::start().await;
    let strangers = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
    let old = target(rig.server.subscribe_for("old", strangers));
    let refused = send(&rig.client, &old, 1).await.outcome;
    assert_eq!(refused, Outcome::Misconfigured { reason: "VapidPkHashMismatch".into() });
    assert_eq!(rig.send("ada", 1).await.outcome, Outcome::Delivered);
    let refused = send(&rig.client, &old, 2).await.outcome;
    assert_eq!(refused, Outcome::Rejected { reason: "VapidPkHashMismatch".into(), listed: false });
}
