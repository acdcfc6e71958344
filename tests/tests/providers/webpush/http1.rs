use drain::outcome::Outcome;
use pushwake::contract::Target;

use super::older::{CREATED, Older};
use super::rig::{Rig, at, send};
use crate::rig::{Client, named};

/// A client of an older push service, and a browser there.
struct Setup {
    older: Older,
    client: Client,
    browser: Target,
}

async fn setup(script: fn(usize) -> Option<&'static str>) -> Setup {
    let (rig, older) = (Rig::start().await, Older::start(script).await);
    let client = rig.client_at(&older.base_url(), &older.ca());
    let browser = at(&rig.subscribe("ada"), &format!("{}/push/ada?token=a%2fb", older.base_url()));
    Setup { older, client, browser }
}

#[tokio::test]
async fn a_service_without_http_2_is_pushed_to_over_http_1() {
    let Setup { older, client, browser } = setup(|_| Some(CREATED)).await;
    for n in 1..=3 {
        assert_eq!(send(&client, &browser, n).await.outcome, Outcome::Delivered);
    }
    let head = older.heads().pop().expect("a request").to_lowercase();
    assert!(head.starts_with("post /push/ada?token=a%2fb http/1.1\r\n"), "{head}");
    let host = format!("\r\nhost: {}\r\n", older.base_url().trim_start_matches("https://"));
    for header in [&host, "\r\nttl: ", "\r\nurgency: high\r\n", "\r\ntopic: ", "\r\nauthorization: vapid t="] {
        assert!(head.contains(header), "{header} is missing in {head}");
    }
    assert_eq!(older.counts().connections, 2, "one that asked for HTTP/2, and one for all pushes");
}

#[tokio::test]
async fn many_pushes_at_once_take_a_bounded_number_of_connections() {
    let Setup { older, client, browser } = setup(|_| Some(CREATED)).await;
    let sends = (0..80).map(|n| {
        let (client, browser) = (client.clone(), browser.clone());
        tokio::spawn(async move { send(&client, &browser, n).await })
    });
    for send in sends.collect::<Vec<_>>() {
        assert_eq!(send.await.expect("no panic").outcome, Outcome::Delivered);
    }
    let counts = older.counts();
    assert_eq!(counts.requests, 80);
    assert!(counts.peak <= 17, "{counts:?}");
}

#[tokio::test]
async fn an_answer_is_read_as_over_http_2() {
    let script = |nth| match nth {
        0 => Some("HTTP/1.1 410 Gone\r\nContent-Length: 25\r\n\r\n{\"reason\":\"Unregistered\"}"),
        1 => Some("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        2 => Some("HTTP/1.1 307 Temporary Redirect\r\nLocation: https://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"),
        _ => Some(CREATED),
    };
    let Setup { older, client, browser } = setup(script).await;
    let mut outcomes = Vec::new();
    for n in 0..3 {
        outcomes.push(send(&client, &browser, n).await.outcome);
    }
    assert_eq!(named(&outcomes[0]), ("unregistered", "Unregistered"));
    assert!(matches!(&outcomes[1], Outcome::Throttled { retry_after: Some(delay), .. } if delay.as_secs() == 9));
    assert_eq!(named(&outcomes[2]), ("rejected", "status 307"));
    assert_eq!((older.counts().requests, older.counts().connections), (3, 2));
}

#[tokio::test]
async fn what_was_begun_and_not_answered_is_ambiguous_and_what_was_not_begun_is_sent_again() {
    let script = |nth| match nth {
        0 => None,
        1 => Some("HTTP/1.1 201 Created\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
        _ => Some(CREATED),
    };
    let Setup { older, client, browser } = setup(script).await;
    assert_eq!(named(&send(&client, &browser, 1).await.outcome), ("ambiguous", "ConnectionLost"));
    for n in 2..=4 {
        assert_eq!(send(&client, &browser, n).await.outcome, Outcome::Delivered);
    }
    assert_eq!(older.counts().requests, 4, "nothing is sent twice");
}

#[tokio::test]
async fn a_dropped_push_closes_its_connection() {
    let Setup { older, client, browser } = setup(|_| Some("")).await;
    let sending = tokio::spawn(async move { send(&client, &browser, 1).await });
    older.wait_until(|counts| counts.requests == 1).await;
    sending.abort();
    older.wait_until(|counts| counts.open == 0).await;
}

#[tokio::test]
async fn a_strangers_certificate_is_no_way_back_to_http_1() {
    let (rig, older) = (Rig::start().await, Older::start(|_| Some(CREATED)).await);
    let client = rig.client_with(&[("base_url", older.base_url().into())]);
    let browser = at(&rig.subscribe("ada"), &format!("{}/push/ada", older.base_url()));
    assert_eq!(named(&send(&client, &browser, 1).await.outcome), ("unavailable", "TlsFailed"));
    assert_eq!(older.counts().requests, 0);
}
