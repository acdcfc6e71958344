//! The actions of an operator, through the binary of schedule.

use std::time::Duration;

use local::runtime_api::Invocation;
use local::stack::{APP, WAKES};
use pushwake::operator::{Action, DeviceStory, EventStory, Forgotten, State};
use serde_json::{Value, json};
use tests::barrier::soon;
use tests::product::{Product, event, until_line};

async fn act<T: serde::de::DeserializeOwned>(product: &Product, action: &Action) -> T {
    product.stack.schedule.invoke(action.to_json()).await.json().expect("an answer")
}

fn forget(device: &str) -> Action {
    Action::Forget { app: APP.into(), device: device.into() }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_and_a_device_are_looked_up_and_no_content_is_shown() {
    let product = Product::without_drains().await;
    let mut request = event(1, 0..3);
    request["notification"]["title"] = json!("canary title");
    request["notification"]["data"] = json!({"secret": "canary data"});
    product.enqueue(&request).await;
    let looked = [
        Action::InspectEvent { source: Some("tests".into()), event: "e1".into() },
        Action::InspectEvent { source: None, event: "e1".into() },
        Action::InspectDevice { app: Some(APP.into()), device: "d1".into() },
        Action::InspectDevice { app: None, device: "d1".into() },
    ];
    for action in &looked {
        let answer: Value = act(&product, action).await;
        let said = answer.to_string();
        assert!(answer["v"] == 1 && answer["time"].as_str().is_some_and(|time| time.ends_with('Z')), "{said}");
        assert!(!said.contains("canary") && !said.contains(&tests::product::token(1)), "{said}");
    }
    let story: EventStory = act(&product, &looked[0]).await;
    assert_eq!(story.devices.iter().map(|standing| standing.state).collect::<Vec<_>>(), [State::Queued; 3]);
    product.drain().await;
    let story: DeviceStory = act(&product, &looked[2]).await;
    assert_eq!((story.lanes.len(), story.events[0].state), (0, State::Finished));
    assert_eq!(product.errors(), [""; 0]);
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_is_forgotten_with_what_was_queued_for_it() {
    let product = Product::without_drains().await;
    for n in 1..4 {
        product.queue(n, 0..2).await;
    }
    let wakes = product.stack.sqs.sent(WAKES).len();
    let forgotten: Forgotten = act(&product, &forget("d0")).await;
    assert!(forgotten.complete && forgotten.removed.notifications == 3, "{forgotten:?}");
    let story: DeviceStory = act(&product, &Action::InspectDevice { app: None, device: "d0".into() }).await;
    assert!(story.lanes.is_empty() && story.events.is_empty(), "{story:?}");
    product.drain().await;
    assert_eq!(product.apns().tally().delivered, 3, "those of the other device");
    assert_eq!(product.stack.sqs.sent(WAKES).len(), wakes, "an action is not the minute");
    until_line(&product.stack.schedule, "forgot a device").await;
    let lines = product.stack.schedule.output().lines();
    assert!(lines.iter().all(|line| !line.text.contains("\"d0\"")), "a device is a hash in the log: {lines:?}");
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forget_waits_for_the_send_that_is_in_flight() {
    let product = Product::without_drains().await;
    product.apns().gate().close();
    product.queue(1, [0]).await;
    product.queue(2, [0]).await;
    let (drained, forgotten) = soon(async {
        tokio::join!(product.drain(), async {
            product.until(|tally| tally.in_flight > 0).await;
            let action = forget("d0");
            let (forgotten, ()) = tokio::join!(act::<Forgotten>(&product, &action), async {
                tests::barrier::until(|| async { product.left().await == 1 }).await;
                product.apns().gate().open();
            });
            forgotten
        })
    })
    .await;
    assert_eq!(drained, ());
    assert!(forgotten.complete, "{forgotten:?}");
    assert_eq!(product.apns().tally().delivered, 1, "what was in flight, and nothing behind it");
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_that_can_not_be_read_is_an_error_and_runs_nothing() {
    let product = Product::without_drains().await;
    product.queue_in_silence(1, 0..3).await;
    for (action, expected) in [
        (json!({"action": "purge"}), "nothing was done: action: must be one of inspect, forget"),
        (json!({"action": "forget", "app": APP}), "nothing was done: device: is missing"),
        (json!({"action": "forget", "app": APP, "device": 7}), "nothing was done: device: must be a string"),
        (json!({"action": "forget", "app": APP, "device": "d0", "force": true}), "force: is not a known field"),
        (json!({"action": null, "app": APP, "device": "d0"}), "nothing was done: action: is missing"),
    ] {
        let failed = product.stack.schedule.invoke(action.to_string()).await;
        let Invocation::FunctionError { kind, message } = &failed else { panic!("{failed:?}") };
        assert!(kind == "Pushwake.InvalidAction" && message.contains(expected), "{failed:?}");
    }
    let sent = product.stack.sqs.sent(WAKES).len();
    assert_eq!(product.left().await, 3);
    for minute in ["{}", "null", "[]", r#"{"version": "0", "detail-type": "Scheduled Event"}"#] {
        let ran: Value = product.stack.schedule.invoke(minute).await.json().expect("a run");
        assert_eq!(ran["due"], 3, "{minute}");
    }
    assert_eq!(product.stack.sqs.sent(WAKES).len(), sent + 4 * 3, "each minute tops up");
    product.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drain_that_died_leaves_the_forget_undone_and_it_says_until_when() {
    let product = Product::without_drains().await;
    product.queue(1, [0]).await;
    let leased = "update lanes set lease_token = gen_random_uuid(), lease_until = now() + interval '10 minutes'";
    product.database.execute(leased).await;
    let forgotten: Forgotten = soon(act(&product, &forget("d0"))).await;
    let in_flight = forgotten.in_flight.expect("a lease");
    assert!(!forgotten.complete && in_flight > time::OffsetDateTime::now_utc() + Duration::from_mins(5));
    product.stop().await;
}
