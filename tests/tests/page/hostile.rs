//! What others chose is shown, and does nothing.

use serde_json::json;
use tests::http::get;
use tests::product::token;

use crate::Served;

const HOSTILE: &str = r#"<script src="//evil.example">'&"#;
const CONTENT: &str = "a title that nobody but the device may read";

#[tokio::test]
async fn ids_are_escaped_content_is_never_shown_and_a_strict_policy_stands_behind_both() {
    let served = Served::start().await;
    let request = json!({"source": HOSTILE, "event": HOSTILE,
        "notification": {"title": CONTENT, "body": CONTENT, "data": {"text": CONTENT}},
        "devices": [{"id": HOSTILE, "app": "ios-prod", "token": token(7)}]});
    served.product.enqueue(&request).await;
    served.product.until(|tally| tally.delivered == 1).await;
    let encoded = "%3Cscript%20src%3D%22%2F%2Fevil.example%22%3E%27%26";
    let shown = "&lt;script src=&quot;//evil.example&quot;&gt;'&amp;";
    for path in ["/".to_owned(), format!("/event?event={encoded}"), format!("/device?device={encoded}")] {
        let body = served.shows(&path, &["delivered", shown]).await;
        assert!(!body.contains("<script src=\"//"), "{path}");
        assert!(!body.contains(CONTENT) && !body.contains(&token(7)), "{path}");
        let answer = get(served.serving.address(), &path).await;
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe"), "{path}: {policy}");
        assert!(answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")), "{path}");
    }
    served.stop().await;
}

#[tokio::test]
async fn a_dead_letter_is_shown_without_what_it_says() {
    let served = Served::start().await;
    let send = |body: &'static str| served.product.stack.sqs.send(local::stack::DEAD_WAKES, body, None);
    send(CONTENT).await.expect("it is sent");
    send(r#"{"v":1,"why":"retry","hop":3}"#).await.expect("it is sent");
    let body = served.shows("/", &["no wake of ours, 43 bytes", "retry, hop 3"]).await;
    assert!(!body.contains(CONTENT));
    assert_eq!(served.product.stack.sqs.counts(local::stack::DEAD_WAKES).visible, 2, "nothing was received");
    served.stop().await;
}
