//! One request: read, check, wait, answer.

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::future::{pending, poll_fn};
use h2::server::SendResponse;
use h2::{Reason, RecvStream};
use http::{Request, Response};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::ledger::Flight;
use super::listen::State;
use super::script::{Act, Reply};
use super::{Asking, End, Protocol};

/// A request, and its flight if it is a send.
struct Exchange<P: Protocol> {
    state: Arc<State<P>>,
    send: Option<(P::Asked, Flight<P::Asked>)>,
    respond: SendResponse<Bytes>,
    close: CancellationToken,
}

/// Serves one request; `close` takes its connection down.
pub(super) async fn serve<P: Protocol>(
    state: Arc<State<P>>,
    connection: u64,
    request: Request<RecvStream>,
    respond: SendResponse<Bytes>,
    close: CancellationToken,
) {
    let (parts, stream) = request.into_parts();
    // Without its whole body it is no request, and nothing is in flight.
    let Some(body) = read(stream).await else { return };
    if let Some(reply) = state.protocol.aside(&parts, &body) {
        return Exchange { state, send: None, respond, close }.answer(reply).await;
    }
    let asked = state.protocol.asked(&parts, &body);
    let checked = state.protocol.check(&parts, &asked, &body);
    let n = state.protocol.sequence(&asked, &body);
    let flight = state.ledger.begin(connection, asked.clone(), body, n);
    let reply = match checked {
        Ok(()) => state.next_reply(asked.device()),
        Err(refusal) => refusal.after(Duration::ZERO),
    };
    Exchange { state, send: Some((asked, flight)), respond, close }.answer(reply).await;
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

impl<P: Protocol> Exchange<P> {
    async fn answer(mut self, reply: Reply) {
        let delay = reply.after.unwrap_or_else(|| self.state.draw_latency());
        let gate = self.send.is_some().then(|| self.state.gate.clone());
        let answering = async {
            for gate in [gate, reply.gate].into_iter().flatten() {
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
            reset = poll_fn(|context| self.respond.poll_reset(context)) => {
                self.end(if reset.is_ok() { End::Reset } else { End::Lost });
            }
            () = answering => {
                let closes = matches!(reply.act, Act::Close);
                self.act(reply.act);
                if closes {
                    // Dropping the stream would reset it first; it has to go with its connection.
                    pending::<()>().await;
                }
            }
        }
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Answer { status, reason, retry_after, body } => {
                let status = status.unwrap_or(P::DELIVERED);
                let (response, body) = self.response(status, reason.as_deref(), retry_after, body);
                self.end(End::Answered { status, reason });
                // A client that is gone meanwhile gets nothing, as it should.
                if let Ok(mut stream) = self.respond.send_response(response, body.is_empty())
                    && !body.is_empty()
                {
                    let _ = stream.send_data(body, true);
                }
            }
            Act::Reset(reason) => {
                self.end(if reason == Reason::REFUSED_STREAM { End::Refused } else { End::Reset });
                self.respond.send_reset(reason);
            }
            Act::Close => {
                self.end(End::Lost);
                self.close.cancel();
            }
            Act::Hang => {}
        }
    }

    fn response(
        &self,
        status: u16,
        reason: Option<&str>,
        retry_after: Option<String>,
        body: Option<Bytes>,
    ) -> (Response<()>, Bytes) {
        let mut response = Response::builder().status(status);
        if let Some(retry_after) = retry_after {
            response = response.header("retry-after", retry_after);
        }
        let mut response = response.body(()).expect("a scripted status and Retry-After are valid");
        let asked = self.send.as_ref().map(|(asked, _)| asked);
        response.headers_mut().extend(asked.map(|asked| self.state.protocol.headers(asked)).unwrap_or_default());
        let own = || asked.map(|asked| self.state.protocol.body(asked, status, reason));
        (response, body.or_else(own).unwrap_or_default())
    }

    fn end(&mut self, end: End) {
        if let Some((_, flight)) = self.send.take() {
            flight.end(end);
        }
    }
}
