//! A stack with much to show: deliveries, failures, a paused app, what is due later, dead letters.

use std::time::Duration;

use local::apns::{self, Latency};
use local::fcm;
use local::stack::{ANDROID, APP, DEAD_WAKES, Options};
use pushwake::contract::Status;
use pushwake::wake::{Wake, Why};
use serde_json::{Value, json};
use tests::product::{options, token};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::Served;

/// What no page may show.
pub const CONTENT: &str = "your parcel, which is nobody else's business";

/// Devices, some of which have a token that is dead or refused.
const DEVICES: usize = 400;

/// Starts it; the traffic is the caller's to make.
pub async fn start() -> Served {
    let latency = Latency::Spread(Duration::from_millis(50), Duration::from_millis(450));
    let served =
        Served::with(Options { apns: apns::Options { latency, ..apns::Options::default() }, ..options().await }).await;
    let stack = &served.product.stack;
    for d in 0..DEVICES {
        let reply = match d % 40 {
            3 => apns::Reply::status(410, "Unregistered"),
            7 => apns::Reply::status(413, "PayloadTooLarge"),
            11 => apns::Reply::status(429, "TooManyRequests").retry_after("20"),
            _ => continue,
        };
        stack.apns.script(&token(d), [reply]);
    }
    stack.fcm.answer_all(fcm::Reply::status(503, "UNAVAILABLE"));
    for why in [Why::Retry, Why::Recruit] {
        stack.sqs.send(DEAD_WAKES, &Wake::first(why).next(why).body(), None).await.expect("a dead letter");
    }
    served
}

/// Queues one wave for a share of the devices, which grows and shrinks with `n`.
pub async fn wave(served: &Served, n: usize) {
    let some = 10 + (n * 7) % 60;
    let ios = (0..some).map(|d| device(APP, (n * 31 + d) % DEVICES)).collect::<Vec<_>>();
    served.product.enqueue(&request(&format!("order-{n}-shipped"), &ios, None)).await;
    if n.is_multiple_of(10) {
        // At first as many as it takes for a drain to see that it is not the devices.
        let failing = if n == 0 { 250 } else { 6 };
        let android: Vec<Value> = (0..failing).map(|d| device(ANDROID, n + d)).collect();
        let offered = served.product.enqueue(&request(&format!("offer-{n}"), &android, None)).await;
        assert!(offered.results.iter().all(|result| result.status == Status::Queued), "{offered:?}");
        let later = OffsetDateTime::now_utc() + time::Duration::minutes(20 + n as i64);
        served.product.enqueue(&request(&format!("reminder-{n}"), &ios[..3], Some(later))).await;
    }
}

fn device(app: &str, d: usize) -> Value {
    let token = if app == APP { token(d) } else { format!("android-{d}") };
    json!({"id": format!("user-{d}-phone"), "app": app, "token": token})
}

fn request(event: &str, devices: &[Value], send_at: Option<OffsetDateTime>) -> Value {
    let mut request = json!({"source": "orders", "event": event, "devices": devices,
        "notification": {"title": CONTENT, "body": CONTENT, "data": {"order": "1742"}}});
    if let Some(at) = send_at {
        request["send_at"] = json!(at.format(&Rfc3339).expect("a time"));
    }
    request
}
