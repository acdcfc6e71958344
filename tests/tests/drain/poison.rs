//! Rows that can't be read, through the real APNs client.

use local::apns::{Options, Server};
use pushwake::app::Apps;
use pushwake::contract::Target;
use pushwake::function::metric::Metric;
use tests::drive::APP;

use crate::setup::{Setup, counted, deliver, run};

#[tokio::test(flavor = "multi_thread")]
async fn c09_a_poison_row_at_the_head_is_set_aside_and_the_ones_behind_it_go_out_in_the_same_drain() {
    const POISON: [&str; 7] = [
        "null",
        "[]",
        "{}",
        "\"text\"",
        r#"{"kind":"alert"}"#,
        r#"{"kind":"song","event":"e"}"#,
        r#"{"kind":"alert","event":"e"}"#,
    ];
    let setup = Setup::new().await;
    let apns = Server::start(Options::default()).await.expect("a simulated APNs");
    let devices: Vec<String> = (0..POISON.len()).map(|n| format!("p{n}")).collect();
    let mut devices: Vec<&str> = devices.iter().map(String::as_str).collect();
    setup.enqueue("e1", &devices).await;
    for (payload, device) in POISON.iter().zip(&devices) {
        let poison = format!("update notifications set payload = '{payload}' where device = '{device}'");
        setup.database.execute(&poison).await;
    }
    setup.enqueue("bad-target", &["target"]).await;
    setup.database.execute("update notifications set target = '{}' where event = 'bad-target'").await;
    devices.push("target");
    setup.enqueue("e2", &devices).await;
    setup.enqueue("e3", &["other"]).await;
    let target = Target::Apns { token: "00ff".repeat(16) }.to_json();
    setup.database.execute(&format!("update notifications set target = '{target}' where target::text <> '{{}}'")).await;

    let good = r#"{"kind":"alert","event":"e","notification":{"title":"t"}}"#;
    setup.database.execute(&format!("update notifications set payload = '{good}' where event in ('e2', 'e3')")).await;

    let mut drain = setup.drain(deliver);
    drain.providers = providers(&apns);
    let summary = run(&mut drain).await;
    let poisoned = devices.len() as u64;
    assert_eq!(counted(&summary, [Metric::Poison, Metric::Delivered, Metric::Rejected]), [poisoned, poisoned + 1, 0]);
    assert_eq!((apns.tally().delivered, setup.left().await), (poisoned + 1, 0));
}

fn providers(apns: &Server) -> drain::provider::Providers {
    let folder = tempfile::tempdir().expect("a folder");
    let credentials = apns.write_credentials(folder.path()).expect("written");
    let settings = serde_json::json!({ APP: apns.app(&credentials) }).to_string();
    let configured = Apps::parse(&settings).expect("the settings of an app");
    let mut providers = drain::provider::Providers::new(Some(&credentials.ca)).expect("a CA");
    for app in configured.iter() {
        providers.add(app, apns.key_pem()).expect("a key");
    }
    providers
}
