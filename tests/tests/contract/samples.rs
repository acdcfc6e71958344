//! Every file under `events/`, through what it is for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use aws_lambda_events::sqs::SqsEvent;
use local::stack::{ANDROID, APP, WEB};
use pushwake::contract::{Kind, Request, Response, Status};
use pushwake::operator::Action;
use pushwake::wake::Wake;
use serde_json::Value;
use tests::product::{Product, acknowledged};
use tests::schema::validator;
use time::{Duration, OffsetDateTime};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The samples whose names begin so, by name.
fn samples(prefix: &str) -> Vec<(String, String)> {
    let entries = root().join("events").read_dir().expect("events");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let samples = paths.filter(|path| name(path).starts_with(prefix));
    let mut samples: Vec<_> =
        samples.map(|path| (name(&path), std::fs::read_to_string(&path).expect("a sample"))).collect();
    samples.sort();
    samples
}

#[test]
fn every_sample_has_a_test() {
    let prefixes = ["README.md", "enqueue-", "env.json", "operator-", "schedule.json", "wake.json"];
    for (name, _) in samples("") {
        assert!(prefixes.iter().any(|prefix| name.starts_with(prefix)), "events/{name} is for nothing that is tested");
    }
}

#[test]
fn there_is_a_sample_for_every_kind_on_every_platform_and_each_fits_the_schema() {
    let request = validator("request.json");
    let mut found = BTreeSet::new();
    for (name, text) in samples("enqueue-") {
        let sample: Value = serde_json::from_str(&text).expect(&name);
        assert!(request.is_valid(&sample), "{name}: {:?}", request.validate(&sample).err());
        let sample: Request = serde_json::from_str(&text).expect(&name);
        for device in sample.devices {
            let scheduled = if sample.send_at.is_some() { "later" } else { "now" };
            found.insert((sample.kind.as_str(), device.app.as_str().to_owned(), scheduled));
        }
    }
    for kind in [Kind::Alert, Kind::Background, Kind::Dismiss] {
        for app in [APP, ANDROID, WEB] {
            assert!(found.contains(&(kind.as_str(), app.to_owned(), "now")), "no sample of {kind:?} for {app}");
        }
    }
    assert!(found.iter().any(|(.., when)| *when == "later"), "no sample is scheduled");
}

#[tokio::test]
async fn enqueue_takes_every_sample() {
    let product = Product::without_drains().await;
    let response = validator("response.json");
    for (name, text) in samples("enqueue-") {
        let mut request: Request = serde_json::from_str(&text).expect(&name);
        let in_an_hour = OffsetDateTime::now_utc() + Duration::hours(1);
        request.send_at = request.send_at.map(|_| in_an_hour);
        request.expires_at = request.expires_at.map(|_| in_an_hour + Duration::hours(1));
        let moved = serde_json::to_string(&request).expect("JSON");
        // As it is, unless its times have to be moved.
        let text = if request.send_at.is_some() { moved } else { text };
        let answer: Value = product.stack.enqueue.invoke(text).await.json().expect(&name);
        assert!(response.is_valid(&answer), "{name}: {answer}");
        let answer: Response = serde_json::from_value(answer).expect(&name);
        let expected = if request.kind == Kind::Dismiss { Status::Dismissed } else { Status::Queued };
        assert!(answer.results.iter().all(|result| result.status == expected), "{name}: {answer:?}");
    }
    product.stop().await;
}

async fn answer(product: &Product, event: &str) -> Value {
    product.stack.schedule.invoke(event.to_owned()).await.json().expect("schedule answers")
}

#[tokio::test]
async fn the_functions_take_the_samples_of_what_starts_them() {
    let product = Product::without_drains().await;
    let [(_, wake)] = &samples("wake.json")[..] else { panic!("one wake") };
    let event: SqsEvent = serde_json::from_str(wake).expect("an event of SQS");
    let [record] = &event.records[..] else { panic!("one message") };
    assert!(record.body.as_deref().and_then(Wake::read).is_some(), "{record:?}");
    let drained = product.stack.drain.invoke(wake.clone()).await;
    assert!(acknowledged(&drained), "{drained:?}");

    let [(_, minute)] = &samples("schedule.json")[..] else { panic!("one minute") };
    assert_eq!(Action::read(minute), Ok(None), "no action");
    assert!(answer(&product, minute).await["due"].is_number());
    for (name, text) in samples("operator-") {
        let action = Action::read(&text).expect(&name).expect("an action");
        assert_eq!(Action::read(&action.to_json()), Ok(Some(action)), "{name}");
        assert_eq!(answer(&product, &text).await["v"], 1, "{name}");
    }
    product.stop().await;
}
