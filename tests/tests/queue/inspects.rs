//! A look at an event and at a device.

use std::time::Duration;

use pushwake::contract::EventId;
use pushwake::limits::{INSPECTED_DEVICES, INSPECTED_EVENTS};
use pushwake::operator::{EventStory, Standing, State};
use pushwake::queue::Queue;
use tests::database::Database;
use tests::drive::{self, APP, batch, complete, device, dismiss, finish, head, retry};

use crate::forgets::dead;

async fn story(queue: &Queue, event: &str) -> EventStory {
    queue.inspect_event(Some(&"tests".into()), &event.into()).await.expect("a look")
}

/// The standing with one device.
async fn with(queue: &Queue, event: &str, device: &str) -> Standing {
    let story = story(queue, event).await;
    story.devices.into_iter().find(|standing| standing.device.as_str() == device).expect("the device")
}

#[tokio::test]
async fn an_event_is_followed_from_its_place_in_the_lane_to_its_end() {
    let database = Database::new().await;
    let queue = database.queue(1);
    for event in ["E1", "E2", "E3"] {
        queue.enqueue(&batch(event, &["d"])).await.expect("an enqueue");
    }
    let (first, third) = (with(&queue, "E1", "d").await, with(&queue, "E3", "d").await);
    assert_eq!((first.state, third.state), (State::Queued, State::Queued));
    let waiting = first.waiting.expect("it waits");
    assert_eq!((waiting.behind, waiting.lane.attempts, waiting.kind.as_str()), (0, 0, "alert"));
    assert!(waiting.lane.due_at.is_some() && waiting.lane.leased_until.is_none());
    assert!(first.duplicate_until > Some(drive::from_now(23 * 3600)));
    assert_eq!(third.waiting.expect("it waits").behind, 2);
    let flying = head(&queue).await;
    let standing = with(&queue, "E1", "d").await;
    assert_eq!(standing.state, State::InFlight);
    let lane = standing.waiting.expect("it is still queued").lane;
    assert!(lane.leased_until > Some(drive::from_now(0)) && (lane.attempts, lane.unanswered) == (1, 1));
    assert_eq!(with(&queue, "E2", "d").await.state, State::Queued, "only the head is in flight");
    let mut failed = finish(&flying, retry(Duration::from_mins(1)));
    failed.rest = Some(Duration::from_mins(2));
    queue.finish(&[failed]).await.expect("a finish");
    let lane = with(&queue, "E1", "d").await.waiting.expect("it waits").lane;
    assert!(lane.due_at > Some(drive::from_now(30)) && lane.rest_until > Some(drive::from_now(90)));
    assert_eq!((lane.attempts, lane.unanswered), (1, 0));
    database.make_due().await;
    complete(&queue, &head(&queue).await).await;
    let over = with(&queue, "E1", "d").await;
    assert_eq!((over.state, over.waiting.is_none(), over.duplicate_until.is_some()), (State::Finished, true, true));
    assert_eq!(with(&queue, "E2", "d").await.waiting.expect("it waits").behind, 0);
}

#[tokio::test]
async fn dismissed_dead_and_paused_is_said_without_the_token() {
    let database = Database::new().await;
    let queue = database.queue(1);
    queue.enqueue(&batch("E1", &["a", "b"])).await.expect("an enqueue");
    dismiss(&queue, "E1", "b").await;
    dismiss(&queue, "E1", "c").await;
    queue.mark_dead(&[dead("a", "E1")]).await.expect("a verdict");
    queue.pause(&APP.into(), "BadTopic", None).await.expect("a pause");
    let story = story(&queue, "E1").await;
    let [a, b, c] = &story.devices[..] else { panic!("{story:?}") };
    assert_eq!(a.state, State::Queued);
    let verdict = a.dead_token.as_ref().expect("a verdict");
    assert_eq!((verdict.reason.as_str(), verdict.event.as_ref()), ("Unregistered", Some(&EventId::from("E1"))));
    for push in [b, c] {
        let waiting = push.waiting.as_ref().expect("the silent push of its dismissal");
        assert_eq!((push.state, waiting.kind.as_str()), (State::Queued, "dismiss"));
        assert!(push.dismissed_at.is_some() && push.dead_token.is_none());
    }
    assert!(b.duplicate_until.is_some() && c.duplicate_until.is_none());
    let [pause] = &story.pauses[..] else { panic!("{story:?}") };
    assert_eq!((pause.app.as_str(), pause.reason.as_str()), (APP, "BadTopic"));
    assert!(pause.until > story.time && pause.since <= Some(story.time));
    let json = serde_json::to_string(&story).expect("JSON");
    for secret in ["00ff", "payload", "token_hash", "alert\",\"event"] {
        assert!(!json.contains(secret), "{json}");
    }
    // once the pushes are out
    database.execute("delete from notifications where kind = 'dismiss'").await;
    assert_eq!(with(&queue, "E1", "c").await.state, State::Dismissed);
}

