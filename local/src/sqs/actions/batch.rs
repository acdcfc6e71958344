//! What the three batch actions share: checks of the whole request, and one result per entry.

use serde_json::{Map, Value, json};

use super::Refusal;

const ENTRIES: usize = 10;

/// Refuses a batch as a whole: empty, too long, with ids that are malformed or occur twice.
pub(super) fn check<'a>(ids: impl ExactSizeIterator<Item = &'a str>, entry: &str) -> Result<(), Refusal> {
    if ids.len() == 0 {
        let message = format!("There should be at least one {entry} in the request.");
        return Err(Refusal::new("EmptyBatchRequest", message));
    }
    if ids.len() > ENTRIES {
        let message = format!("Maximum number of entries per request are {ENTRIES}. You have sent {}.", ids.len());
        return Err(Refusal::new("TooManyEntriesInBatchRequest", message));
    }
    let mut seen: Vec<&str> = Vec::new();
    for id in ids {
        let is_allowed = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_');
        if !(1..=80).contains(&id.len()) || !id.chars().all(is_allowed) {
            let message = "A batch entry id can only contain alphanumeric characters, hyphens and underscores. \
                           It can be at most 80 letters long.";
            return Err(Refusal::new("InvalidBatchEntryId", message));
        }
        if seen.contains(&id) {
            return Err(Refusal::new("BatchEntryIdsNotDistinct", format!("Id {id} repeated.")));
        }
        seen.push(id);
    }
    Ok(())
}

/// The answer to a batch.
#[derive(Default)]
pub(super) struct Answer {
    successful: Vec<Value>,
    failed: Vec<Value>,
}

impl Answer {
    /// Adds the result of one entry; `Ok` holds what the single action would have answered.
    pub(super) fn add(&mut self, id: &str, result: Result<Map<String, Value>, Refusal>) {
        match result {
            Ok(mut fields) => {
                fields.insert("Id".to_owned(), json!(id));
                self.successful.push(Value::Object(fields));
            }
            Err(refusal) => self.failed.push(json!({
                "Id": id,
                "Code": refusal.query_code(),
                "Message": refusal.message,
                "SenderFault": !refusal.is_receivers_fault(),
            })),
        }
    }

    pub(super) fn finish(self) -> Value {
        let mut answer = json!({});
        for (name, results) in [("Successful", self.successful), ("Failed", self.failed)] {
            if !results.is_empty() {
                answer[name] = Value::Array(results);
            }
        }
        answer
    }
}
