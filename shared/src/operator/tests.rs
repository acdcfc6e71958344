//! What is an action, what is the minute, and what is neither.

use super::Action;

fn fault(event: &str) -> String {
    Action::read(event).expect_err(event).to_string()
}

#[test]
fn whatever_has_no_action_is_the_minute() {
    let scheduler = r#"{"version": "0", "source": "aws.scheduler", "detail-type": "Scheduled Event", "detail": "{}"}"#;
    for event in ["{}", "null", "[]", "1", r#""action""#, scheduler, r#"{"app": "ios", "device": "d"}"#, "{"] {
        assert_eq!(Action::read(event), Ok(None), "{event}");
    }
}

#[test]
fn the_samples_are_what_their_names_say() {
    let sample = |name: &str| {
        let path = format!("{}/../events/{name}.json", env!("CARGO_MANIFEST_DIR"));
        Action::read(&std::fs::read_to_string(path).expect("a sample")).expect("an event")
    };
    assert_eq!(sample("schedule"), None);
    assert!(matches!(sample("operator-forget"), Some(Action::Forget { .. })));
    assert!(matches!(sample("operator-inspect-event"), Some(Action::InspectEvent { source: Some(_), .. })));
    assert!(matches!(sample("operator-inspect-device"), Some(Action::InspectDevice { app: Some(_), .. })));
}

#[test]
fn an_action_is_what_it_was_written_as() {
    let (source, app) = (Some("shop".into()), Some("ios".into()));
    for action in [
        Action::InspectEvent { source, event: "e\"é".into() },
        Action::InspectEvent { source: None, event: "e".into() },
        Action::InspectDevice { app, device: "d".into() },
        Action::InspectDevice { app: None, device: "d".into() },
        Action::Forget { app: "ios".into(), device: "d".into() },
    ] {
        assert_eq!(Action::read(&action.to_json()), Ok(Some(action)));
    }
    assert!(matches!(Action::read(r#"{"action": "inspect", "event": "e"}"#), Ok(Some(Action::InspectEvent { .. }))));
}

#[test]
fn what_can_not_be_read_names_its_field_and_is_never_the_minute() {
    for (event, expected) in [
        (r#"{"action": "drop"}"#, "action: must be one of inspect, forget"),
        (r#"{"action": null}"#, "action: is missing"),
        (r#"{"action": 7, "event": "e"}"#, "action: must be a string"),
        (r#"{"action": "inspect", "action": "forget"}"#, "action: is given twice"),
        (r#"{"action": "inspect"}"#, "event: is missing: name an event, or a device"),
        (r#"{"action": "inspect", "event": 1}"#, "event: must be a string"),
        (r#"{"action": "inspect", "event": ""}"#, "event: is empty"),
        (r#"{"action": "inspect", "event": "a\u0000"}"#, "event: contains a NUL character"),
        (r#"{"action": "inspect", "event": "e", "device": "d"}"#, "device: is not a known field"),
        (r#"{"action": "inspect", "device": "d", "source": "s"}"#, "source: is not a known field"),
        (r#"{"action": "forget", "device": "d"}"#, "app: is missing"),
        (r#"{"action": "forget", "app": "ios"}"#, "device: is missing"),
        (r#"{"action": "forget", "app": "ios", "device": ["d"]}"#, "device: must be a string"),
        (r#"{"action": "forget", "app": "ios", "device": "d", "dry_run": true}"#, "dry_run: is not a known field"),
        (r#"{"v": 2, "action": "forget", "app": "ios", "device": "d"}"#, "v: must be 1"),
    ] {
        let fault = fault(event);
        assert!(fault.starts_with(expected), "{event}: {fault}");
    }
}