#[tokio::test]
async fn an_event_is_found_over_all_sources_and_a_device_over_all_apps() {
    let database = Database::new().await;
    let queue = database.queue(1);
    for (source, app) in [("orders", "android"), ("shop", "ios-prod"), ("shop", "web")] {
        let mut batch = batch("E1", &[]);
        batch.source = source.into();
        batch.devices = vec![device(app, "d")];
        queue.enqueue(&batch).await.expect("an enqueue");
    }
    let mut dismissal = batch("E1", &["d"]);
    dismissal.kind = pushwake::queue::Kind::Dismiss;
    dismissal.source = "news".into();
    queue.enqueue(&dismissal).await.expect("a dismissal");
    let all = queue.inspect_event(None, &"E1".into()).await.expect("a look");
    let found: Vec<_> = all.devices.iter().map(|s| (s.source.as_str(), s.app.as_str())).collect();
    assert_eq!(found, [("news", APP), ("orders", "android"), ("shop", APP), ("shop", "web")]);
    assert_eq!(queue.inspect_event(Some(&"shop".into()), &"E1".into()).await.expect("a look").devices.len(), 2);
    let all = queue.inspect_device(None, &"d".into()).await.expect("a look");
    assert_eq!((all.lanes.len(), all.events.len()), (3, 4));
    let one = queue.inspect_device(Some(&"web".into()), &"d".into()).await.expect("a look");
    assert_eq!((one.lanes.len(), one.lanes[0].pending, one.events.len()), (1, 1, 1));
    let nobody = queue.inspect_device(None, &"nobody".into()).await.expect("a look");
    assert!(nobody.lanes.is_empty() && nobody.events.is_empty() && nobody.dead_tokens.is_empty());
    assert!(queue.inspect_event(None, &"E2".into()).await.expect("a look").devices.is_empty());
}

#[tokio::test]
async fn a_device_shows_its_lane_its_events_and_its_dead_tokens() {
    let database = Database::new().await;
    let queue = database.queue(1);
    for event in ["E1", "E2", "E3"] {
        drive::queue(&queue, event, "d").await;
    }
    dismiss(&queue, "E0", "d").await;
    queue.mark_dead(&[dead("d", "E1")]).await.expect("a verdict");
    complete(&queue, &head(&queue).await).await;
    head(&queue).await;
    let story = queue.inspect_device(Some(&APP.into()), &"d".into()).await.expect("a look");
    let [lane] = &story.lanes[..] else { panic!("{story:?}") };
    assert_eq!((lane.pending, lane.place.attempts), (3, 1));
    assert!(lane.place.leased_until.is_some());
    let events: Vec<_> = story.events.iter().map(|standing| (standing.event.as_str(), standing.state)).collect();
    assert_eq!(
        events,
        [("E0", State::Queued), ("E3", State::Queued), ("E2", State::InFlight), ("E1", State::Finished)],
        "the newest first"
    );
    assert_eq!(story.dead_tokens.len(), 1);
    assert!(!story.cut);
}

#[tokio::test]
async fn an_answer_that_was_cut_says_so() {
    let database = Database::new().await;
    let queue = database.queue(1);
    let devices: Vec<String> = (0..=INSPECTED_DEVICES).map(|n| format!("d{n}")).collect();
    for devices in devices.chunks(400) {
        let ids: Vec<&str> = devices.iter().map(String::as_str).collect();
        queue.enqueue(&batch("E", &ids)).await.expect("an enqueue");
    }
    let story = story(&queue, "E").await;
    assert_eq!((story.devices.len(), story.cut), (INSPECTED_DEVICES, true));
    for n in 0..=INSPECTED_EVENTS {
        drive::queue(&queue, &format!("F{n}"), "hot").await;
    }
    let story = queue.inspect_device(None, &"hot".into()).await.expect("a look");
    assert_eq!((story.events.len(), story.cut), (INSPECTED_EVENTS, true));
    assert_eq!(story.events[0].event.as_str(), format!("F{INSPECTED_EVENTS}"), "the newest are shown");
    assert!(story.lanes[0].pending > INSPECTED_EVENTS as u32);
}
