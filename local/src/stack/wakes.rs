//! The wake queue, its dead letters, and the drains it starts; and the feedback queue, which nobody reads here.

use super::{Options, StackError};
use crate::runtime_api::{Function, Invocation};
use crate::sqs::{Answer, Endpoint, Mapping, MappingSettings, Redrive, Settings};

/// Name of the wake queue.
pub const WAKES: &str = "wakes";
/// Name of the queue of the wakes that were given up.
pub const DEAD_WAKES: &str = "wakes-dead";

/// Name of the feedback queue.
pub const FEEDBACK: &str = "feedback";

pub(super) async fn endpoint(options: &Options) -> Result<Endpoint, StackError> {
    let endpoint = Endpoint::start().await?;
    endpoint.create_queue(DEAD_WAKES, Settings::default()).map_err(StackError::Queue)?;
    let redrive = Redrive { dead_letter: DEAD_WAKES.to_owned(), max_receive_count: options.max_receives };
    let settings = Settings { visibility: options.visibility, redrive: Some(redrive), ..Settings::default() };
    endpoint.create_queue(WAKES, settings).map_err(StackError::Queue)?;
    endpoint.create_queue(FEEDBACK, Settings::default()).map_err(StackError::Queue)?;
    if let Some((share, seed)) = options.duplicates {
        endpoint.duplicate(share, seed);
    }
    Ok(endpoint)
}

pub(super) fn mapping(endpoint: &Endpoint, drain: &Function, drains: usize) -> Mapping {
    let drain = drain.clone();
    Mapping::start(endpoint, WAKES, MappingSettings::of(drains), move |event| {
        let drain = drain.clone();
        async move { answer(drain.invoke_traced(event.payload, event.trace).await) }
    })
}

fn answer(invocation: Invocation) -> Answer {
    match invocation {
        Invocation::Ok(payload) => Answer::Success(payload),
        Invocation::Throttled => Answer::Throttled,
        Invocation::FunctionError { .. }
        | Invocation::TimedOut
        | Invocation::Crashed { .. }
        | Invocation::InitError { .. } => Answer::Failed,
    }
}
