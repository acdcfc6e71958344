//! Every limit of the product, each with its reason; `const` assertions hold the relations between them.

use std::time::Duration;

// Drains and their connections.

/// Concurrent drains (the event source's `MaximumConcurrency`): 12 x 2 connections fit the smallest RDS instances.
pub const DRAINS: usize = 12;
/// Connections of one drain: one for claims and finishes, one that only renewals use.
pub const DRAIN_CONNECTIONS: u32 = 2;
/// Connections of one enqueue: a call is one transaction.
pub const ENQUEUE_CONNECTIONS: u32 = 1;
/// Connections of schedule.
pub const SCHEDULE_CONNECTIONS: u32 = 1;
/// Connections of migrate: one holds the lock, one runs the statements.
pub const MIGRATE_CONNECTIONS: u32 = 2;

// Leases and time-outs.

/// How long a claim owns its lanes: long enough to outlive one slow send and a missed renewal.
pub const LEASE: Duration = Duration::from_secs(30);
/// How often a drain renews: two renewals may fail before a lease runs out.
pub const RENEW_EVERY: Duration = Duration::from_secs(10);
/// How long a provider may take to answer one send. FCM asks for at least 10 s.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// Kept between the latest answer of a send and the end of its lease, for the finish.
pub const LEASE_MARGIN: Duration = Duration::from_secs(5);
/// A send starts only while its claim (or last renewal) was sent less than this ago.
pub const SEND_BEFORE: Duration =
    Duration::from_secs(LEASE.as_secs() - SEND_TIMEOUT.as_secs() - LEASE_MARGIN.as_secs());
/// How long a drain claims; what is in flight then still gets its answer and its finish.
pub const DRAIN_BUDGET: Duration = Duration::from_secs(25);
/// The functions' time-out: a budget, one slow send, and the last finishes with their retries.
pub const FUNCTION_TIMEOUT: Duration = Duration::from_secs(45);
/// Visibility of a wake: AWS asks for at least six function time-outs.
pub const WAKE_VISIBILITY: Duration = Duration::from_secs(270);
/// Client deadline of a claim or a finish; past it the connection is dropped with the future.
pub const STATEMENT_DEADLINE: Duration = Duration::from_secs(5);
/// Client deadline of a renewal: shorter, since a renewal that is late is worth nothing.
pub const RENEW_DEADLINE: Duration = Duration::from_secs(3);
/// How long a connection may take to prove itself when it is given back to its pool: one round trip.
pub const GIVE_BACK_DEADLINE: Duration = Duration::from_millis(500);
/// Deadline of one whole enqueue transaction: a stuck one must never starve a renewal of its lanes.
pub const ENQUEUE_DEADLINE: Duration = Duration::from_secs(5);
/// How long a finish waits for one lane that it found locked three times.
pub const LANE_LOCK_TIMEOUT: Duration = Duration::from_millis(250);
/// Pause between the attempts of what was skipped (finishes and renewals).
pub const SKIPPED_RETRY: Duration = Duration::from_millis(250);
/// Skips after which a finish waits for its lane alone; a hot device starves skippers otherwise.
pub const SKIPS_BEFORE_WAIT: u32 = 3;

// The window of a drain.

