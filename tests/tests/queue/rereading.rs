//! What a queue connects with, once it has grown old.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use pushwake::queue::Reread;
use tests::database::Database;
use tests::drive;

#[tokio::test]
async fn a_token_is_signed_again_before_it_ends_and_not_for_every_statement() {
    let database = Database::new().await;
    for (fresh, expected) in [(Some(Duration::ZERO), 3), (Some(Duration::from_mins(10)), 0), (None, 0)] {
        let read = Arc::new(AtomicUsize::new(0));
        let (reads, options) = (read.clone(), database.front());
        let reread: Reread = Arc::new(move || {
            reads.fetch_add(1, Ordering::SeqCst);
            let options = options.clone();
            Box::pin(async move { Some(options) })
        });
        let queue = database.queue(1).rereading(reread, fresh);
        for n in 0..3 {
            drive::queue(&queue, &format!("E{n}-{fresh:?}"), "d").await;
        }
        assert_eq!(read.load(Ordering::SeqCst), expected, "{fresh:?}");
    }
}
