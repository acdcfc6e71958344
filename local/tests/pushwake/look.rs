//! `pushwake status` and `pushwake forget`.

use local::stack::APP;

use super::running::{Running, request};

#[tokio::test(flavor = "multi_thread")]
async fn an_event_and_a_device_are_found_by_name_alone_or_named_as_what_they_are() {
    let running = Running::start().await;
    for (event, device) in [("e1", "phone"), ("e2", "phone"), ("phone", "tablet")] {
        let sent = running.run(&["send", "-"], request(event, device).as_bytes()).await;
        assert_eq!(sent.status, Some(0), "{sent:?}");
    }
    for (arguments, expected) in [
        (&["status", "e1"][..], &["event e1 of tests\n  queued     ios-prod  phone  head of its lane, due"][..]),
        (
            &["status", "event", "e2", "--source", "tests"],
            &["behind 1 in its lane (its head: due", "expires in", "a duplicate if sent again, for 23 h"],
        ),
        (&["status", "device", APP, "phone"], &["device phone\n  lane in ios-prod: 2 queued", "ios-prod  tests  e2"]),
        (&["status", "device", "tablet"], &["lane in ios-prod: 1 queued"]),
        // both an event and a device
        (&["status", "phone"], &["event phone of tests\n", "device phone\n"]),
    ] {
        let ran = running.run(arguments, b"").await;
        assert_eq!(ran.status, Some(0), "{ran:?}");
        for expected in expected {
            assert!(ran.out.contains(expected), "{arguments:?}: {expected} in {}", ran.out);
        }
        assert!(!ran.out.contains("canary") && !ran.out.contains("00aa00aa") && !ran.out.contains('\x1b'), "{ran:?}");
        let ran = running.run(&[arguments, &["--json"]].concat(), b"").await;
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(ran.json().iter().all(|answer| answer["v"] == 1), "{ran:?}");
    }
    for unknown in [&["status", "nobody"][..], &["status", "device", "phone", "e1"], &["status", "event", "tablet"]] {
        let ran = running.run(unknown, b"").await;
        assert!(ran.status == Some(1) && ran.out.contains("is known: receipts are kept for 24 h"), "{ran:?}");
    }
    let odd = running.run(&["status", "event", ""], b"").await;
    assert!(odd.status == Some(1) && odd.err.contains("nothing was done: event: is empty"), "{odd:?}");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_is_forgotten_once_that_is_confirmed() {
    let running = Running::start().await;
    for event in ["e1", "e2"] {
        running.run(&["send", "-"], request(event, "phone").as_bytes()).await;
    }
    let asked = running.run(&["forget", APP, "phone"], b"y\n").await;
    assert!(asked.status == Some(2) && asked.err.contains("pass --yes"), "{asked:?}");
    let forgotten = running.run(&["forget", APP, "phone", "--yes"], b"").await;
    assert_eq!(forgotten.status, Some(0), "{forgotten:?}");
    let expected = "removed of phone in ios-prod: 2 notifications, 2 receipts, 0 dismissals, 0 dead tokens\n";
    assert!(forgotten.out.starts_with(expected), "{forgotten:?}");
    let again = running.run(&["forget", APP, "phone", "--yes", "--json"], b"").await;
    let answer = &again.json()[0];
    assert!(answer["complete"] == true && answer["removed"]["notifications"] == 0, "{again:?}");
    assert_eq!(running.run(&["status", "phone"], b"").await.status, Some(1));
    let sent = running.run(&["send", "-"], request("e1", "phone").as_bytes()).await;
    assert!(sent.out.contains("queued"), "an event of a forgotten device is new: {sent:?}");
    running.stop().await;
}
