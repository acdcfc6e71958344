//! What happens besides: time, prunes, stuck transactions, clock steps, an exclusive claimer.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use pushwake::queue::lock_keys;
use rand::Rng;
use sqlx::Row;
use tests::barrier::Held;
use tokio::task::JoinHandle;

use crate::{DEVICES, World};

pub fn start(world: &Arc<World>) -> Vec<JoinHandle<()>> {
    vec![
        tokio::spawn(time_passes(world.clone())),
        tokio::spawn(stuck_transactions(world.clone())),
        tokio::spawn(expiries_and_prunes(world.clone())),
        tokio::spawn(clock_steps(world.clone())),
        tokio::spawn(exclusive_claims(world.clone())),
    ]
}

fn calm(world: &World) -> bool {
    world.calm.load(Ordering::SeqCst)
}

/// Leases of the dead run out, retries come due.
async fn time_passes(world: Arc<World>) {
    while !calm(&world) {
        world.database.end_leases_of_the_dead(&world.ledger.dead_tokens()).await;
        world.database.make_due().await;
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

async fn stuck_transactions(world: Arc<World>) {
    let mut rng = world.rng(2_000);
    while !calm(&world) {
        let device = rng.random_range(0..DEVICES);
        let stuck =
            Held::new(&world.database, &format!("select from lanes where device = 'd{device}' for update")).await;
        tokio::time::sleep(Duration::from_millis(rng.random_range(1..60))).await;
        stuck.roll_back().await;
    }
}

async fn expiries_and_prunes(world: Arc<World>) {
    let mut rng = world.rng(3_000);
    let queue = world.database.queue(1);
    while !calm(&world) {
        let device = format!("d{}", rng.random_range(0..DEVICES));
        // noted before it can be seen
        let rows = sqlx::query("select seq, event from notifications where device = $1 order by seq desc limit 2")
            .bind(&device)
            .fetch_all(&world.database.pool)
            .await
            .unwrap();
        for row in &rows {
            world.ledger.expired(row.get("event"), device.clone());
        }
        let seqs: Vec<i64> = rows.iter().map(|row| row.get("seq")).collect();
        sqlx::query("update notifications set expires_at = now() where seq = any($1)")
            .bind(seqs)
            .execute(&world.database.pool)
            .await
            .unwrap();
        if rng.random_ratio(1, 3) {
            queue.prune(Duration::from_secs(1)).await.expect("a prune waits for nobody");
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// The clock steps back 5 s: to the rows it is the same as if they all were 5 s ahead.
async fn clock_steps(world: Arc<World>) {
    while !calm(&world) {
        tokio::time::sleep(Duration::from_millis(120)).await;
        world
            .database
            .execute(
                "begin;
                 lock table lanes in exclusive mode;
                 update notifications set send_at = send_at + interval '5 s';
                 update lanes set head_at = head_at + interval '5 s', tail_at = tail_at + interval '5 s';
                 commit",
            )
            .await;
    }
}

/// A revision that claims exclusively looks, and leases nothing.
async fn exclusive_claims(world: Arc<World>) {
    while !calm(&world) {
        tokio::time::sleep(Duration::from_millis(80)).await;
        let key = format!("select pg_advisory_xact_lock({})", lock_keys::CLAIM);
        let exclusive = Held::new(&world.database, &key).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
        exclusive.commit().await;
    }
}
