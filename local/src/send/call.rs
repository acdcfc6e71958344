//! One request, sent.

use std::collections::BTreeMap;

use pushwake::contract::Response;
use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::read::Item;
use crate::caller::{CallError, Caller};

/// One request, and where it stands.
pub(super) struct Placed {
    pub(super) file: String,
    pub(super) item: Item,
}

/// What became of a request.
pub(super) enum Ended {
    Answered(Box<Response>),
    Malformed(String),
    Failed(CallError),
}

/// What a result is told by. Whatever can't be read of it is for enqueue to refuse.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Peek {
    pub(super) event: Option<String>,
    pub(super) kind: Option<String>,
}

impl Placed {
    /// The file, and the line unless the whole file is meant.
    pub(super) fn place(&self) -> String {
        match self.item.line {
            0 => self.file.clone(),
            line => format!("{}:{line}", self.file),
        }
    }

    pub(super) fn peek(&self) -> Peek {
        self.item.request.as_ref().ok().and_then(|request| serde_json::from_str(request).ok()).unwrap_or_default()
    }

    pub(super) async fn call(&self, caller: &Caller, new_event: bool) -> Ended {
        let request = match &self.item.request {
            Ok(request) => request,
            Err(reason) => return Ended::Malformed(reason.clone()),
        };
        let renamed = new_event.then(|| with_new_event(request)).flatten();
        match caller.invoke(renamed.as_ref().unwrap_or(request)).await {
            Ok(said) => match serde_json::from_str(&said) {
                Ok(response) => Ended::Answered(Box::new(response)),
                Err(_) => Ended::Failed(CallError::Unreadable),
            },
            Err(error) => Ended::Failed(error),
        }
    }
}

/// The request with an event id of its own; everything else stays as it was written.
fn with_new_event(request: &str) -> Option<String> {
    let mut members: BTreeMap<String, &RawValue> = serde_json::from_str(request).ok()?;
    let event: String = serde_json::from_str(members.get("event")?.get()).ok()?;
    let new = Uuid::new_v4().simple().to_string();
    let new = serde_json::value::to_raw_value(&format!("{event}-{}", &new[..8])).ok()?;
    members.insert("event".to_owned(), &new);
    serde_json::to_string(&members).ok()
}

#[cfg(test)]
mod tests {
    use super::with_new_event;

    #[test]
    fn a_new_event_leaves_everything_else_as_it_was() {
        let request = r#"{"event": "e", "n": 1.0e400, "data": {"event": "e"}}"#;
        let renamed = with_new_event(request).expect("it has an event");
        assert!(renamed.contains("1.0e400") && renamed.contains(r#"{"event": "e"}"#), "{renamed}");
        assert!(renamed.contains(r#""event":"e-"#) && with_new_event(request) != Some(renamed));
        assert_eq!(with_new_event(r#"{"event": 7}"#), None, "enqueue says what is wrong with it");
    }
}
