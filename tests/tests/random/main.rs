//! Randomised runs: twelve drains, callers, dismissals, prunes, crashes, suspensions, lost commit answers, stuck
//! transactions, clock steps and an exclusive claimer over one real Postgres; afterwards G1 to G5 are checked.
//!
//! A run is decided by its seed, up to the scheduling of its tasks. `PUSHWAKE_SEED=7 cargo test --test random` repeats
//! one seed; `PUSHWAKE_RUNS=50` runs more of them.

mod callers;
mod chaos;
mod drain;
mod ledger;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pushwake::limits::DRAINS;
use rand::SeedableRng;
use rand::rngs::StdRng;
use tests::database::Database;

use ledger::Ledger;

const DEVICES: usize = 30;
const CALLERS: usize = 4;
const CALLS: usize = 40;

/// What the tasks of one run share.
struct World {
    database: Database,
    ledger: Ledger,
    seed: u64,
    /// The callers are through: chaos ends, and the drains drain what is left.
    calm: AtomicBool,
    /// Nothing is left.
    over: AtomicBool,
}

impl World {
    fn rng(&self, role: u64) -> StdRng {
        StdRng::seed_from_u64(self.seed.wrapping_mul(1_000_003) + role)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_fault_loses_doubles_or_reorders_anything() {
    let variable = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let first = variable("PUSHWAKE_SEED").unwrap_or_else(|| u64::from(rand::random::<u16>()));
    let runs = variable("PUSHWAKE_RUNS").unwrap_or(if variable("PUSHWAKE_SEED").is_some() { 1 } else { 3 });
    for seed in first..first + runs {
        println!("seed {seed}");
        let run = tokio::time::timeout(Duration::from_mins(2), run(seed));
        run.await.unwrap_or_else(|_| panic!("seed {seed}: the backlog did not drain"));
    }
}

async fn run(seed: u64) {
    let database = Database::new().await;
    let world = Arc::new(World {
        database,
        ledger: Ledger::default(),
        seed,
        calm: AtomicBool::new(false),
        over: AtomicBool::new(false),
    });
    let drains: Vec<_> = (0..DRAINS as u64).map(|n| tokio::spawn(drain::run(world.clone(), n))).collect();
    let chaos: Vec<_> = chaos::start(&world);
    let callers: Vec<_> = (0..CALLERS).map(|caller| tokio::spawn(callers::run(world.clone(), caller))).collect();
    for caller in callers {
        caller.await.unwrap();
    }
    world.calm.store(true, Ordering::SeqCst);
    for one in chaos {
        one.await.unwrap();
    }
    // whatever a dead drain left comes back, whatever waits for its retry comes due
    tests::barrier::until(|| async {
        world.database.end_leases_of_the_dead(&world.ledger.dead_tokens()).await;
        world.database.make_due().await;
        world.database.count("select count(*) from lanes").await == 0
    })
    .await;
    world.over.store(true, Ordering::SeqCst);
    for drain in drains {
        drain.await.unwrap();
    }
    assert_eq!(
        world.database.count("select count(*) from notifications").await,
        0,
        "seed {seed}: a row without a lane"
    );
    assert_eq!(
        world.database.count("select deadlocks from pg_stat_database where datname = current_database()").await,
        0,
        "seed {seed}"
    );
    world.ledger.check(seed);
}
