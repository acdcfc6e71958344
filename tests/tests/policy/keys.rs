//! An app whose key is missing or unreadable is paused alone.

use serde_json::json;
use tests::product::{lines, until_line};

use crate::two_apps::{BAD, GOOD, TwoApps};

#[tokio::test(flavor = "multi_thread")]
async fn an_app_whose_key_is_missing_is_paused_alone_and_goes_on_when_the_key_reads_again() {
    let two = TwoApps::without_key().await;
    let product = &two.product;
    two.queue(1, BAD, 20).await;
    two.queue(1, GOOD, 20).await;
    two.good.wait_until(|tally| tally.delivered == 20).await;
    product.until_quiet().await;
    let paused = format!("app = '{BAD}' and reason = 'UnreadableKey' and until > clock_timestamp()");
    assert_eq!((two.paused(&paused).await, two.left(BAD).await, two.left(GOOD).await), (1, 20, 0));
    until_line(&product.stack.drain, r#""alarm":"app_paused""#).await;
    let errors = lines(&product.stack.drain, "the app can't send and is paused");
    assert!(errors.iter().all(|line| line["app"] == BAD), "{errors:?}");

    // Nobody is woken for it, nor does another drain touch it.
    product.stack.stop_drains().await;
    let scheduled = product.schedule().await;
    assert_eq!(scheduled["due"], json!(0));
    product.drain().await;
    assert_eq!(two.bad.tally().connections, 0);

    // Instances that start now have the key, and don't wait for the end of the pause.
    two.write_key();
    product.stack.drain.retire_idle().await;
    assert_eq!(two.paused(&paused).await, 1);
    product.drain().await;
    assert_eq!((two.bad.tally().delivered, two.paused("true").await, two.left(BAD).await), (20, 0, 0));
    two.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_for_a_missing_key_grows_while_nobody_can_read_it() {
    let two = TwoApps::without_key().await;
    let product = &two.product;
    product.stack.stop_drains().await;
    two.queue(1, BAD, 3).await;
    for step in 0..3 {
        product.stack.drain.retire_idle().await;
        product.drain().await;
        assert_eq!(two.paused(&format!("step = {step} and reason = 'UnreadableKey'")).await, 1);
        assert_eq!(product.schedule().await["due"], json!(0));
        two.end_pause().await;
        assert_eq!(product.schedule().await["due"], json!(1), "one wake, for one try");
    }
    assert_eq!(two.left(BAD).await, 3);
    two.stop().await;
}
