//! Claims beside other claims.

use pushwake::contract::{AppId, DeviceId};
use pushwake::limits::{CLAIM_ATTEMPTS, CLAIM_RETRY, DRAINS};
use pushwake::queue::{Claim, Claimed, Want};
use tests::barrier::Held;
use tests::database::Database;
use tests::drive::{APP, batch, claim, heads};

async fn twelve_lanes(database: &Database) {
    let devices: Vec<String> = (0..DRAINS).map(|n| format!("d{n:02}")).collect();
    let batch = batch("E", &devices.iter().map(String::as_str).collect::<Vec<_>>());
    database.queue(1).enqueue(&batch).await.unwrap();
}

#[tokio::test]
async fn c50_the_one_free_lane_among_busy_peers_is_claimed_at_once() {
    let database = Database::new().await;
    twelve_lanes(&database).await;
    let mut peers = Vec::new();
    for n in 0..DRAINS - 1 {
        peers.push(Held::new(&database, &format!("select from lanes where device = 'd{n:02}' for update")).await);
    }
    let claimed = heads(&database.queue(1), 84).await;
    assert_eq!(claimed.len(), 1);
    assert_eq!(claimed[0].lease.device.as_str(), "d11");
}

#[tokio::test]
async fn c50_when_peers_hold_everything_a_drain_tries_until_they_release_it() {
    let database = Database::new().await;
    twelve_lanes(&database).await;
    let mut peers = Vec::new();
    for n in 0..DRAINS {
        peers.push(Held::new(&database, &format!("select from lanes where device = 'd{n:02}' for update")).await);
    }
    let queue = database.queue(1);
    // every peer commits in turn, and each time another one takes what it released before we look again; the last
    // one leaves its lane: a drain that gave up earlier would have gone idle in front of work
    let mut attempts = 0;
    let claimed = loop {
        attempts += 1;
        assert!(attempts <= CLAIM_ATTEMPTS, "the attempts last as long as there are peers");
        match claim(&queue, 84).await {
            Claim::Claimed(Claimed { heads, .. }) => break heads,
            Claim::Contended => {
                let peer = peers.remove(0);
                peer.roll_back().await;
                if attempts < DRAINS {
                    let n = attempts - 1;
                    let again = format!("select from lanes where device = 'd{n:02}' for update");
                    peers.push(Held::new(&database, &again).await);
                }
            }
            other => panic!("due lanes are locked, not {other:?}"),
        }
        tokio::time::sleep(CLAIM_RETRY).await;
    };
    assert_eq!(claimed.len(), 1);
    assert!(attempts > 4, "four attempts would not have been enough");
}

#[tokio::test]
async fn nothing_due_is_empty_and_not_contended() {
    let database = Database::new().await;
    let queue = database.queue(1);
    assert!(matches!(claim(&queue, 8).await, Claim::Empty));
    twelve_lanes(&database).await;
    assert_eq!(heads(&queue, 84).await.len(), DRAINS);
    assert!(matches!(claim(&queue, 8).await, Claim::Empty), "leased lanes are nobody's contention");
}

#[tokio::test]
async fn twelve_drains_claim_every_lane_exactly_once() {
    let database = Database::new().await;
    let devices: Vec<String> = (0..480).map(|n| format!("d{n:03}")).collect();
    let batch = batch("E", &devices.iter().map(String::as_str).collect::<Vec<_>>());
    database.queue(1).enqueue(&batch).await.unwrap();
    let drains = (0..DRAINS).map(|turn| {
        let queue = database.queue(1);
        tokio::spawn(async move {
            let apps = [AppId::from(APP)];
            let mut mine = Vec::new();
            loop {
                match queue.claim(&Want { apps: &apps, n: 21, turn: turn as u32, probe: false }).await.unwrap() {
                    Claim::Claimed(claimed) => mine.extend(claimed.heads.into_iter().map(|head| head.lease.device)),
                    Claim::Contended => {}
                    Claim::Empty => return mine,
                    Claim::Yielded => panic!("nobody claims exclusively"),
                }
            }
        })
    });
    let mut claimed = Vec::new();
    for drain in drains.collect::<Vec<_>>() {
        claimed.extend(drain.await.unwrap());
    }
    claimed.sort();
    assert_eq!(claimed.iter().map(DeviceId::as_str).collect::<Vec<_>>(), devices);
}
