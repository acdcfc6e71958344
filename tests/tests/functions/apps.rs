//! Apps that are a parameter of SSM, as on AWS.

use std::sync::{Arc, Mutex};

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use local::runtime_api::Invocation;
use local::stack::{APP, Options};
use serde_json::{Value, json};
use tests::product::{Product, event, options};

const NAME: &str = "/pushwake/apps:3";

/// The parameters, and how often they were asked for.
type Parameters = Arc<Mutex<(Option<String>, usize)>>;

async fn answer(State(parameters): State<Parameters>, headers: HeaderMap, body: Bytes) -> Response {
    assert_eq!(headers["x-amz-target"], "AmazonSSM.GetParameter");
    let asked: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!(asked["Name"], NAME);
    let mut parameters = parameters.lock().expect("no panic");
    parameters.1 += 1;
    match &parameters.0 {
        Some(value) => Json(json!({"Parameter": {"Name": NAME, "Type": "String", "Value": value}})).into_response(),
        None => (StatusCode::BAD_REQUEST, Json(json!({"__type": "ParameterNotFound"}))).into_response(),
    }
}

#[tokio::test]
async fn apps_are_one_parameter_that_an_instance_reads_once_and_again_until_it_has_it() {
    let parameters = Parameters::default();
    let ssm = axum::Router::new().route("/", post(answer)).with_state(parameters.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let serving = tokio::spawn(axum::serve(listener, ssm).into_future());
    let environment = [("PUSHWAKE_APPS", format!("ssm:{NAME}")), ("AWS_ENDPOINT_URL_SSM", url)]
        .map(|(name, value)| (name.to_owned(), value));
    let product = Product::with(Options { environment: environment.into(), enqueues: 1, ..options().await }).await;
    product.stack.stop_drains().await;
    let enqueue = async |n| product.stack.enqueue.invoke(event(n, [0]).to_string()).await;

    let missing = enqueue(1).await;
    let said = "the parameter /pushwake/apps:3 can't be read: ParameterNotFound";
    assert!(
        matches!(&missing, Invocation::FunctionError { kind, message }
            if kind == "Pushwake.Unavailable" && message.contains(said)),
        "{missing:?}"
    );
    parameters.lock().expect("no panic").0 = Some(r#"{"ios":{"platform":"apns"}}"#.to_owned());
    let faulty = enqueue(1).await;
    assert!(
        matches!(&faulty, Invocation::FunctionError { message, .. } if message.contains("has faults")),
        "{faulty:?}"
    );

    let app = json!({"platform": "apns", "topic": "com.example.app", "environment": "production",
        "team": "TEAM123456", "key_id": "KEY1234567", "key": "file:/nowhere.p8"});
    parameters.lock().expect("no panic").0 = Some(json!({APP: app}).to_string());
    for n in 1..=2 {
        let answer: Value = enqueue(n).await.json().expect("an answer");
        assert_eq!(answer["results"][0]["status"], "queued");
    }
    assert_eq!((parameters.lock().expect("no panic").1, product.stack.enqueue.counts().cold), (3, 1));
    product.stop().await;
    serving.abort();
}
