//! What the functions' log lines say: the summaries of the drains, added up, and every error once. A pause is no
//! error here: it is what a provider that fails asks for, and is shown with it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::told::{Apps, Told};
use crate::runtime_api::{Line, Stream};

/// Different errors that are kept; the ones beyond are only counted.
const KEPT: usize = 20;

/// The summaries of all drains that have ended, added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Drained {
    /// How many have ended.
    #[serde(skip)]
    pub(super) drains: u64,
    pub(super) claims: u64,
    pub(super) empty_claims: u64,
    pub(super) statements: u64,
    pub(super) delivered: u64,
    pub(super) retried: u64,
    /// Discarded after too many sends without an answer.
    #[serde(default)]
    pub(super) unanswered: u64,
    /// Discarded, since the provider can never accept them.
    #[serde(default)]
    pub(super) rejected: u64,
}

/// An error that a function wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Fault {
    /// What it said.
    pub(super) said: String,
    /// How often.
    pub(super) times: u64,
}

/// Listens to all functions.
#[derive(Default)]
pub(super) struct Lines {
    drained: watch::Sender<Drained>,
    apps: Mutex<Apps>,
    faults: Mutex<Faults>,
}

#[derive(Default)]
struct Faults {
    times: BTreeMap<String, u64>,
    unseen: Vec<String>,
    beyond: u64,
}

impl Lines {
    /// Takes one line.
    pub(super) fn take(&self, line: &Line) {
        let text = &line.text;
        if line.stream == Stream::Err {
            self.fault(text.clone());
        } else if self.apps().take(text) {
            // A pause is logged as an error.
        } else if text.contains(r#""level":"ERROR""#) {
            self.fault(said(text));
        } else if text.contains(r#""message":"drain""#)
            && let Ok(summary) = serde_json::from_str::<Drained>(text)
        {
            self.drained.send_modify(|drained| drained.add(summary));
        }
    }

    /// Waits until `drains` have said how they went. Without a time-out of its own.
    pub(super) async fn until_ended(&self, drains: u64) -> Drained {
        let mut drained = self.drained.subscribe();
        // The sender lives as long as `self`.
        let _ = drained.wait_for(|drained| drained.drains >= drains).await;
        self.drained()
    }

    /// The drains that have ended so far.
    pub(super) fn drained(&self) -> Drained {
        *self.drained.borrow()
    }

    /// What was said of an app so far.
    pub(super) fn of_app(&self, app: &str) -> Told {
        self.apps().of(app)
    }

    /// The errors that were not there at the last look.
    pub(super) fn unseen(&self) -> Vec<String> {
        std::mem::take(&mut self.faults.lock().unwrap_or_else(PoisonError::into_inner).unseen)
    }

    /// All errors.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = faults.times.iter().map(|(said, &times)| Fault { said: said.clone(), times });
        let beyond = (faults.beyond > 0).then(|| Fault { said: "further errors".to_owned(), times: faults.beyond });
        kept.chain(beyond).collect()
    }

    fn apps(&self) -> MutexGuard<'_, Apps> {
        self.apps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fault(&self, said: String) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(times) = faults.times.get_mut(&said) {
            *times += 1;
        } else if faults.times.len() < KEPT {
            faults.unseen.push(said.clone());
            faults.times.insert(said, 1);
        } else {
            faults.beyond += 1;
        }
    }
}

impl Drained {
    fn add(&mut self, summary: Self) {
        self.drains += 1;
        self.claims += summary.claims;
        self.empty_claims += summary.empty_claims;
        self.statements += summary.statements;
        self.delivered += summary.delivered;
        self.retried += summary.retried;
        self.unanswered += summary.unanswered;
        self.rejected += summary.rejected;
    }
}

/// What an error line says, without what differs from one time to the next.
fn said(text: &str) -> String {
    #[derive(Deserialize)]
    struct Said {
        target: String,
        message: String,
        error: Option<String>,
    }
    match serde_json::from_str::<Said>(text) {
        Ok(Said { target, message, error: Some(error) }) => format!("{target}: {message}: {error}"),
        Ok(Said { target, message, error: None }) => format!("{target}: {message}"),
        Err(_) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        Line { pid: 1, stream: Stream::Out, text: text.to_owned() }
    }

    #[test]
    fn summaries_are_added_up() {
        let lines = Lines::default();
        let summary = r#"{"level":"INFO","message":"drain","claims":3,"empty_claims":1,"statements":20,
            "delivered":80,"retried":2,"unanswered":1,"rejected":3,"target":"drain::log"}"#;
        lines.take(&line(summary));
        lines.take(&line(summary));
        lines.take(&line(r#"{"level":"INFO","message":"attempt","outcome":"delivered"}"#));
        let Drained { drains, claims, empty_claims, statements, delivered, retried, unanswered, rejected } =
            lines.drained();
        assert_eq!([drains, claims, empty_claims, statements], [2, 6, 2, 40]);
        assert_eq!([delivered, retried, unanswered, rejected], [160, 4, 2, 6]);
        assert!(lines.faults().is_empty());
    }

    #[test]
    fn an_error_is_shown_once_however_often_it_comes() {
        let lines = Lines::default();
        for request in 0..3 {
            lines.take(&line(&format!(
                r#"{{"level":"ERROR","message":"failed","error":"away","request_id":"{request}","target":"drain"}}"#
            )));
        }
        assert_eq!(lines.unseen(), ["drain: failed: away"]);
        assert!(lines.unseen().is_empty());
        assert_eq!(lines.faults(), [Fault { said: "drain: failed: away".to_owned(), times: 3 }]);
        (0..100).for_each(|n| lines.take(&Line { stream: Stream::Err, ..line(&format!("panic {n}")) }));
        assert_eq!(lines.unseen().len(), KEPT - 1);
        assert_eq!(lines.faults().last().map(|fault| fault.times), Some(81));
    }
}
