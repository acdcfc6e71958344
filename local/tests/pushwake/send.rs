//! `pushwake send`.

use std::fs;

use serde_json::json;

use super::running::{Running, request};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_malformed_names_its_line_and_the_rest_is_sent() {
    let running = Running::start().await;
    let invalid = json!({"source": "tests", "event": "e4", "devices": []}).to_string();
    let bad_device = request("e5", "d").replace("00aa00aa", "secret-token");
    let mut file = format!("{}\n{{\"event\":\n\n", request("e1", "d")).into_bytes();
    file.extend(b"\x00\xFF\x7FELF binary\n");
    file.extend(format!("{invalid}\n{bad_device}\n{}", request("e6", "d")).bytes());
    let ran = running.run(&["send", "--json", "-"], &file).await;
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let said = ran.json();
    let lines: Vec<_> = said.iter().map(|said| said["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 2, 4, 5, 6, 7], "{ran:?}");
    let status = |n: usize| said[n]["response"]["results"][0]["status"].as_str();
    assert_eq!((status(0), status(4), status(5)), (Some("queued"), Some("invalid"), Some("queued")));
    assert_eq!(said[4]["response"]["results"][0]["field"], "devices[0].token");
    assert_eq!((&said[1]["error"]["kind"], &said[2]["error"]["kind"]), (&json!("malformed"), &json!("malformed")));
    assert!(said[1]["error"]["message"].as_str().unwrap().starts_with("column 9: no JSON: EOF"), "{ran:?}");
    assert!(said[3]["error"]["message"].as_str().unwrap().starts_with("devices: "), "{ran:?}");
    assert!(
        ran.err.contains("4 requests sent") || ran.err.contains("3 requests sent, 2 malformed, 1 failed"),
        "{ran:?}"
    );
    // As a person reads it: no colours, since nobody looks, and nothing of the content.
    let ran = running.run(&["send", "-"], &file).await;
    assert_eq!(ran.status, Some(1), "{ran:?}");
    for expected in [
        "standard input:1  e1\n  duplicate     ios-prod  d\n",
        "standard input:2  column 9: no JSON",
        "standard input:4  is no text in UTF-8",
        "standard input:5  e4  devices: ",
        "  invalid       ios-prod  d  devices[0].token: ",
    ] {
        assert!(ran.out.contains(expected), "{expected} in {}", ran.out);
    }
    assert!(!ran.out.contains('\x1b') && !ran.out.contains("canary") && !ran.out.contains("secret"), "{ran:?}");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_is_sent_once_and_a_second_time_it_is_a_duplicate() {
    let running = Running::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flood.jsonl");
    let flood: Vec<_> = (0..500).map(|n| request(&format!("e{n}"), &format!("d{}", n % 50))).collect();
    fs::write(&file, flood.join("\n")).unwrap();
    let file = file.to_str().unwrap();
    for (arguments, expected) in [
        (&["send", "--json", file][..], "500 requests sent; devices: 500 queued"),
        (&["send", "--json", "--concurrency", "2", file], "500 requests sent; devices: 500 duplicate"),
        (&["send", "--json", "--new-event", file], "500 requests sent; devices: 500 queued"),
    ] {
        let ran = running.run(arguments, b"").await;
        assert_eq!((ran.status, ran.err.trim()), (Some(0), expected), "{}", ran.out);
        let lines: Vec<_> = ran.json().iter().map(|said| said["line"].as_u64().unwrap()).collect();
        assert_eq!(lines, (1..=500).collect::<Vec<_>>(), "in their order");
    }
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn several_files_of_every_shape_are_sent_and_one_that_is_missing_costs_no_other() {
    let running = Running::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let array = file("array.json", &format!("[\n{},\n{}\n]", request("a1", "a"), request("a2", "a")));
    let huge = file("huge.json", &format!("{{\"x\": \"{}\"}}", "x".repeat(7 * 1024 * 1024)));
    let empty = file("empty.json", "");
    let missing = folder.path().join("missing.json").to_str().unwrap().to_owned();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../events/enqueue-alert.json");
    let ran = running.run(&["send", &array, &missing, &empty, &huge, sample], b"").await;
    assert_eq!(ran.status, Some(1), "{ran:?}");
    for expected in [
        format!("{array}:2  a1"),
        format!("{array}:3  a2"),
        format!("{missing}  can't be read: No such file"),
        format!("{empty}:1  holds no request"),
        format!("{huge}:1  is 7340041 bytes long; Lambda takes 6291456 at most"),
        format!(
            "{sample}:1  order-1742-shipped\n  queued        ios-prod  ada-phone\n  queued        ios-prod  ada-tablet\n"
        ),
    ] {
        assert!(ran.out.contains(&expected), "{expected} in {}", ran.out);
    }
    assert!(ran.err.contains("3 requests sent, 3 malformed"), "{}", ran.err);
    // An alias, an ARN, and a function that is not there.
    for (function, status) in [("enqueue:live", 0), ("pushwake-nothing", 1)] {
        let ran = running.run(&["send", "--function", function, sample], b"").await;
        assert_eq!(ran.status, Some(status), "{ran:?}");
        assert!(status == 0 || ran.out.contains("ResourceNotFoundException: Function not found"), "{ran:?}");
    }
    running.stop().await;
}
