//! What Postgres says of a row it refuses, and of a password.

use local::stack;
use serde_json::json;
use tests::product::{Product, options, until_line};

use crate::platform::Platform;
use crate::{CANARY, Canaries, at_trace};

/// Triggers that quote the row in their error, as Postgres itself quotes a value that it can't convert.
const QUOTING: &str = "
    create function quote() returns trigger language plpgsql as $$
    begin
        raise exception 'refused: %', coalesce(old, new);
    end $$;
    create trigger quote_insert before insert on notifications for each row
        when (new.event = 'refused') execute function quote();
    create trigger quote_delete before delete on notifications for each row execute function quote();";

#[tokio::test(flavor = "multi_thread")]
async fn c36s_an_error_of_postgres_that_quotes_a_row_is_in_no_output() {
    let product = Product::with(stack::Options { environment: at_trace(), ..options().await }).await;
    let (device, secrets) = Platform::Apns.device(&product.stack, 1);
    let request = |event: &str| {
        json!({"source": "tests", "event": event, "devices": [device],
            "notification": {"title": CANARY, "body": CANARY, "data": {"CANARY": CANARY}}})
    };
    product.database.execute(QUOTING).await;
    product.enqueue(&request("finished")).await;
    until_line(&product.stack.drain, r#""step":"a finish""#).await;
    let refused = product.stack.enqueue(&request("refused")).await.expect_err("refused").to_string();
    assert!(!refused.contains(CANARY), "{refused}");
    Canaries::new(secrets).are_in_no_output(&product.stack);
    product.stop().await;
}
