//! HTTP/1.1, for push services that know no HTTP/2: a few connections to a host, each with one request at a time.
//!
//! What is known of a request without an answer is less here: once it was begun, it may have been processed. There is
//! no PING either, so a connection that has been idle for longer than a moment is not used again: after a thaw it
//! may be dead, and would cost a notification one of its unanswered sends.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use bytes::{Bytes, BytesMut};
use http::header::HOST;
use http::{HeaderValue, Request, Response, Uri, Version};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout, timeout_at};

use super::dial::Failures;
use super::exchange::BODY_LIMIT;
use super::stream::{self, DIAL_TIMEOUT, Failure, Way};
use super::{Answer, Fault};

/// Connections to one host at a time.
const PLACES: usize = 16;
/// How long a connection may be idle and still be used again, in wall-clock time.
const IDLE: Duration = Duration::from_secs(1);

/// The connections to one host.
#[derive(Debug)]
pub(super) struct Http1 {
    way: Way,
    places: Semaphore,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Line>,
    failures: Failures,
}

/// One connection. Dropping it closes its socket, which ends the flight of what it carries.
#[derive(Debug)]
struct Line {
    sender: SendRequest<Full<Bytes>>,
    driver: JoinHandle<()>,
    idle_since: SystemTime,
}

impl Http1 {
    pub(super) fn new(way: Way) -> Self {
        Self { way, places: Semaphore::new(PLACES), state: Mutex::default() }
    }

    /// As [`Connection::exchange`](super::Connection::exchange).
    pub(super) async fn exchange(
        &self,
        request: &Request<()>,
        body: &Bytes,
        deadline: tokio::time::Instant,
    ) -> Result<Answer, Fault> {
        let no_place = |_| Fault::NotProcessed("NoFreeConnection".into());
        let place = timeout_at(deadline, self.places.acquire()).await.map_err(no_place)?;
        // Never closed: it is ours.
        let _place = place.map_err(|_| Fault::NotProcessed("NoFreeConnection".into()))?;
        let request = converted(request, body, &self.way.origin.authority())?;
        let mut line = self.line(deadline).await?;
        let answered = match timeout_at(deadline, line.sender.try_send_request(request)).await {
            Err(_) => return Err(Fault::Unanswered("Timeout".into())),
            Ok(Ok(response)) => response,
            // Given back as it was: it closed before a byte of it was written. Once more, on a new connection.
            Ok(Err(mut error)) => {
                let Some(request) = error.take_message() else { return Err(lost()) };
                line = self.dial(deadline).await?;
                let sent = timeout_at(deadline, line.sender.try_send_request(request)).await;
                sent.map_err(|_| Fault::Unanswered("Timeout".into()))?.map_err(|_| lost())?
            }
        };
        let (answer, whole) = read(answered, deadline).await;
        if whole && line.sender.ready().await.is_ok() {
            line.idle_since = SystemTime::now();
            self.lock().idle.push(line);
        }
        Ok(answer)
    }

    async fn line(&self, deadline: tokio::time::Instant) -> Result<Line, Fault> {
        let idle = {
            let mut state = self.lock();
            state.idle.retain(Line::is_fresh);
            state.idle.pop()
        };
        match idle {
            Some(line) => Ok(line),
            None => self.dial(deadline).await,
        }
    }

    async fn dial(&self, deadline: tokio::time::Instant) -> Result<Line, Fault> {
        let wait = self.lock().failures.wait(Instant::now());
        let dialled = timeout_at(deadline, async {
            sleep(wait).await;
            timeout(DIAL_TIMEOUT, connect(&self.way)).await
        });
        let failure = match dialled.await {
            Ok(Ok(Ok(line))) => {
                self.lock().failures = Failures::default();
                return Ok(line);
            }
            Ok(Ok(Err(failure))) => failure,
            Ok(Err(_)) | Err(_) => Failure::of("ConnectTimeout", ""),
        };
        self.lock().failures.add(Instant::now());
        Err(self.way.failed(failure))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn connect(way: &Way) -> Result<Line, Failure> {
    let stream = stream::open(way).await?;
    let shaken = handshake(TokioIo::new(stream)).await;
    let (sender, connection) = shaken.map_err(|error| Failure::of("ConnectFailed", error.to_string()))?;
    let driver = tokio::spawn(async move {
        // Who waits for an answer gets this error as its own.
        let _ = connection.await;
    });
    Ok(Line { sender, driver, idle_since: SystemTime::now() })
}

/// The request in HTTP/1.1's form: the path alone, and the host in a header.
fn converted(request: &Request<()>, body: &Bytes, authority: &str) -> Result<Request<Full<Bytes>>, Fault> {
    let unsendable = || Fault::NotProcessed("UnsendableRequest".into());
    let mut converted = request.clone().map(|()| Full::new(body.clone()));
    *converted.version_mut() = Version::HTTP_11;
    let path = request.uri().path_and_query().ok_or_else(unsendable)?;
    *converted.uri_mut() = Uri::from(path.clone());
    let host = HeaderValue::try_from(authority).map_err(|_| unsendable())?;
    converted.headers_mut().insert(HOST, host);
    Ok(converted)
}

/// The answer, and whether its body came to its end: what is too long or too late is cut, and its connection closed.
async fn read(response: Response<Incoming>, deadline: tokio::time::Instant) -> (Answer, bool) {
    let (head, mut incoming) = response.into_parts();
    let mut body = BytesMut::new();
    let whole = timeout_at(deadline, async {
        while let Some(frame) = incoming.frame().await {
            let Ok(frame) = frame else { return false };
            let chunk = frame.into_data().unwrap_or_default();
            body.extend_from_slice(&chunk[..chunk.len().min(BODY_LIMIT - body.len())]);
            if body.len() == BODY_LIMIT {
                return false;
            }
        }
        true
    });
    let whole = whole.await.unwrap_or(false);
    (Answer { status: head.status.as_u16(), headers: head.headers, body: body.freeze() }, whole)
}

fn lost() -> Fault {
    Fault::Unanswered("ConnectionLost".into())
}

impl Line {
    /// A clock that stepped back says nothing about how long it was idle.
    fn is_fresh(&self) -> bool {
        !self.sender.is_closed() && self.idle_since.elapsed().is_ok_and(|idle| idle < IDLE)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.driver.abort();
    }
}
