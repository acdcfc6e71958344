//! The loop of invocations.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;

use lambda_runtime::{Diagnostic, LambdaEvent, service_fn};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::OnceCell;

use super::config::ConfigError;
use super::log;

/// One invocation: its JSON as it came, and its context.
///
/// The runtime never parses it into a type: its message about a wrong type quotes the value, and a lone surrogate in
/// one string would fail the whole event.
pub type Event = LambdaEvent<Box<RawValue>>;

/// An error whose type says what its caller can do about it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    /// The `errorType` of the invocation.
    pub error_type: &'static str,
    /// Its `errorMessage`.
    pub message: String,
}

/// Runs a function over its configuration: the first invocation lets `open` build what lives from one to the next,
/// secrets and apps included; then every invocation goes through `handle`.
///
/// A fault of the configuration is one ERROR line and a failed exit, which Lambda reports as an init error. Nothing is
/// on the network before the first invocation: an instance that is started for later asks nobody, and an AWS service
/// that is away costs an invocation, which comes again, and not an init. An error of `open` or `handle` is one ERROR
/// line and the error of that invocation; what could not be opened is opened by the next. A panic is one ERROR line
/// (the hook's) and an error without the panic's text, which may quote a payload.
///
/// There is no hook for the shutdown: nothing lives between invocations that the database would miss.
pub async fn run<Config, Opened, Answer, Opening, Handling>(
    config: Result<Config, ConfigError>,
    open: impl Fn(Config) -> Opening,
    handle: impl Fn(Arc<Opened>, Event) -> Handling,
) -> ExitCode
where
    Config: Clone,
    Opening: Future<Output = Result<Opened, lambda_runtime::Error>>,
    Handling: Future<Output = Result<Answer, lambda_runtime::Error>>,
    Answer: Serialize,
{
    log::init();
    // The runtime would panic.
    if std::env::var_os("AWS_LAMBDA_RUNTIME_API").is_none() {
        tracing::error!("only Lambda can start this: AWS_LAMBDA_RUNTIME_API is not set; locally, use `cargo run`");
        return ExitCode::FAILURE;
    }
    let config = match config {
        Ok(config) => config,
        Err(error) => {
            tracing::error!(%error, "can't start");
            return ExitCode::FAILURE;
        }
    };
    let opened = OnceCell::new();
    let opening = async || Ok::<_, lambda_runtime::Error>(Arc::new(open(config.clone()).await?));
    // Boxed: the futures of the SDK, the runtime and a function in one are deeper than the compiler goes.
    let service = service_fn(|event: Event| {
        answer(Box::pin(async {
            let opened = Box::pin(opened.get_or_try_init(&opening)).await?;
            handle(Arc::clone(opened), event).await
        }))
    });
    match Box::pin(lambda_runtime::run(service)).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "the Lambda Runtime API failed");
            ExitCode::FAILURE
        }
    }
}

async fn answer<Answer>(
    handling: impl Future<Output = Result<Answer, lambda_runtime::Error>>,
) -> Result<Answer, Diagnostic> {
    let mut handling = pin!(handling);
    // Nothing of the handler is looked at after a panic: its future is dropped with it.
    let caught = poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| handling.as_mut().poll(context))) {
        Ok(poll) => poll.map(Some),
        Err(_) => std::task::Poll::Ready(None),
    });
    match caught.await {
        Some(Ok(answer)) => Ok(answer),
        Some(Err(error)) => {
            tracing::error!(%error, "the invocation failed");
            let error_type = error.downcast_ref().map_or("Pushwake.Failed", |failure: &Failure| failure.error_type);
            Err(Diagnostic { error_type: error_type.into(), error_message: error.to_string() })
        }
        None => Err(Diagnostic {
            error_type: "Pushwake.Panicked".into(),
            error_message: "panicked; the log says where".into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_of_a_handler_is_an_error_without_its_text() {
        let failed = answer::<()>(async { panic!("secret title") }).await.expect_err("a panic");
        assert_eq!(failed.error_type, "Pushwake.Panicked");
        assert!(!failed.error_message.contains("secret"));
    }

    #[tokio::test]
    async fn an_error_of_a_handler_is_the_error_of_its_invocation() {
        let failed = answer::<()>(async { Err("postgres can't be reached".into()) }).await.expect_err("an error");
        assert_eq!(failed.error_message, "postgres can't be reached");
        let failure = Failure { error_type: "Pushwake.Unavailable", message: "call again".into() };
        let failed = answer::<()>(async { Err(failure.into()) }).await.expect_err("an error");
        assert_eq!((failed.error_type.as_str(), failed.error_message.as_str()), ("Pushwake.Unavailable", "call again"));
        assert_eq!(answer(async { Ok(1) }).await.expect("an answer"), 1);
    }
}
