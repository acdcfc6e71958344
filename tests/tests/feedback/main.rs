//! The feedback queue: what products are told of their tokens and apps, through the real functions.

mod faults;
mod many;
mod outbox;
mod pauses;
mod retention;
mod revisions;
mod tokens;

use std::sync::LazyLock;

use jsonschema::Validator;
use local::apns::Reply;
use local::sqs::Fate;
use local::stack::FEEDBACK;
use pushwake::feedback::{Feedback, Message};
use tests::database::Database;
use tests::product::{Product, token};
use tests::schema::validator;

/// A moment in the past, as APNs writes it.
const DIED_AT: i64 = 1_767_225_600_000;

/// The bodies that stand in the feedback queue, in the order they came.
fn bodies(product: &Product) -> Vec<String> {
    let sent = product.stack.sqs.sent(FEEDBACK).into_iter();
    sent.filter(|sent| sent.fate == Fate::Stored).map(|sent| sent.body).collect()
}

/// What they say, as the contract has it.
fn messages(product: &Product) -> Vec<Feedback> {
    static SCHEMA: LazyLock<Validator> = LazyLock::new(|| validator("feedback.json"));
    let read = |body: &String| {
        let fits = SCHEMA.validate(&serde_json::from_str(body).expect("JSON")).map_err(|error| error.to_string());
        assert_eq!(fits, Ok(()), "{body}");
        Message::from_json(body).expect("a message").feedback
    };
    bodies(product).iter().map(read).collect()
}

/// The devices that were called unregistered, sorted.
fn unregistered(product: &Product) -> Vec<String> {
    let device = |feedback| match feedback {
        Feedback::Unregistered { device, .. } => Some(device.as_str().to_owned()),
        _ => None,
    };
    let mut devices: Vec<_> = messages(product).into_iter().filter_map(device).collect();
    devices.sort();
    devices
}

/// Queues one event for the first `n` devices, whose tokens the provider will call dead.
async fn queue_for_dead_tokens(product: &Product, n: usize) {
    for d in 0..n {
        product.apns().script(&token(d), [Reply::gone("Unregistered", DIED_AT)]);
    }
    product.queue(1, 0..n).await;
}

/// Tokens that died while nobody posted.
async fn plant(database: &Database, n: i64) {
    database
        .execute(&format!(
            "insert into dead_tokens (app, token_hash, device, reason, dead_at, recorded_at)
             select 'ios-prod', sha256(int4send(n::int)), 'd' || n, 'Gone', now(), now() - n * interval '1 ms'
             from generate_series(1, {n}) as n"
        ))
        .await;
}

/// Rows of the outbox.
async fn unposted(database: &Database) -> i64 {
    let of = |table: &str| format!("(select count(*) from {table} where posted_at is null)");
    database.count(&format!("select {} + {} + {}", of("dead_tokens"), of("pauses"), of("past_pauses"))).await
}
