//! One request: read, check, wait, answer.

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::future::{pending, poll_fn};
use h2::RecvStream;
use h2::server::SendResponse;
use http::{Request, Response};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::check::{self, Refusal};
use super::ledger::Flight;
use super::listen::State;
use super::recorded::{Asked, End};
use super::script::{Act, Reply};

/// Serves one request; `close` takes its connection down.
pub(super) async fn serve(
    state: Arc<State>,
    connection: u64,
    request: Request<RecvStream>,
    mut respond: SendResponse<Bytes>,
    close: CancellationToken,
) {
    let (parts, stream) = request.into_parts();
    // Without its whole body it is no request, and nothing is in flight.
    let Some(body) = read(stream).await else { return };
    let asked = check::asked(&parts);
    let authorization = parts.headers.get("authorization").and_then(|value| value.to_str().ok());
    let checked =
        state.check_token(authorization).and_then(|()| check::check(&parts, &asked, body.len(), &state.topics));
    let n = (state.sequence)(&body);
    let flight = state.ledger.begin(connection, asked.clone(), body, n);
    let reply = match checked {
        Ok(()) => state.next_reply(&asked.device),
        Err(Refusal(status, reason)) => Reply::status(status, reason).after(Duration::ZERO),
    };
    let delay = reply.after.unwrap_or_else(|| state.draw_latency());
    let answering = async {
        state.gate.passed().await;
        if let Some(gate) = &reply.gate {
            gate.passed().await;
        }
        if !delay.is_zero() {
            sleep(delay).await;
        }
        if matches!(reply.act, Act::Hang) {
            pending::<()>().await;
        }
    };
    tokio::select! {
        biased;
        reset = poll_fn(|context| respond.poll_reset(context)) => {
            flight.end(if reset.is_ok() { End::Reset } else { End::Lost });
        }
        () = answering => {
            let closes = matches!(reply.act, Act::Close);
            act(reply.act, &asked, flight, &mut respond, &close);
            if closes {
                // Dropping the stream would reset it first; it has to go with its connection.
                pending::<()>().await;
            }
        }
    }
}

async fn read(mut stream: RecvStream) -> Option<Bytes> {
    let mut body = BytesMut::new();
    while let Some(chunk) = stream.data().await {
        let chunk = chunk.ok()?;
        stream.flow_control().release_capacity(chunk.len()).ok()?;
        body.extend_from_slice(&chunk);
    }
    Some(body.freeze())
}

fn act(act: Act, asked: &Asked, flight: Flight, respond: &mut SendResponse<Bytes>, close: &CancellationToken) {
    match act {
        Act::Answer { status, reason, retry_after, body } => {
            let id = asked.apns_id.clone().unwrap_or_else(|| Uuid::new_v4().to_string());
            let mut response = Response::builder().status(status).header("apns-id", id);
            if let Some(retry_after) = retry_after {
                response = response.header("retry-after", retry_after);
            }
            let response = response.body(()).expect("a scripted status and Retry-After are valid");
            flight.end(End::Answered { status, reason });
            // A client that is gone meanwhile gets nothing, as it should.
            if let Ok(mut stream) = respond.send_response(response, body.is_empty())
                && !body.is_empty()
            {
                let _ = stream.send_data(body, true);
            }
        }
        Act::Reset(reason) => {
            flight.end(End::Reset);
            respond.send_reset(reason);
        }
        Act::Close => {
            flight.end(End::Lost);
            close.cancel();
        }
        Act::Hang => {}
    }
}
