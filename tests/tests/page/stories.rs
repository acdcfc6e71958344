//! The story of one event and of one device.

use local::apns::Reply;
use pushwake::function::device_hash;
use serde_json::json;
use tests::http::get;
use tests::product::{event, token};

use crate::Served;

#[tokio::test]
async fn an_events_story_tells_when_it_was_queued_what_was_tried_and_what_is_left() {
    let served = Served::start().await;
    served.product.apns().script(&token(1), [Reply::status(429, "TooManyRequests").retry_after("200")]);
    served.product.apns().script(&token(2), [Reply::status(413, "PayloadTooLarge")]);
    served.product.queue(5, [0, 1, 2]).await;
    let all = [
        "throttled",
        "TooManyRequests",
        "delivered",
        "rejected",
        "PayloadTooLarge",
        "3 of 3",
        "1 attempt",
        "rests until",
    ];
    served.shows("/event?source=tests&event=e5", &all).await;
    // A line of a log knows no source, and a device by its hash alone.
    served.shows("/event?event=e5", &all).await;
    let hash = device_hash(&"ios-prod".into(), &"d1".into());
    for path in [format!("/device?app=ios-prod&hash={hash}"), "/device?app=ios-prod&device=d1".to_owned()] {
        let body = served.shows(&path, &["TooManyRequests", "1 attempt", "e5", "rests until"]).await;
        assert!(!body.contains("PayloadTooLarge"), "{path}: that is another device's");
    }
    served.stop().await;
}

#[tokio::test]
async fn a_browser_without_script_is_told_to_reload_and_the_script_and_style_are_our_own() {
    let served = Served::start().await;
    let page = served.shows("/", &[r#"<noscript><meta http-equiv="refresh""#, "all quiet"]).await;
    assert!(!page.contains("style=") && !page.contains("onclick") && !page.contains("https://"), "{page}");
    for (path, kind) in [("/page.js", "text/javascript"), ("/page.css", "text/css")] {
        let answer = get(served.serving.address(), path).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    served.stop().await;
}

#[tokio::test]
async fn a_device_whose_token_died_says_so() {
    let served = Served::start().await;
    served.product.apns().script(&token(1), [Reply::status(410, "Unregistered")]);
    served.product.queue(5, [1]).await;
    served.shows("/device?device=d1", &["Dead tokens", "Unregistered", "Nothing waits for it."]).await;
    served.stop().await;
}

#[tokio::test]
async fn what_is_due_later_is_left_and_what_nobody_knows_is_said_to_be_unknown() {
    let served = Served::start().await;
    let mut later = event(6, [3]);
    let later_at = time::OffsetDateTime::now_utc() + time::Duration::hours(1);
    later["send_at"] = json!(later_at.format(&time::format_description::well_known::Rfc3339).expect("a time"));
    served.product.enqueue(&later).await;
    served.shows("/event?event=e6", &["queued", "due in 60 min", "0 attempts", "None yet."]).await;
    served.shows("/event?event=e7", &["Nobody knows this event"]).await;
    served.shows("/device?device=d9", &["Nobody knows this device"]).await;
    let address = served.serving.address();
    for path in ["/event", "/event?event=%00", "/device?app=ios-prod", "/device?app=ios-prod&hash=%00"] {
        let answer = get(address, path).await;
        assert_eq!(answer.status, 400, "{path}");
        assert!(answer.body.contains("Back to the overview"), "{path}");
    }
    served.stop().await;
}
