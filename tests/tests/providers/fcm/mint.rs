use std::time::{Duration, Instant};

use drain::outcome::Outcome;
use local::fcm::{Options, Reply};
use pushwake::limits::SEND_TIMEOUT;

use super::rig::{Rig, send, start_send};
use crate::rig::named;

#[tokio::test]
async fn an_endpoint_that_fails_makes_fcm_unavailable_for_all_who_wait() {
    let rig = Rig::start(Options::default()).await;
    rig.server.mint_gate().close();
    rig.server.script_mints([Reply::raw(503, "<html>").retry_after("17")]);
    let sends: Vec<_> = (0..12).map(|i| start_send(&rig.client, &format!("token-{i}"), 1)).collect();
    rig.server.wait_for_mint_requests(1).await;
    rig.server.mint_gate().open();
    let retry_after = Some(Duration::from_secs(17));
    let unavailable = Outcome::Unavailable { reason: "token status 503".into(), retry_after };
    for send in sends {
        assert_eq!(send.await.expect("no panic").outcome, unavailable);
    }
    assert_eq!(send(&rig.client, "token-1", 2).await.outcome, unavailable, "as long as it asked for");
    assert_eq!((rig.server.mint_requests(), rig.server.tally().requests), (1, 0));
}

#[tokio::test]
async fn an_account_that_google_does_not_know_is_our_fault() {
    let rig = Rig::start(Options::default()).await;
    let key = rig.server.key_json();
    let stranger = key.replace("push@", "nobody@");
    let elsewhere = rig.server.key_json_for("https://127.0.0.1:1/token");
    let token_url = format!("{}/token", rig.server.base_url());
    for (changed, key) in [
        (vec![], stranger),
        (vec![("token_url", token_url.as_str())], key.replace("test-key-1", "test-key-2")),
        (vec![("token_url", token_url.replace("127.0.0.1", "localhost").as_str())], key.replace("push@", "nobody@")),
    ] {
        let client = rig.client_with(&changed, &key);
        assert_eq!(named(&send(&client, "token-1", 1).await.outcome), ("misconfigured", "invalid_grant"));
    }
    let client = rig.client_with(&[("token_url", &token_url)], &elsewhere);
    assert_eq!(send(&client, "token-1", 1).await.outcome, Outcome::Delivered, "the setting wins over the key");
    let client = rig.client_with(&[], &elsewhere);
    assert_eq!(named(&send(&client, "token-1", 1).await.outcome), ("unavailable", "ConnectFailed"));
}

#[tokio::test]
async fn an_answer_without_a_token_is_no_token() {
    for answer in
        ["", "{}", r#"{"access_token":7}"#, r#"{"access_token":"a\nb"}"#, r#"{"access_token":"x","expires_in":-1}"#]
    {
        let rig = Rig::start(Options::default()).await;
        rig.server.script_mints([Reply::raw(200, answer)]);
        let outcome = send(&rig.client, "token-1", 1).await.outcome;
        assert_eq!(named(&outcome), ("unavailable", "UnreadableAccessToken"), "{answer}");
    }
}

#[tokio::test]
async fn an_endpoint_that_is_silent_costs_half_a_send() {
    let rig = Rig::start(Options::default()).await;
    rig.server.script_mints([Reply::hang()]);
    let began = Instant::now();
    let sends: Vec<_> = (0..12).map(|i| start_send(&rig.client, &format!("token-{i}"), 1)).collect();
    for send in sends {
        assert_eq!(named(&send.await.expect("no panic").outcome), ("unavailable", "Timeout"));
    }
    let took = began.elapsed();
    assert!((Duration::from_secs(5)..SEND_TIMEOUT).contains(&took), "{took:?}");
    assert_eq!(rig.server.tally().requests, 0, "without a token nothing is sent");
}
