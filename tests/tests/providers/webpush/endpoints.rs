use drain::outcome::Outcome;
use local::webpush::Reply;
use serde_json::json;

use super::rig::{Rig, at, send};

fn rejected(reason: &'static str) -> Outcome {
    Outcome::Rejected { reason: reason.into(), listed: false }
}

#[tokio::test]
async fn c38_endpoint_addresses_are_refused_again_before_every_send() {
    let rig = Rig::start().await;
    let target = rig.subscribe("ada");
    let port = rig.server.base_url().rsplit_once(':').expect("a port").1.to_owned();
    for url in [
        "http://fcm.googleapis.com/x".to_owned(),
        "https://fcm.googleapis.com:8080/x".to_owned(),
        "https://user@fcm.googleapis.com/x".to_owned(),
        "https://127.0.0.1/x".to_owned(),
        "https://[::1]/x".to_owned(),
        "https://169.254.169.254/latest/meta-data".to_owned(),
        "https://100.64.0.1/x".to_owned(),
        "https://[::ffff:10.0.0.1]/x".to_owned(),
        "https://localhost/x".to_owned(),
        // Almost the simulated service, which is the only exception.
        format!("http://127.0.0.1:{port}/push/ada"),
        format!("https://localhost:{port}/push/ada"),
        format!("https://user@127.0.0.1:{port}/push/ada"),
        format!("https://[::ffff:127.0.0.1]:{port}/push/ada"),
        format!("https://127.1:{port}/push/ada"),
    ] {
        assert_eq!(send(&rig.client, &at(&target, &url), 1).await.outcome, rejected("ForbiddenEndpoint"), "{url}");
    }
    assert_eq!(rig.server.tally().connections, 0, "nobody was asked");
    assert_eq!(send(&rig.client, &target, 1).await.outcome, Outcome::Delivered);
}

#[tokio::test]
async fn c38_a_name_on_the_list_that_resolves_to_a_private_address_is_not_connected_to() {
    let rig = Rig::start().await;
    let target = rig.subscribe("ada");
    let client = rig.client_with(&[("hosts", json!(["localhost"])), ("base_url", json!(null))]);
    let sent = send(&client, &at(&target, "https://localhost/push/ada"), 1).await;
    assert_eq!(sent.outcome, rejected("ForbiddenAddress"));
}

#[tokio::test]
async fn c38_a_redirect_is_not_followed() {
    let rig = Rig::start().await;
    for (n, status) in [301, 302, 303, 307, 308].into_iter().enumerate() {
        let browser = format!("b{n}");
        rig.server.script(&browser, [Reply::raw(status, "")]);
        let outcome = rig.send(&browser, 1).await.outcome;
        assert_eq!(outcome, Outcome::Rejected { reason: format!("status {status}").into(), listed: false });
    }
    assert_eq!(rig.server.tally().requests, 5);
}
