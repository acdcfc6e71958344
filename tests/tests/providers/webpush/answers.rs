use std::time::Duration;

use drain::outcome::Outcome;
use local::webpush::Reply;

use super::rig::{Rig, at, send};
use crate::rig::named;

#[tokio::test]
async fn every_kind_of_answer_comes_back_as_its_outcome() {
    let rig = Rig::start().await;
    let replies = [
        (Reply::status(404, "Gone"), "unregistered", "Gone"),
        (Reply::raw(410, r#"{"code":410,"errno":106}"#), "unregistered", "status 410"),
        (Reply::raw(413, ""), "rejected", "status 413"),
        (Reply::raw(429, ""), "throttled", "status 429"),
        (Reply::raw(406, ""), "throttled", "status 406"),
        (Reply::raw(503, "<html>bad gateway</html>"), "unavailable", "status 503"),
        (Reply::status(403, "BadJwtToken"), "misconfigured", "BadJwtToken"),
        (Reply::raw(401, ""), "misconfigured", "status 401"),
        (Reply::raw(400, vec![b'x'; 200_000]), "misconfigured", "status 400"),
        (Reply::raw(204, ""), "delivered", ""),
    ];
    for (i, (reply, name, reason)) in replies.into_iter().enumerate() {
        let browser = format!("b{i}");
        rig.server.script(&browser, [reply]);
        assert_eq!(named(&rig.send(&browser, 1).await.outcome), (name, reason));
    }
    assert_eq!(rig.server.tally().connections, 1, "no answer costs a connection");
}

#[tokio::test]
async fn a_subscription_that_is_gone_or_was_never_there_is_dead() {
    let rig = Rig::start().await;
    let target = rig.subscribe("ada");
    assert_eq!(send(&rig.client, &target, 1).await.outcome, Outcome::Delivered);
    rig.server.unsubscribe("ada");
    assert_eq!(named(&send(&rig.client, &target, 2).await.outcome), ("unregistered", "Unsubscribed"));
    let unknown = at(&target, &format!("{}/push/nobody", rig.server.base_url()));
    assert_eq!(named(&send(&rig.client, &unknown, 3).await.outcome), ("unregistered", "UnknownSubscription"));
}

#[tokio::test]
async fn retry_after_is_read_in_seconds_and_as_a_date() {
    let rig = Rig::start().await;
    let date = "Fri, 31 Dec 9999 23:59:59 GMT";
    for (i, (value, expected)) in [(" 17 ", Some(17)), (date, Some(12 * 3600)), ("-1", None)].into_iter().enumerate() {
        let browser = format!("b{i}");
        rig.server.script(&browser, [Reply::raw(429, "").retry_after(value)]);
        let retry_after = expected.map(Duration::from_secs);
        let throttled = Outcome::Throttled { reason: "status 429".into(), retry_after, whole_provider: false };
        assert_eq!(rig.send(&browser, 1).await.outcome, throttled);
    }
}

#[tokio::test]
async fn c07_ambiguous_when_closed_without_an_answer_and_never_resent_here() {
    let rig = Rig::start().await;
    rig.server.script("ada", [Reply::close(), Reply::refuse()]);
    assert_eq!(named(&rig.send("ada", 1).await.outcome), ("ambiguous", "ConnectionLost"));
    assert_eq!(rig.send("ada", 1).await.outcome, Outcome::Delivered, "a refused stream is resent once");
    let requests = rig.server.requests_of("ada");
    assert_eq!(requests.len(), 3);
    assert!(requests.iter().all(|request| request.asked.topic == requests[0].asked.topic));
}
