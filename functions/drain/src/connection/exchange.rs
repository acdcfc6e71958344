//! One request, one answer, and what is known when there is none.

use bytes::{Bytes, BytesMut};
use h2::{Reason as Code, RecvStream};
use http::{HeaderMap, Request};
use tokio::time::{Instant, timeout_at};

use super::Connection;
use super::session::Opened;
use crate::outcome::{Outcome, Reason};

/// Reasons fit into a fraction of this; what is longer is cut, and its stream reset.
pub(super) const BODY_LIMIT: usize = 16 * 1024;

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, as far as it came and was read.
    pub body: Bytes,
}

/// No answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request surely was not processed.
    NotProcessed(Reason),
    /// It was written, and may have been processed.
    Unanswered(Reason),
    /// Its host stands for nothing that may be connected to.
    Forbidden(Reason),
    /// Its server knows no HTTP/2.
    NoHttp2,
}

impl Fault {
    /// Why.
    pub fn into_reason(self) -> Reason {
        match self {
            Self::NotProcessed(reason) | Self::Unanswered(reason) | Self::Forbidden(reason) => reason,
            Self::NoHttp2 => "NoHttp2".into(),
        }
    }
}

impl From<Fault> for Outcome {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unanswered(reason) => Self::Ambiguous { reason },
            Fault::Forbidden(reason) => Self::Rejected { reason, listed: false },
            other => Self::Unavailable { reason: other.into_reason(), retry_after: None },
        }
    }
}

impl Connection {
    /// Sends a request and waits for its answer until `deadline`, resending it once if it surely was not processed.
    /// Dropping the future resets the stream.
    pub async fn exchange(&self, request: &Request<()>, body: &Bytes, deadline: Instant) -> Result<Answer, Fault> {
        match self.once(request.clone(), body.clone(), deadline).await {
            Err(Fault::NotProcessed(reason)) if Instant::now() < deadline => {
                tracing::debug!(host = %self.origin().host, %reason, "resent: it surely was not processed");
                self.once(request.clone(), body.clone(), deadline).await
            }
            other => other,
        }
    }

    async fn once(&self, request: Request<()>, body: Bytes, deadline: Instant) -> Result<Answer, Fault> {
        let not_in_time = |_| Fault::NotProcessed("ConnectTimeout".into());
        let session = timeout_at(deadline, self.session()).await.map_err(not_in_time)??;
        let no_stream = |_| Fault::NotProcessed("NoFreeStream".into());
        let opened = timeout_at(deadline, session.open(request)).await.map_err(no_stream)?;
        let opened = opened.map_err(|error| Fault::NotProcessed(name(&error)))?;
        let answered = timeout_at(deadline, answer(opened, body)).await;
        match answered {
            Err(_) => Err(Fault::Unanswered("Timeout".into())),
            Ok(Ok(mut answer)) => {
                session.heard();
                // The status is the answer; a body that breaks off or never ends takes nothing of it back.
                let _ = timeout_at(deadline, collect(&mut answer.1, &mut answer.2)).await;
                Ok(Answer { status: answer.0.status.as_u16(), headers: answer.0.headers, body: answer.2.freeze() })
            }
            Ok(Err(error)) => {
                if error.is_remote() {
                    session.heard();
                }
                Err(fault(&error))
            }
        }
    }
}

type Head = (http::response::Parts, RecvStream, BytesMut);

async fn answer(opened: Opened, body: Bytes) -> Result<Head, h2::Error> {
    let Opened { answer, body: mut stream } = opened;
    // A peer may answer or reset before it has the body; the answer below says which.
    let _ = stream.send_data(body, true);
    let (head, body) = answer.await?.into_parts();
    Ok((head, body, BytesMut::new()))
}

async fn collect(stream: &mut RecvStream, into: &mut BytesMut) {
    while let Some(Ok(chunk)) = stream.data().await {
        let _ = stream.flow_control().release_capacity(chunk.len());
        into.extend_from_slice(&chunk[..chunk.len().min(BODY_LIMIT - into.len())]);
        if into.len() == BODY_LIMIT {
            break;
        }
    }
}

/// A peer that refuses a stream, or goes away below its id, says that it did not process it. Every other error
/// leaves that open. `h2` gives GOAWAY as a stream's own error only to streams above the last id.
fn fault(error: &h2::Error) -> Fault {
    let refused = error.is_reset() && error.reason() == Some(Code::REFUSED_STREAM);
    if error.is_remote() && (refused || error.is_go_away()) {
        Fault::NotProcessed(name(error))
    } else {
        Fault::Unanswered(name(error))
    }
}

fn name(error: &h2::Error) -> Reason {
    let name = match error.reason() {
        Some(Code::REFUSED_STREAM) => "RefusedStream",
        _ if error.is_go_away() => "GoAway",
        _ if error.is_reset() => "StreamReset",
        _ => "ConnectionLost",
    };
    Reason::Borrowed(name)
}