/// Sends a drain holds in flight: below the 100 streams most HTTP/2 servers announce, with room for a probe.
pub const WINDOW: usize = 84;
/// Free places that start a claim, and answers that start a finish: a quarter of the window.
pub const WINDOW_QUARTER: usize = WINDOW.div_ceil(4);
/// A window without room for this long is held by an app whose provider does not answer: the other apps are given
/// places aside from it, a quarter of the window in all.
pub const WINDOW_STALLED: Duration = Duration::from_millis(500);
/// An answer waits at most this long for its finish.
pub const FINISH_AFTER: Duration = Duration::from_millis(20);
/// The same while the window is full and more is due: its places are refilled by the quarter anyway, and a finish of
/// two or three answers would cost as much as one of twenty.
pub const FINISH_AFTER_FULL: Duration = Duration::from_millis(200);
/// First and longest wait between an empty claim and the next while sends are in flight.
pub const RECLAIM_FIRST: Duration = Duration::from_millis(10);
/// See [`RECLAIM_FIRST`].
pub const RECLAIM_LONGEST: Duration = Duration::from_millis(200);
/// Claims that may answer `Yielded` or `Contended` before a drain ends: every peer may hold what it looked at, twice.
pub const CLAIM_ATTEMPTS: usize = 2 * DRAINS;
/// Pause before a claim that was yielded or contended is tried again.
pub const CLAIM_RETRY: Duration = Duration::from_millis(20);
/// How far back the first range of a claim looks: the default life, past which a row is usually dead; where a
/// stack is configured for longer lives, what waited longer has the share of [`OLD_SHARE`] and what is left.
pub const CLAIM_TTL: Duration = DEFAULT_LIFE;
/// The share of a claim kept for what is older than [`CLAIM_TTL`]: one in eight.
pub const OLD_SHARE: usize = 8;

// Attempts.

/// Sends without an answer before a notification is discarded: the first and two resends.
pub const UNANSWERED: i32 = 3;
/// The first pause of an app whose provider fails as a whole.
pub const PAUSE_FIRST: Duration = Duration::from_secs(10);
/// The longest pause: a provider that is back is found within ten minutes.
pub const PAUSE_LONGEST: Duration = Duration::from_mins(10);
/// The format number of the payloads this revision writes, and the newest it reads.
pub const PAYLOAD_FORMAT: i16 = 1;

// Wakes.

/// Wakes of one lineage: a backlog of sixty budgets drains without schedule's help.
pub const HOP_CAP: u32 = 60;
/// All attempts to post one wake together: enqueue's caller waits for them.
pub const WAKE_POST: Duration = Duration::from_secs(2);
/// The longest `DelaySeconds` SQS takes.
pub const WAKE_DELAY: Duration = Duration::from_mins(15);
/// The wake of a drain whose attempts at a claim are spent comes this much later.
pub const YIELD_WAKE: Duration = Duration::from_secs(1);
/// How often schedule runs; it posts delayed wakes for what falls due before its next run.
pub const SCHEDULE_EVERY: Duration = Duration::from_mins(1);

// Feedback.

/// Messages of one `SendMessageBatch`: what SQS takes.
pub const FEEDBACK_BATCH: usize = 10;
/// Bytes of one batch: the least that SQS ever took.
pub const FEEDBACK_BATCH_SIZE: usize = 256 * 1024;
/// Batches on their way at once.
pub const FEEDBACK_BATCHES: usize = 10;
/// Client deadline of a statement on the outbox: it waits for nothing but single rows.
pub const OUTBOX_DEADLINE: Duration = Duration::from_secs(2);
/// The longest round of a poster: take, post, mark, and give back what SQS does not have.
pub const FEEDBACK_ROUND: Duration = Duration::from_secs(3 * OUTBOX_DEADLINE.as_secs() + WAKE_POST.as_secs());
/// How long a drain posts at its end, and not longer: what is left of a backlog is schedule's.
pub const FEEDBACK_OF_DRAIN: Duration = Duration::from_secs(FEEDBACK_ROUND.as_secs() + 2);
/// How long schedule posts.
pub const FEEDBACK_OF_SCHEDULE: Duration = Duration::from_secs(FEEDBACK_ROUND.as_secs() + 12);
/// How long others pass over what a poster took: it is not taken twice within one run, and the next run finds it.
pub const FEEDBACK_LEASE: Duration = Duration::from_secs(30);

// The contract.

