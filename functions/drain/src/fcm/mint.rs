//! One access token for one assertion (RFC 7523).

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Method, Request, Version};
use serde::Deserialize;
use tokio::time::Instant;

use super::account::Account;
use super::client::SetupError;
use super::token::Token;
use crate::clock::DatabaseClock;
use crate::connection::{Answer, Connection, Connections, Origin, OriginError, retry_after};
use crate::outcome::{self, Outcome, Reason};

/// How long a token may take: half a send, so that the send itself still fits.
const MINT_TIMEOUT: Duration = Duration::from_secs(5);
/// A token whose answer names no life lives as long as Google's do.
const LIFE: u64 = 3600;
/// No token is kept for longer, whatever its answer says.
const LONGEST_LIFE: u64 = 24 * 3600;

/// One request for a token, shared by all who wait for it. What stands for a token that did not come is what becomes
/// of their notifications.
pub(super) type Minting = Shared<BoxFuture<'static, Result<Token, Outcome>>>;

/// Where the tokens of an account come from.
#[derive(Debug)]
pub(super) struct Mint {
    account: Account,
    connection: Arc<Connection>,
    url: String,
}

#[derive(Deserialize)]
struct Issued {
    access_token: String,
    expires_in: Option<u64>,
}

#[derive(Default, Deserialize)]
struct Refused {
    #[serde(default)]
    error: serde_json::Value,
}

impl Mint {
    /// Dials nothing yet. `token_url` stands in for the one in the key.
    pub(super) fn new(
        account: Account,
        token_url: Option<&str>,
        connections: &mut Connections,
    ) -> Result<Self, SetupError> {
        let url = token_url.unwrap_or(&account.token_uri).to_owned();
        let rest = url.strip_prefix("https://").ok_or(OriginError)?;
        let origin = Origin::read(&format!("https://{}", rest.split('/').next().unwrap_or_default()))?;
        url.parse::<http::Uri>().map_err(|_| OriginError)?;
        let connection = connections.to(&origin, &account.email);
        Ok(Self { account, connection, url })
    }

    pub(super) fn account(&self) -> &str {
        &self.account.email
    }

    /// Asks for a token.
    pub(super) fn start(self: &Arc<Self>, clock: DatabaseClock) -> Minting {
        let mint = self.clone();
        async move {
            let minted = mint.mint(clock).await;
            match &minted {
                Ok(_) => tracing::info!(host = mint.connection.origin().host, "an access token was issued"),
                Err(outcome) => {
                    let (outcome, reason) = (outcome.name(), outcome.reason());
                    tracing::warn!(host = mint.connection.origin().host, outcome, reason, "no access token was issued");
                }
            }
            minted
        }
        .boxed()
        .shared()
    }

    async fn mint(&self, clock: DatabaseClock) -> Result<Token, Outcome> {
        let unusable = |_| Outcome::Misconfigured { reason: "UnusableKey".into() };
        // An assertion needs no escaping: Base64URL and dots.
        let assertion = self.account.assertion(&self.url, clock.now()).map_err(unusable)?;
        let body = format!("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion={assertion}");
        let request = Request::builder()
            .version(Version::HTTP_2)
            .method(Method::POST)
            .uri(&self.url)
            .header(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"))
            .body(())
            .map_err(|_| Outcome::Misconfigured { reason: "UnusableTokenUrl".into() })?;
        let began = clock.now();
        match self.connection.exchange(&request, &Bytes::from(body), Instant::now() + MINT_TIMEOUT).await {
            Ok(answer) => read(&answer, &clock, began),
            // The notification itself was not sent, whatever became of the request for the token.
            Err(fault) => Err(Outcome::Unavailable { reason: fault.into_reason(), retry_after: None }),
        }
    }
}

fn read(answer: &Answer, clock: &DatabaseClock, began: time::OffsetDateTime) -> Result<Token, Outcome> {
    let status = answer.status;
    let retry_after = retry_after(&answer.headers, clock.now());
    if !(200..=299).contains(&status) {
        let refused: Refused = serde_json::from_slice(&answer.body).unwrap_or_default();
        let named = refused.error.as_str().and_then(outcome::reason);
        let reason: Reason = named.unwrap_or_else(|| format!("token status {status}").into());
        return Err(match status {
            408 | 429 | 500..=599 => Outcome::Unavailable { reason, retry_after },
            // The account is gone, its key was revoked, or the address is not Google's.
            _ => Outcome::Misconfigured { reason },
        });
    }
    let unreadable = || Outcome::Unavailable { reason: "UnreadableAccessToken".into(), retry_after };
    let issued: Issued = serde_json::from_slice(&answer.body).map_err(|_| unreadable())?;
    let mut bearer = HeaderValue::try_from(format!("Bearer {}", issued.access_token)).map_err(|_| unreadable())?;
    bearer.set_sensitive(true);
    let life = Duration::from_secs(issued.expires_in.unwrap_or(LIFE).min(LONGEST_LIFE));
    // From before the request, so that it never ends later than Google thinks.
    Ok(Token::new(bearer, began, life))
}
