//! Every multi-row lock is taken in `(app, device)` order, whatever the order and the language of the call.

use pushwake::queue::{BatchDevice, Kind, Queue};
use tests::database::Database;
use tests::drive::{batch, device};
use tests::pooler::pooler;

const CALLERS: usize = 8;
const CALLS: usize = 10_000;
/// A pooler is a process of its own, and every call a dozen rounds through it.
const CALLS_BEHIND_A_POOLER: usize = 1_000;

/// Ids that sort differently by bytes and by language, in two apps.
fn devices() -> Vec<BatchDevice> {
    let ids = ["a", "B", "b", "A", "ä", "Z", "z", "_", "-", "10", "9", "é"];
    ids.iter().flat_map(|id| [device("one", id), device("two", id)]).take(20).collect()
}

async fn call(queue: &Queue, n: usize) {
    let mut batch = batch(&format!("E{}", n % 7), &[]);
    batch.devices = devices();
    if n % 2 == 1 {
        batch.devices.reverse();
    }
    if n % 10 == 9 {
        batch.kind = Kind::Dismiss;
    }
    queue.enqueue(&batch).await.expect("no deadlock");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c67_opposite_calls_of_twenty_devices_never_deadlock() {
    let database = Database::new().await;
    let calls = if pooler().is_some() { CALLS_BEHIND_A_POOLER } else { CALLS };
    let callers: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let queue = database.queue(1);
            tokio::spawn(async move {
                for n in 0..calls / CALLERS {
                    call(&queue, n + caller).await;
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
    assert_eq!(
        database.count("select count(*) from notifications n where not exists (select from lanes where head = n.seq or head < n.seq)").await,
        0
    );
    let deadlocks = "select deadlocks from pg_stat_database where datname = current_database()";
    assert_eq!(database.count(deadlocks).await, 0);
}