/// Devices of one call.
pub const DEVICES: usize = 500;
/// Above this many devices a call gets one error instead of a result for each: those would not fit Lambda's answer.
pub const DEVICES_ANSWERED: usize = 4 * DEVICES;
/// Length of an event id, a source, an app or a device id, in characters.
pub const ID_LENGTH: usize = 256;
/// Levels of nesting in `data` and `raw`: what is stored around them must stay below the 128 a JSON reader takes.
pub const VALUE_DEPTH: usize = 32;
/// Hex digits of an APNs token, an even number. Apple names no length; these are more than any that was seen.
pub const APNS_TOKEN_DIGITS: usize = 200;
/// Bytes of an APNs payload.
pub const APNS_BODY: usize = 4096;
/// Bytes of an `apns-collapse-id`.
pub const APNS_COLLAPSE_ID: usize = 64;
/// Characters of an FCM registration token. Google names no length; they have been below 200 so far.
pub const FCM_TOKEN: usize = 4096;
/// Bytes of an FCM message.
pub const FCM_BODY: usize = 4096;
/// The longest life FCM gives a message: 28 days.
pub const FCM_TTL: Duration = Duration::from_hours(672);
/// Bytes of a Web Push plaintext: what aes128gcm leaves of the 4096 that a push service has to take.
pub const WEBPUSH_BODY: usize = 4096 - 86 - 1 - 16;
/// Bytes of a Web Push plaintext that every push service in use takes; above it enqueue warns.
pub const WEBPUSH_BODY_SAFE: usize = 2800;
/// Characters of a Web Push `Topic`.
pub const WEBPUSH_TOPIC: usize = 32;
/// Characters of a Web Push endpoint: several times the longest that was seen.
pub const WEBPUSH_ENDPOINT: usize = 2048;
/// Life of a notification that names no `expires_at`, unless the stack is configured otherwise.
pub const DEFAULT_LIFE: Duration = Duration::from_mins(5);
/// The longest life.
pub const LONGEST_LIFE: Duration = Duration::from_hours(12);
/// How far ahead `send_at` may lie.
pub const SEND_AHEAD: Duration = Duration::from_hours(12);
/// How far a caller's clock may run ahead of the database's before a time at one of these two limits is refused.
pub const CALLER_SKEW: Duration = Duration::from_mins(1);
/// Pending notifications of one device.
pub const DEVICE_PENDING: i64 = 256;
/// The window of a source's quota.
pub const QUOTA_WINDOW: Duration = Duration::from_mins(15);

// Retention and prune.

/// How long a receipt answers `duplicate`, at least.
pub const RECEIPT_KEPT: Duration = Duration::from_hours(24);
/// How long a receipt outlives the expiry of what it queued.
pub const RECEIPT_AFTER_EXPIRY: Duration = Duration::from_hours(1);
/// How long a dismissal refuses late arrivals.
pub const DISMISSAL_KEPT: Duration = Duration::from_hours(24);
/// How long a spent quota window is kept.
pub const QUOTA_KEPT: Duration = Duration::from_secs(2 * QUOTA_WINDOW.as_secs());
/// How long a dead token is remembered.
pub const DEAD_TOKEN_KEPT: Duration = Duration::from_hours(2160);
/// How long the end of a pause waits for the feedback queue: as long as SQS itself keeps a message at most.
pub const PAST_PAUSE_KEPT: Duration = Duration::from_hours(14 * 24);
/// How long schedule prunes: what its time-out leaves beside the top-up, the metrics and the feedback.
pub const PRUNE_BUDGET: Duration = Duration::from_secs(18);
/// Rows of one prune statement, and expired rows a finish takes along.
pub const PRUNE_BATCH: i64 = 2_000;

// Metrics.

/// Client deadline of one look for the metrics: it reads a few pages, and nobody waits for it but the next look.
pub const MEASURE_DEADLINE: Duration = Duration::from_secs(2);
/// All looks of a run.
pub const MEASURES: Duration = Duration::from_secs(3 * MEASURE_DEADLINE.as_secs());

// Operators.

/// Devices that one look at an event shows: those of a call.
pub const INSPECTED_DEVICES: usize = DEVICES;
/// Events that one look at a device shows.
pub const INSPECTED_EVENTS: usize = 100;
/// Apps, and tokens of a device, that one look shows.
pub const INSPECTED_ROWS: usize = 100;
/// How long a forget waits for what is in flight: the slowest send and its finish, with a margin.
pub const FORGET_BUDGET: Duration = Duration::from_secs(SEND_TIMEOUT.as_secs() + LEASE_MARGIN.as_secs());

