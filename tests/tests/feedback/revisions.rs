//! A deploy: the revision before this one writes to the migrated tables, and what it writes is posted.

use pushwake::feedback::Feedback;
use tests::database::Database;
use tests::drive::APP;

/// Its statements, as they were.
const MARK: &str = "insert into dead_tokens (app, token_hash, device, reason, dead_at, recorded_at)
    select distinct on (dead.app collate \"C\", dead.token_hash)
        dead.app, dead.token_hash, dead.device, dead.reason, coalesce(dead.dead_at, clock.now), clock.now
    from unnest($1::text[], $2::bytea[], $3::text[], $4::text[], $5::timestamptz[])
        as dead (app, token_hash, device, reason, dead_at)
    cross join (select clock_timestamp() as now) as clock
    order by dead.app collate \"C\", dead.token_hash
    on conflict (app, token_hash) do update
    set device = excluded.device, reason = excluded.reason, dead_at = excluded.dead_at,
        recorded_at = excluded.recorded_at, posted_at = null
    where excluded.dead_at > dead_tokens.dead_at";
const PAUSE: &str = "with clock as materialized (
        select clock_timestamp() as now
    )
    insert into pauses (app, until, reason, step)
    select $1, clock.now + make_interval(secs => greatest($3::float8, $5::float8)), $2, 0
    from clock
    on conflict (app) do update
    set reason = excluded.reason,
        step = pauses.step + (pauses.until <= (select now from clock))::int,
        until = case
            when pauses.until <= (select now from clock)
                then (select now from clock) + make_interval(
                    secs => greatest(least($3::float8 * 2 ^ least(pauses.step + 1, 30), $4::float8), $5::float8))
            else greatest(pauses.until, (select now from clock) + make_interval(secs => $5::float8))
        end,
        probe_until = '-infinity',
        posted_at = case when pauses.until <= (select now from clock) then null else pauses.posted_at end
    returning extract(epoch from until - (select now from clock))::float8 as seconds";
const RESUME: &str = "delete from pauses where app = $1";

async fn mark(database: &Database) {
    let none: Vec<Option<time::OffsetDateTime>> = vec![None];
    let mark = sqlx::query(MARK).bind(vec![APP]).bind(vec![b"hash".as_slice()]).bind(vec!["d"]).bind(vec!["Gone"]);
    mark.bind(none).execute(&database.pool).await.expect("its verdict");
}

async fn pause(database: &Database) {
    let pause = sqlx::query(PAUSE).bind(APP).bind("BadTopic").bind(10.0).bind(600.0).bind(0.0);
    pause.execute(&database.pool).await.expect("its pause");
}

#[tokio::test]
async fn what_the_previous_revision_writes_is_posted() {
    let database = Database::new().await;
    let queue = database.queue(1);
    // Twice: each is news.
    for _ in 0..2 {
        mark(&database).await;
        pause(&database).await;
        let taken = queue.take_unposted(9).await.expect("the outbox");
        let feedback: Vec<_> = taken.iter().map(|row| &row.message.feedback).collect();
        assert!(
            matches!(feedback[..], [Feedback::Paused { .. }, Feedback::Unregistered { source: None, event: None, .. }]),
            "{feedback:?}"
        );
        queue.mark_posted(&taken).await.expect("a mark");
        database.execute("update pauses set until = now() - interval '1 s'").await;
    }
    sqlx::query(RESUME).bind(APP).execute(&database.pool).await.expect("its resumption");
    assert!(queue.take_unposted(9).await.expect("the outbox").is_empty());
}
