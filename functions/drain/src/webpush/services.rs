//! The push services an app has sent to: a connection and a token for each.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pushwake::app::webpush::Endpoint;
use time::OffsetDateTime;

use super::token::{Token, TokenSource};
use crate::connection::{Connection, Dialer, Origin, Reach};

/// The most that are kept. There are four big ones, one of them under a few dozen names; what a stranger puts into
/// endpoints below a `*.` must not open connections without end.
const KEPT: usize = 32;

/// The push services of one app.
pub(super) struct Services {
    dialer: Dialer,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    by_origin: HashMap<String, (Arc<Service>, u64)>,
    /// Counts the uses, to tell which was used last.
    uses: u64,
}

/// One push service. Who sends holds it, so that one that is no longer kept ends with its last answer.
pub(super) struct Service {
    pub(super) connection: Connection,
    origin: String,
    token: Mutex<Option<Arc<Token>>>,
}

impl Services {
    pub(super) fn new(dialer: Dialer) -> Self {
        Self { dialer, kept: Mutex::default() }
    }

    /// The service of an endpoint; in place of the one that was used longest ago, if there are many.
    pub(super) fn of(&self, endpoint: &Endpoint, reach: Reach) -> Arc<Service> {
        let origin = endpoint.origin();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.uses += 1;
        let uses = kept.uses;
        if let Some((service, used)) = kept.by_origin.get_mut(&origin) {
            *used = uses;
            return service.clone();
        }
        if kept.by_origin.len() >= KEPT {
            let oldest = kept.by_origin.iter().min_by_key(|(_, (_, used))| *used).map(|(origin, _)| origin.clone());
            oldest.and_then(|oldest| kept.by_origin.remove(&oldest));
        }
        let host = Origin { host: endpoint.host.clone(), port: endpoint.port };
        let connection = self.dialer.connection(host, reach);
        let service = Arc::new(Service { connection, origin: origin.clone(), token: Mutex::default() });
        kept.by_origin.insert(origin, (service.clone(), uses));
        service
    }
}

impl Service {
    /// The token to send with.
    pub(super) fn token(&self, source: &TokenSource, now: OffsetDateTime) -> Arc<Token> {
        let mut token = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        match token.as_ref() {
            Some(token) if token.is_good(now) => token.clone(),
            _ => token.insert(Arc::new(source.sign(&self.origin, now))).clone(),
        }
    }
}