// Migrations.

/// How long a migration waits for a table: claims queue up behind it meanwhile, and must not fail of it.
pub const MIGRATE_LOCK_TIMEOUT: Duration = Duration::from_millis(100);
/// The longest pause before a migration tries again for a table, or a migrator for its turn; jittered down to a quarter.
pub const MIGRATE_RETRY: Duration = Duration::from_millis(800);
/// Kept at the end of migrate's invocation to answer the deploy, which waits for an hour if nobody does.
pub const MIGRATE_ANSWER: Duration = Duration::from_secs(10);

const _: () = {
    assert!(
        MIGRATE_LOCK_TIMEOUT.as_millis() * 2 < LANE_LOCK_TIMEOUT.as_millis(),
        "a claim outlives a waiting migration"
    );
    assert!(RENEW_EVERY.as_millis() * 2 + RENEW_DEADLINE.as_millis() < LEASE.as_millis(), "two renewals may fail");
    assert!(SEND_TIMEOUT.as_secs() + LEASE_MARGIN.as_secs() < LEASE.as_secs(), "a send ends inside its lease");
    assert!(SEND_BEFORE.as_secs() > RENEW_EVERY.as_secs(), "a renewed lease always lets a send start");
    assert!(DRAIN_BUDGET.as_secs() < LEASE.as_secs(), "a drain claims inside its first lease");
    assert!(
        DRAIN_BUDGET.as_secs() + SEND_TIMEOUT.as_secs() + STATEMENT_DEADLINE.as_secs() * 2
            <= FUNCTION_TIMEOUT.as_secs(),
        "the last send is answered and finished before the function is killed"
    );
    assert!(WAKE_VISIBILITY.as_secs() >= 6 * FUNCTION_TIMEOUT.as_secs(), "what AWS asks of an event source");
    assert!(ENQUEUE_DEADLINE.as_secs() + RENEW_EVERY.as_secs() < LEASE.as_secs() / 2 + 1, "enqueue can't cost a lease");
    assert!(PRUNE_BUDGET.as_secs() < FUNCTION_TIMEOUT.as_secs(), "schedule ends by itself");
    assert!(PRUNE_BUDGET.as_secs() < SCHEDULE_EVERY.as_secs(), "a run ends before the next");
    assert!(WAKE_DELAY.as_secs() >= SCHEDULE_EVERY.as_secs(), "a delayed wake reaches past the next run of schedule");
    assert!(
        FORGET_BUDGET.as_secs() + 2 * STATEMENT_DEADLINE.as_secs() < FUNCTION_TIMEOUT.as_secs(),
        "a forget answers before schedule's time-out"
    );
    assert!(CLAIM_ATTEMPTS >= 2 * DRAINS, "peers that hold what a drain looked at never send it away");
    assert!(WINDOW_QUARTER * 4 >= WINDOW && WINDOW >= OLD_SHARE, "a full claim has room for old rows");
    assert!(FEEDBACK_OF_DRAIN.as_secs() <= FEEDBACK_OF_SCHEDULE.as_secs(), "schedule posts what a drain leaves");
    assert!(FEEDBACK_OF_SCHEDULE.as_secs() < FEEDBACK_LEASE.as_secs(), "a run takes no row twice");
    assert!(FEEDBACK_LEASE.as_secs() < SCHEDULE_EVERY.as_secs(), "the next run finds what a dead poster took");
    assert!(
        // four ids of four-byte characters, and around them a hash, a reason, two times and the keys
        FEEDBACK_BATCH * (4 * 4 * ID_LENGTH + 1024) <= FEEDBACK_BATCH_SIZE,
        "a batch fits, whatever its ids are"
    );
    assert!(VALUE_DEPTH + 8 < 128, "a stored payload can be read back, whatever stands around its values");
    assert!(SKIPPED_RETRY.as_millis() * 4 < LEASE.as_millis(), "what was skipped is tried often within a lease");
};
