use std::time::Instant;

use aws_config::Region;
use aws_sdk_sqs::config::Credentials;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::mpsc;

use super::*;
use crate::wake::Why;

/// What the other side does with every request.
#[derive(Clone, Copy)]
enum Answer {
    Hang,
    Close,
    Status(u16, &'static str),
}

async fn queue_at(endpoint: &str) -> WakeQueue {
    let config = aws::loader()
        .credentials_provider(Credentials::new("id", "key", None, None, "test"))
        .region(Region::new("eu-central-1"))
        .endpoint_url(endpoint)
        .load()
        .await;
    WakeQueue::with_config(&config, format!("{endpoint}/000000000000/wakes"))
}

/// A queue that answers so, and the requests it got.
async fn queue(answer: Answer) -> (WakeQueue, mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
    let (requests, received) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            tokio::spawn(serve(connection, answer, requests.clone()));
        }
    });
    (queue_at(&endpoint).await, received)
}

async fn serve(mut connection: TcpStream, answer: Answer, requests: mpsc::UnboundedSender<String>) {
    let mut request = String::new();
    let mut part = [0; 4096];
    // A request of the tests ends with its JSON.
    while !request.ends_with('}') {
        match connection.read(&mut part).await {
            Ok(n) if n > 0 => request.push_str(&String::from_utf8_lossy(&part[..n])),
            _ => return,
        }
    }
    let _ = requests.send(request);
    match answer {
        Answer::Close => {}
        // Held open until the client gives up.
        Answer::Hang => while connection.read(&mut part).await.is_ok_and(|n| n > 0) {},
        Answer::Status(status, body) => {
            let head = format!("HTTP/1.1 {status} X\r\ncontent-type: application/x-amz-json-1.0\r\n");
            let rest = format!("content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
            let _ = connection.write_all((head + &rest).as_bytes()).await;
        }
    }
}

async fn fails_in_time(queue: &WakeQueue) -> WakeError {
    let start = Instant::now();
    let error = queue.post(Wake::first(Why::Enqueue), Duration::ZERO).await.expect_err("nothing took the wake");
    let took = start.elapsed();
    // The client's timer may fire a little late on a busy machine; a missing bound would be far off.
    assert!(took < limits::WAKE_POST + Duration::from_millis(500), "took {took:?}: {error}");
    error
}

#[tokio::test]
async fn c20_a_queue_that_hangs_refuses_closes_or_answers_500_ends_a_post_in_time() {
    // Bound, so that nobody else gets the port, and not listening, so that it refuses.
    let bound = TcpSocket::new_v4().expect("a socket");
    bound.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
    let refusing = queue_at(&format!("http://{}", bound.local_addr().expect("an address"))).await;
    let (hanging, mut hung) = queue(Answer::Hang).await;
    let (closing, _closed) = queue(Answer::Close).await;
    let (failing, mut failed) = queue(Answer::Status(500, "{}")).await;
    let (h, r, c, f) = tokio::join!(
        fails_in_time(&hanging),
        fails_in_time(&refusing),
        fails_in_time(&closing),
        fails_in_time(&failing)
    );
    assert!(h.to_string().contains("no answer in time"), "{h}");
    assert!(r.to_string().contains("no connection"), "{r}");
    for error in [h, r, c, f] {
        assert!(error.to_string().contains("WAKE_QUEUE_URL"), "{error}");
    }
    assert!(hung.recv().await.is_some() && hung.recv().await.is_some(), "a second attempt fits behind a lost one");
    assert!(failed.recv().await.is_some() && failed.recv().await.is_some(), "an error is tried again");
}

#[tokio::test]
async fn a_refusal_names_its_code_and_not_the_request() {
    let refusal = r#"{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"gone"}"#;
    let (queue, _requests) = queue(Answer::Status(400, refusal)).await;
    let error = fails_in_time(&queue).await.to_string();
    assert!(error.contains("QueueDoesNotExist") && !error.contains("gone"), "{error}");
}

#[tokio::test]
async fn a_wake_is_posted_with_its_delay_and_not_beyond_the_hop_cap() {
    let (queue, mut requests) = queue(Answer::Status(200, r#"{"MessageId":"m"}"#)).await;
    let last = Wake { why: Why::Retry, hop: limits::HOP_CAP };
    let posted = queue.post(last, Duration::from_millis(15_001)).await;
    assert_eq!(posted.expect("a queue that answers"), Posted::Sent);
    let request = requests.recv().await.expect("a request");
    assert!(request.contains(r#""DelaySeconds":16"#), "{request}");
    assert!(request.contains(r#"\"why\":\"retry\",\"hop\":60"#), "{request}");
    let beyond = queue.post(last.next(Why::Retry), Duration::ZERO).await;
    assert_eq!(beyond.expect("no request"), Posted::Capped);
    assert!(requests.try_recv().is_err(), "a capped wake is not posted");
}

#[test]
fn a_delay_is_whole_seconds_within_what_sqs_takes() {
    for (delay, expected) in [(0, 0), (1, 1), (1000, 1), (1001, 2), (899_001, 900), (900_000, 900), (86_400_000, 900)] {
        assert_eq!(seconds(Duration::from_millis(delay)), expected);
    }
    assert_eq!(seconds(Duration::MAX), 900);
}
