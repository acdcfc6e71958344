//! The push services an app has sent to: a connection and a token for each.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pushwake::app::webpush::Endpoint;
use time::OffsetDateTime;

use super::token::{Token, TokenSource};
use crate::connection::{Dialer, Either, Origin, Reach};

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
    pub(super) connection: Either,
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
        let connection = self.dialer.either(&host, reach);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::Connections;
    use crate::webpush::token::tests::{KEY, app};

    fn endpoint(n: usize) -> Endpoint {
        app().endpoint(&format!("https://wns2-{n}.notify.windows.com/w/?token=a")).expect("allowed")
    }

    fn services() -> Services {
        Services::new(Connections::new(None).expect("the system's certificates").dialer())
    }

    #[test]
    fn however_many_names_endpoints_have_few_services_are_kept() {
        let services = services();
        let first = services.of(&endpoint(0), Reach::Public);
        for n in 1..=100 {
            services.of(&endpoint(n), Reach::Public);
            assert!(Arc::ptr_eq(&first, &services.of(&endpoint(0), Reach::Public)), "what is in use stays");
        }
        assert_eq!(services.kept.lock().expect("no panic").by_origin.len(), KEPT);
    }

    #[test]
    fn each_service_has_a_token_of_its_own_and_keeps_it() {
        let (services, source) = (services(), TokenSource::new(&app(), KEY).expect("a key"));
        let token = |n, now| services.of(&endpoint(n), Reach::Public).token(&source, now).authorization.clone();
        let now = OffsetDateTime::UNIX_EPOCH;
        assert_eq!(token(1, now), token(1, now + time::Duration::hours(5)));
        assert_ne!(token(1, now), token(2, now));
        assert_ne!(token(1, now), token(1, now + time::Duration::hours(12)));
    }
}
