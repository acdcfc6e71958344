//! Lambda's Invoke API, for the functions of a stack: the AWS CLI, boto3 and the SDKs use it through an endpoint URL.
//!
//! A function is named as on AWS (`pushwake-enqueue`, its ARN, `…:live`) or by its bare name (`enqueue`). Credentials and
//! signatures are not looked at. An asynchronous invocation (`Event`) is tried again as Lambda does it; see
//! [`asynchronous`].

mod answer;
mod asynchronous;
mod name;
mod refusal;
mod request;
mod tail;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::runtime_api::Function;
use name::Name;
use refusal::Refusal;
use request::{Kind, Request};

/// Before the function's name, as a deployed stack of the default name puts it.
pub const PREFIX: &str = "pushwake-";
/// The one alias.
pub const ALIAS: &str = "live";
/// The one version, which the alias stands for.
pub const VERSION: &str = "$LATEST";

/// What is read of a request before it is refused: one that is cut off in the middle leaves its sender without an answer.
const READ: usize = 32 * 1024 * 1024;

/// The functions that can be invoked.
#[derive(Clone)]
struct Invoked {
    functions: Arc<[Function]>,
    /// Ends what is still to be invoked.
    closing: CancellationToken,
}

/// The API over these functions. Asynchronous invocations that have not begun are given up once `closing` is cancelled.
pub fn router(functions: impl Into<Arc<[Function]>>, closing: CancellationToken) -> Router {
    let invoked = Invoked { functions: functions.into(), closing };
    Router::new()
        .route("/2015-03-31/functions/{name}/invocations", post(invoke))
        .layer(DefaultBodyLimit::max(READ))
        .with_state(invoked)
}

#[derive(Deserialize)]
struct Parameters {
    #[serde(rename = "Qualifier")]
    qualifier: Option<String>,
}

async fn invoke(
    State(invoked): State<Invoked>,
    Path(name): Path<String>,
    Query(Parameters { qualifier }): Query<Parameters>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let request_id = uuid::Uuid::new_v4().to_string();
    let answered = async {
        let name = Name::read(&name, qualifier.as_deref())?;
        let function = invoked.find(&name)?;
        let request = Request::read(&headers, body)?;
        invoked.invoke(function, request, &request_id).await
    };
    let response = answered.await.unwrap_or_else(IntoResponse::into_response);
    ([("x-amzn-requestid", request_id)], response).into_response()
}

impl Invoked {
    fn find(&self, name: &Name) -> Result<&Function, Refusal> {
        let known = name.qualifier.as_deref().is_none_or(|qualifier| [ALIAS, VERSION].contains(&qualifier));
        let bare = name.function.strip_prefix(PREFIX).unwrap_or(&name.function);
        let found = self.functions.iter().find(|function| known && function.name() == bare);
        found.ok_or_else(|| Refusal::no_function(name))
    }

    async fn invoke(&self, function: &Function, request: Request, request_id: &str) -> Result<Response, Refusal> {
        let Request { kind, payload, trace, tail } = request;
        match kind {
            Kind::DryRun => Ok(StatusCode::NO_CONTENT.into_response()),
            Kind::Event => {
                let call = asynchronous::Call { function: function.clone(), payload, trace, id: request_id.to_owned() };
                call.start(self.closing.clone());
                Ok(StatusCode::ACCEPTED.into_response())
            }
            Kind::RequestResponse => {
                let invocation = function.invoke_as(request_id, payload, trace.clone()).await;
                let log = if tail { Some(tail::of(function, request_id).await) } else { None };
                answer::response(invocation, request_id, function.timeout(), log, trace)
            }
        }
    }
}
