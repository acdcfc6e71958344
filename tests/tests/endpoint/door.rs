//! Who is let in.

use tests::http::ask;

use crate::Served;

const INVOKE: &str = "POST /2015-03-31/functions/pushwake-enqueue/invocations";

#[tokio::test]
async fn a_page_of_a_browser_that_came_from_elsewhere_can_neither_read_nor_invoke() {
    let served = Served::start().await;
    let address = served.serving.address();
    let own = address.to_string();
    for (line, host, origin, status) in [
        (INVOKE, own.as_str(), None, 200),
        (INVOKE, "rebound.example", None, 403),
        (INVOKE, &own, Some("https://elsewhere.example"), 403),
        (INVOKE, &own, Some("null"), 403),
        ("GET /nothing", "rebound.example", None, 403),
        ("GET /nothing", &own, None, 404),
    ] {
        let origin = origin.map(|origin| format!("Origin: {origin}\r\n")).unwrap_or_default();
        let answer = ask(address, &format!("{line} HTTP/1.1\r\nHost: {host}\r\n{origin}")).await;
        assert_eq!(answer.status, status, "{line} {host} {origin}: {}", answer.body);
    }
    served.stop().await;
}
