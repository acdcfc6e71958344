use std::time::Duration;

use drain::clock::DatabaseClock;
use drain::outcome::Outcome;
use local::apns::{Options, Reply};
use time::OffsetDateTime;

use crate::rig::{Client, Rig, device, named};

/// A database's clock at `minutes` after the last full half hour.
fn after_the_half_hour(client: &Client, minutes: u64) -> Client {
    let now = OffsetDateTime::now_utc();
    let half_hour = now - Duration::from_secs(now.unix_timestamp().rem_euclid(1800).unsigned_abs());
    let mut client = client.clone();
    client.clock = DatabaseClock::showing(half_hour + Duration::from_mins(minutes));
    client
}

#[tokio::test]
async fn c02_twelve_minters_make_one_token() {
    let rig = Rig::start(Options::default()).await;
    for i in 0..12 {
        let instance = after_the_half_hour(&rig.instance(), 2 * i);
        assert_eq!(instance.send(&device(1), i64::try_from(i).expect("small")).await.outcome, Outcome::Delivered);
    }
    assert_eq!((rig.server.distinct_tokens(), rig.server.tally().connections), (1, 12));
}

#[tokio::test]
async fn an_expired_token_is_refreshed_once_where_twenty_minutes_allow_it() {
    let rig = Rig::start(Options::default()).await;
    let expired = || Reply::status(403, "ExpiredProviderToken");
    let late = after_the_half_hour(&rig.client, 25);
    rig.server.script(&device(1), [expired()]);
    assert_eq!(late.send(&device(1), 1).await.outcome, Outcome::Delivered);
    assert_eq!((rig.server.requests_of(&device(1)).len(), rig.server.distinct_tokens()), (2, 2));

    rig.server.script(&device(2), [expired(), expired()]);
    assert_eq!(named(&late.send(&device(2), 1).await.outcome), ("misconfigured", "ExpiredProviderToken"));
    assert_eq!(rig.server.requests_of(&device(2)).len(), 1, "there is no newer one for twenty minutes");
}

#[tokio::test]
async fn an_expired_token_is_not_refreshed_too_soon() {
    let rig = Rig::start(Options::default()).await;
    rig.server.script(&device(1), [Reply::status(403, "ExpiredProviderToken")]);
    let early = after_the_half_hour(&rig.client, 5);
    assert_eq!(named(&early.send(&device(1), 1).await.outcome), ("misconfigured", "ExpiredProviderToken"));
    assert_eq!(rig.server.tally().requests, 1);
}

#[tokio::test]
async fn too_many_updates_throttle_the_whole_provider() {
    let rig = Rig::start(Options::default()).await;
    rig.server.script(&device(1), [Reply::status(429, "TooManyProviderTokenUpdates").retry_after("1200")]);
    let sent = rig.client.send(&device(1), 1).await;
    let retry_after = Some(Duration::from_mins(20));
    let reason = "TooManyProviderTokenUpdates".into();
    assert_eq!(sent.outcome, Outcome::Throttled { reason, retry_after, whole_provider: true });
    assert_eq!(rig.client.send(&device(2), 1).await.outcome, Outcome::Delivered);
    assert_eq!(rig.server.distinct_tokens(), 1, "the old one is kept");
}

#[tokio::test]
async fn a_strangers_key_is_our_fault() {
    let (rig, other) = (Rig::start(Options::default()).await, Rig::start(Options::default()).await);
    let credentials = rig.server.write_credentials(rig.folder.path()).expect("written");
    let client = Client::new(&rig.server.app(&credentials), &credentials.ca, other.server.key_pem());
    assert_eq!(named(&client.send(&device(1), 1).await.outcome), ("misconfigured", "InvalidProviderToken"));
}
