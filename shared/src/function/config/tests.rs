use std::collections::HashMap;

use super::*;

type Environment = HashMap<Name, &'static str>;

const APPS: &str = r#"{"ios":{"platform":"apns","topic":"com.example.app","environment":"production",
    "team":"TEAM123456","key_id":"KEY1234567","key":"file:/key.p8"}}"#;

fn whole() -> Environment {
    HashMap::from([
        (Name::DatabaseHost, "db.example.com"),
        (Name::DatabaseName, "push"),
        (Name::DatabaseUser, "push"),
        (Name::DatabasePassword, "secretsmanager:push/db"),
        (Name::WakeQueueUrl, "https://sqs.eu-central-1.amazonaws.com/123456789012/wakes"),
        (Name::Apps, APPS),
    ])
}

fn with(changes: &[(Name, &'static str)]) -> impl Fn(Name) -> Option<String> + use<> {
    let mut environment = whole();
    environment.extend(changes.iter().copied());
    move |name| environment.get(&name).map(|value| (*value).to_owned())
}

fn faults(error: ConfigError) -> Vec<Name> {
    error.faults.into_iter().map(|fault| fault.name).collect()
}

#[test]
fn what_is_absent_or_empty_has_its_default() {
    let changes =
        [(Name::DatabasePort, ""), (Name::Window, " "), (Name::DatabaseTls, ""), (Name::FeedbackQueueUrl, "")];
    let config = Drain::read(with(&changes)).expect("a whole environment");
    assert_eq!((config.database.port, config.window), (5432, limits::WINDOW));
    assert_eq!((config.database.tls, config.database.pooler), (Tls::VerifyFull, false));
    assert_eq!((config.provider_ca, config.database.ca, config.feedback_queue_url), (None, None, None));
    assert_eq!(config.database.application, "drain");
    assert_eq!(Enqueue::read(with(&[])).expect("a whole environment").source_quota, None);
}

#[test]
fn the_feedback_queue_is_optional_for_both_functions_that_post_to_it() {
    let url = "https://sqs.eu-central-1.amazonaws.com/123456789012/feedback";
    let drain = |changes: &[_]| Drain::read(with(changes)).expect("a whole environment").feedback_queue_url;
    let schedule = |changes: &[_]| Schedule::read(with(changes)).expect("a whole environment").feedback_queue_url;
    assert_eq!((drain(&[]), schedule(&[])), (None, None));
    let set = [(Name::FeedbackQueueUrl, url)];
    assert_eq!((drain(&set).as_deref(), schedule(&set).as_deref()), (Some(url), Some(url)));
}

#[test]
fn an_empty_environment_names_everything_that_must_be_set() {
    let database = [Name::DatabaseHost, Name::DatabaseName, Name::DatabaseUser];
    let nothing = |_| None;
    assert_eq!(faults(Migrate::read(nothing).expect_err("nothing is set")), database);
    let schedule = faults(Schedule::read(nothing).expect_err("nothing is set"));
    assert_eq!(schedule, [&database[..], &[Name::WakeQueueUrl]].concat());
    let more = [&database[..], &[Name::WakeQueueUrl, Name::Apps]].concat();
    assert_eq!(faults(Enqueue::read(nothing).expect_err("nothing is set")), more);
    assert_eq!(faults(Drain::read(nothing).expect_err("nothing is set")), more);
}

#[test]
fn every_fault_is_reported_at_once_by_name_and_without_its_value() {
    let error = Drain::read(with(&[
        (Name::DatabasePort, "canary65536"),
        (Name::DatabasePassword, "canary-password"),
        (Name::DatabaseTls, "canary-prefer"),
        (Name::DatabasePooler, "canary-yes"),
        (Name::Apps, "file:/canary/apps.json"),
        (Name::Window, "canary0"),
    ]))
    .expect_err("six faults");
    let message = error.to_string();
    assert!(!message.contains("canary") && !format!("{error:?}").contains("canary"), "{message}");
    assert!(message.contains("; DATABASE_TLS must be `verify-full` or `off`; "), "{message}");
    let named =
        [Name::DatabasePort, Name::DatabasePassword, Name::DatabaseTls, Name::DatabasePooler, Name::Apps, Name::Window];
    assert_eq!(faults(error), named);
}

#[test]
fn apps_lie_in_the_variable_or_in_the_file_or_parameter_it_names() {
    let file = std::env::temp_dir().join(format!("pushwake-{}", uuid::Uuid::new_v4()));
    let read = || {
        let named = format!("file:{}", file.display());
        Enqueue::read(|name| if name == Name::Apps { Some(named.clone()) } else { with(&[])(name) })
    };
    std::fs::write(&file, APPS).expect("a temporary file");
    assert_eq!(read().expect("apps").apps, Enqueue::read(with(&[])).expect("apps").apps);
    std::fs::write(&file, "{").expect("a temporary file");
    assert_eq!(faults(read().expect_err("not JSON")), [Name::Apps]);
    std::fs::remove_file(&file).expect("the temporary file");
    let parameter =
        |text: String| Enqueue::read(|name| if name == Name::Apps { Some(text.clone()) } else { with(&[])(name) });
    let pinned = parameter("ssm:/pushwake/apps:3".to_owned()).expect("a reference");
    assert_eq!(pinned.apps, AppsRef::Parameter("/pushwake/apps:3".to_owned()));
    assert_eq!(faults(parameter("ssm:".to_owned()).expect_err("no name")), [Name::Apps]);
    let error = Drain::read(with(&[(Name::Apps, r#"{"ios":{"platform":"canary"}}"#)])).expect_err("no such platform");
    assert!(error.to_string().contains("PUSHWAKE_APPS has faults: "), "{error}");
    assert!(!error.to_string().contains("canary"), "{error}");
}

#[test]
fn numbers_are_whole_and_in_their_range() {
    for window in ["0", "85", "-1", "1.5", "x", "99999999999999999999"] {
        assert_eq!(faults(Drain::read(with(&[(Name::Window, window)])).expect_err(window)), [Name::Window]);
    }
    assert_eq!(Drain::read(with(&[(Name::Window, "84")])).expect("in range").window, 84);
    for quota in ["0", "-5", "many"] {
        assert_eq!(faults(Enqueue::read(with(&[(Name::SourceQuota, quota)])).expect_err(quota)), [Name::SourceQuota]);
    }
    for life in ["0", "43201", "-1", "5m", "300.5"] {
        let error = Enqueue::read(with(&[(Name::DefaultLife, life)])).expect_err(life);
        assert!(error.to_string().contains("DEFAULT_LIFE must be a whole number from 1 to 43200"), "{error}");
    }
    for (life, seconds) in [("", 300), ("1", 1), ("43200", 43_200)] {
        let config = Enqueue::read(with(&[(Name::DefaultLife, life)])).expect("in range");
        assert_eq!(config.default_life.as_secs(), seconds);
    }
    assert_eq!(Enqueue::read(with(&[(Name::SourceQuota, "7")])).expect("in range").source_quota, Some(7));
}

#[test]
fn metrics_have_a_namespace_that_cloudwatch_takes_or_are_off() {
    let drain = |namespace| Drain::read(with(&[(Name::MetricsNamespace, namespace)]));
    assert_eq!(drain("").expect("off").metrics_namespace, None);
    assert_eq!(drain("Pushwake/a-1").expect("on").metrics_namespace.as_deref(), Some("Pushwake/a-1"));
    for odd in ["a b", "é", "AWS/Lambda", "a:b"] {
        assert_eq!(faults(drain(odd).expect_err(odd)), [Name::MetricsNamespace]);
    }
    let sample = |percent| Drain::read(with(&[(Name::DeliveredSample, percent)]));
    assert_eq!(["", "0", "100"].map(|percent| sample(percent).expect(percent).delivered_sample), [100, 0, 100]);
    for odd in ["101", "-1", "1.5", "all"] {
        assert_eq!(faults(sample(odd).expect_err(odd)), [Name::DeliveredSample]);
    }
}

#[test]
fn tls_is_off_on_this_machine_only() {
    for host in ["localhost", "127.0.0.1", "127.8.9.1", "::1", "/run/postgresql"] {
        let read = Migrate::read(with(&[(Name::DatabaseTls, "off"), (Name::DatabaseHost, host)]));
        assert_eq!(read.expect(host).database.tls, Tls::Off);
    }
    for host in ["db.example.com", "10.0.0.1", "0.0.0.0", "::", "localhost.example.com", "127.0.0.1.example.com"] {
        let read = Migrate::read(with(&[(Name::DatabaseTls, "off"), (Name::DatabaseHost, host)]));
        assert_eq!(faults(read.expect_err(host)), [Name::DatabaseTls]);
    }
}

#[test]
fn each_function_reads_the_variables_listed_for_it_and_no_others() {
    let read = |function: &str| {
        let asked = std::cell::RefCell::new(Vec::new());
        let lookup = |name| {
            asked.borrow_mut().push(name);
            None
        };
        let failed = match function {
            "enqueue" => Enqueue::read(lookup).is_err(),
            "drain" => Drain::read(lookup).is_err(),
            "schedule" => Schedule::read(lookup).is_err(),
            _ => Migrate::read(lookup).is_err(),
        };
        assert!(failed);
        asked.into_inner()
    };
    let mut everything = Vec::new();
    for function in ["enqueue", "drain", "schedule", "migrate"] {
        assert_eq!(read(function), variables_of(function), "{function}");
        everything.extend(variables_of(function));
    }
    assert!(Name::ALL.iter().all(|name| everything.contains(name)));
}
