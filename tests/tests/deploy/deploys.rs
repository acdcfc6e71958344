//! A first deploy, an update, one that fails, and a way back from a revision that is newer than ours.

use std::time::Instant;

use migrate::MIGRATIONS;

use crate::ground::{Ground, function};
use crate::sam::words;
use crate::{Steps, eventually};

/// The newest of our migrations.
const OURS: usize = MIGRATIONS.len();
/// The stand-in for the next revision has one more.
const NEXT: usize = OURS + 1;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "deploys what `sam build` made: .ci/deploy-check"]
async fn the_template_deploys_delivers_repairs_a_lost_wake_updates_and_rolls_back() {
    let steps = Steps(Instant::now());
    steps.begin("a database, a provider and an account with their secrets");
    let ground = Ground::prepare().await;

    steps.begin("the one resource that the emulator does not know");
    let said = ground.deploy_the_unknown().await.expect_err("a resource that is known must not be replaced");
    assert!(words(&said).contains("(metric math) is not supported"), "{said}");

    steps.begin("the first deploy");
    ground.deploys(OURS, &[]).await;
    let outputs = ground.sam.outputs().await;
    assert_eq!(outputs["SchemaVersion"], OURS.to_string(), "migrate ran before the other functions");
    ground.queue(1, 0..5).await;
    ground.until_delivered(5).await;

    steps.begin("a wake is deleted, and the minute of schedule makes it good");
    a_lost_wake(&ground, &outputs["WakeQueueUrl"]).await;

    steps.begin("an update of parameters");
    let before = ground.versions().await;
    ground.deploys(OURS, &[("Release", "2"), ("Window", "42")]).await;
    let second = ground.versions().await;
    assert!(before.iter().zip(&second).all(|(before, after)| before != after), "{before:?}, {second:?}");
    ground.queue(3, 0..5).await;
    ground.until_delivered(11).await;

    steps.begin("a deploy whose migration fails");
    let failing = [("Release", "3"), ("DatabaseOwnerUser", "nobody")];
    let said = ground.deploy(NEXT, &failing).await.expect_err("nobody may not migrate");
    assert!(words(&said).contains("postgres can't be reached"), "the reason is shown: {said}");
    assert_eq!(ground.versions().await, second, "the functions are as they were");
    ground.queue(4, 0..5).await;
    ground.until_delivered(16).await;

    steps.begin("the next revision, and the way back from it");
    the_way_back(&ground).await;

    for queue in ["DeadWakeQueueUrl", "FailedRequestQueueUrl"] {
        assert_eq!(ground.account.waiting(&outputs[queue]).await, 0, "{queue}");
    }
    steps.begin("stop");
    ground.stop().await;
}

/// One notification, E(2), whose wake is gone before a drain sees it.
async fn a_lost_wake(ground: &Ground, wakes: &str) {
    let Ground { account, .. } = ground;
    let drain = function("drain");
    account.take_wakes(&drain, false).await;
    ground.queue(2, [0]).await;
    assert!(account.waiting(wakes).await >= 1, "the wake waits");
    account.purge(wakes).await;
    assert_eq!(ground.left().await, 1, "nobody was started by it");
    account.take_wakes(&drain, true).await;
    ground.until_delivered(6).await;
}

/// The next revision has migrated and queued in its own format when it is taken back. What it queued waits for it, in
/// order with what came after it; everything else is delivered.
async fn the_way_back(ground: &Ground) {
    let Ground { account, database, .. } = ground;
    let drain = function("drain");
    let migrated = format!(
        "alter table notifications add column of_the_next text;
         insert into schema_migrations (version, name, checksum) values ({NEXT}, 'of_the_next', 'theirs')"
    );
    database.as_owner(&migrated).await;
    ground.deploys(NEXT, &[("Release", "4")]).await;
    assert_eq!(ground.sam.outputs().await["SchemaVersion"], NEXT.to_string(), "migrate leaves what is newer alone");

    account.take_wakes(&drain, false).await;
    ground.queue(5, [0]).await;
    assert_eq!(database.execute("update notifications set format = 2").await, 1);
    ground.queue(6, 0..5).await;
    ground.deploys(OURS, &[("Release", "5")]).await;
    assert_eq!(ground.sam.outputs().await["SchemaVersion"], NEXT.to_string(), "on the way back, too");
    account.take_wakes(&drain, true).await;
    // Four of the five: the first device's waits behind what is newer.
    ground.until_delivered(20).await;
    ground.queue(7, 1..5).await;
    ground.until_delivered(24).await;
    eventually("the others are finished", async || ground.left().await == 2).await;
    assert_eq!(database.count("select count(*) from notifications where format = 2").await, 1);

    // The next revision is back, and knows its format.
    database.execute("update notifications set format = 1").await;
    database.execute("update lanes set due_at = clock_timestamp()").await;
    ground.until_delivered(26).await;
    eventually("everything is finished", async || ground.left().await == 0).await;
}
