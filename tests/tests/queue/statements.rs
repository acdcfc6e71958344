//! Every statement on the migrated schema.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use pushwake::queue::statements::ALL;
use sqlx::{AssertSqlSafe, Executor, SqlSafeStr};
use tests::barrier::until;
use tests::database::Database;
use tests::drive::{self, batch, heads, try_claim};

#[tokio::test]
async fn every_statement_prepares_on_the_migrated_schema() {
    let database = Database::new().await;
    assert!(ALL.len() >= 25);
    let mut connection = database.pool.acquire().await.unwrap();
    for (name, statement) in ALL {
        // parameters get their types from the caller; what a bare PREPARE can't infer is a number of seconds or rows
        if let Err(error) = connection.prepare(AssertSqlSafe(*statement).into_sql_str()).await {
            panic!("{name}: {error}");
        }
    }
}

#[tokio::test]
async fn a_queue_behind_a_transaction_pooler_prepares_nothing() {
    let database = Database::new().await;
    let pool = sqlx::postgres::PgPoolOptions::new().max_connections(1).connect_lazy_with(database.options());
    let queue = pushwake::queue::Queue::new(pool.clone(), false);
    drive::queue(&queue, "E", "d").await;
    let claimed = heads(&queue, 8).await;
    drive::complete(&queue, &claimed[0]).await;
    let prepared: i64 =
        sqlx::query_scalar("select count(*) from pg_prepared_statements where statement like '%lanes%'")
            .persistent(false)
            .fetch_one(&pool)
            .await
            .unwrap();
    assert_eq!(prepared, 0);
}

#[tokio::test]
async fn without_its_claim_index_the_queue_is_slower_and_still_correct() {
    let database = Database::new().await;
    database.execute("drop index lanes_due").await;
    let queue = database.queue(1);
    for n in 0..3 {
        queue.enqueue(&batch(&format!("E{n}"), &["a", "b", "c"])).await.unwrap();
    }
    for n in 0..3 {
        let claimed = heads(&queue, 8).await;
        assert_eq!(claimed.len(), 3);
        for head in &claimed {
            assert_eq!(drive::event(head), format!("E{n}"));
            drive::complete(&queue, head).await;
        }
    }
    assert!(heads(&queue, 8).await.is_empty());
}

/// Polls a future `polls` times, then drops it.
async fn cancelled_after<F: Future>(polls: usize, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut left = polls;
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending if left <= 1 => Poll::Ready(None),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    })
    .await
}

#[tokio::test]
async fn c1s_no_cancellation_leaves_a_connection_inside_a_transaction() {
    let database = Database::new().await;
    let queue = database.named_queue("cancelled");
    queue.enqueue(&batch("E", &["a", "b", "c"])).await.unwrap();
    let mut completed = 0;
    for polls in 1.. {
        let claim = cancelled_after(polls, Box::pin(try_claim(&queue, 1))).await;
        if claim.is_some() {
            completed += 1;
            if completed == 3 {
                break;
            }
        }
        until(|| async {
            database
                .count(
                    "select count(*) from pg_stat_activity where datname = current_database()
                     and application_name = 'cancelled' and state like 'idle in transaction%'",
                )
                .await
                == 0
        })
        .await;
        // the next borrower works
        queue.backlog(None).await.expect("a clean connection");
        database.end_leases().await;
    }
}
