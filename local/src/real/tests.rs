use clap::Parser;
use drain::provider::Providers;
use pushwake::app::Apps;

use super::*;
use crate::{apns, fcm, webpush};

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    real: Real,
}

fn parse(arguments: &[&str]) -> Result<Real, clap::Error> {
    Arguments::try_parse_from([&["up"], arguments].concat()).map(|arguments| arguments.real)
}

#[tokio::test]
async fn keys_alone_make_apps_of_the_real_hosts_that_a_drain_can_sign_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let apple = apns::Server::start(apns::Options::default()).await.expect("a server");
    let fcm = fcm::Server::start(fcm::Options::default()).await.expect("a server");
    let webpush = webpush::Server::start(webpush::Options::default()).await.expect("a server");
    let named = folder.path().join("AuthKey_ABCDE12345.p8");
    std::fs::rename(apple.write_credentials(folder.path()).expect("a key").key, &named).expect("renamed");
    let account = fcm.write_credentials(folder.path()).expect("a key").key;
    let vapid = webpush.write_credentials(folder.path()).expect("a key").key;
    let real = parse(&[
        "--apns-key",
        named.to_str().expect("a path"),
        "--apns-team",
        "TEAM123456",
        "--apns-topic",
        "com.example.app",
        "--fcm-key",
        account.to_str().expect("a path"),
        "--vapid-key",
        vapid.to_str().expect("a path"),
        "--vapid-subject",
        "mailto:push@example.com",
    ]);
    let apps = real.expect("options").apps().expect("apps");
    assert_eq!(apps[APP]["key_id"], "ABCDE12345");
    let apps = Apps::parse(&Value::Object(apps).to_string()).expect("apps");
    let mut providers = Providers::new(None).expect("roots");
    for app in apps.iter() {
        let key = std::fs::read_to_string(app.platform.key().trim_start_matches("file:")).expect("a key");
        providers.add(app, &key).expect("the key signs");
    }
    assert_eq!(providers.apps().count(), 3);
}

#[test]
fn without_keys_every_app_is_simulated() {
    assert!(parse(&[]).expect("options").apps().expect("apps").is_empty());
}

#[test]
fn what_belongs_to_a_key_comes_with_it_and_what_is_no_key_is_named() {
    assert!(parse(&["--apns-key", "x.p8"]).is_err_and(|error| error.to_string().contains("--apns-team")));
    assert!(parse(&["--apns-topic", "com.example.app"]).is_err());
    assert!(parse(&["--vapid-key", "x"]).is_err());
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("AuthKey_X.p8");
    std::fs::write(&file, "CANARY").expect("a file");
    let file = file.to_str().expect("a path");
    for arguments in [
        &["--apns-key", file, "--apns-team", "T", "--apns-topic", "t"][..],
        &["--fcm-key", file],
        &["--vapid-key", file, "--vapid-subject", "mailto:a@example.com"],
        &["--fcm-key", "/nowhere"],
    ] {
        let error = parse(arguments).expect("options").apps().expect_err("no key").to_string();
        assert!(error.starts_with(arguments[0]) && !error.contains("CANARY"), "{error}");
    }
}
