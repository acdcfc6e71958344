//! One queue, told the time.

use std::{collections::BTreeMap, time::Duration};

use tokio::time::Instant;

use crate::sqs::{
    Counts, Settings,
    duplicates::Duplicates,
    message::{Content, Delivered},
    queue::{Queue, Received},
};

const VISIBILITY: Duration = Duration::from_secs(30);

fn queue(now: Instant) -> Queue {
    Queue::new("arn:aws:sqs:eu-central-1:000000000000:wakes".to_owned(), Settings::default(), now)
}

fn content(id: &str) -> Content {
    Content { id: id.to_owned(), body: "wake".to_owned(), attributes: BTreeMap::new(), trace: None }
}

fn receive(queue: &mut Queue, now: Instant) -> Vec<Delivered> {
    queue.receive(10, VISIBILITY, None, now, &mut Duplicates::default()).delivered
}

#[test]
fn a_received_message_is_hidden_and_comes_back_after_its_visibility() {
    let now = Instant::now();
    let mut queue = queue(now);
    queue.send(content("a"), None, now);
    assert_eq!(receive(&mut queue, now).len(), 1);
    assert_eq!(queue.counts(now), Counts { in_flight: 1, ..Counts::default() });
    assert!(receive(&mut queue, now + VISIBILITY.saturating_sub(Duration::from_millis(1))).is_empty());
    let again = receive(&mut queue, now + VISIBILITY);
    assert_eq!(again[0].message.receives, 2);
    assert_eq!(again[0].message.first_received_at, Some(now));
}

#[test]
fn a_delayed_message_shows_after_its_delay() {
    let now = Instant::now();
    let mut queue = queue(now);
    queue.send(content("a"), Some(Duration::from_mins(15)), now);
    assert_eq!(queue.counts(now), Counts { delayed: 1, ..Counts::default() });
    assert!(receive(&mut queue, now + Duration::from_secs(899)).is_empty());
    assert_eq!(receive(&mut queue, now + Duration::from_mins(15)).len(), 1);
}

#[test]
fn a_message_received_too_often_is_given_up_at_the_next_receive() {
    let mut now = Instant::now();
    let mut queue = queue(now);
    queue.send(content("a"), None, now);
    let take = |queue: &mut Queue, now| queue.receive(1, VISIBILITY, Some(3), now, &mut Duplicates::default());
    for _ in 0..3 {
        assert_eq!(take(&mut queue, now).delivered.len(), 1);
        now += VISIBILITY;
    }
    let Received { delivered, given_up } = take(&mut queue, now);
    assert!(delivered.is_empty());
    assert_eq!(given_up[0].receives, 3);
    assert_eq!(queue.counts(now).total(), 0);
}

#[test]
fn a_message_past_its_retention_is_gone() {
    let now = Instant::now();
    let mut queue = queue(now);
    queue.send(content("a"), None, now);
    let later = now + Settings::default().retention;
    assert_eq!(queue.counts(later).total(), 0);
    assert!(receive(&mut queue, later).is_empty());
}

#[test]
fn only_the_latest_receipt_deletes() {
    let now = Instant::now();
    let mut queue = queue(now);
    queue.send(content("a"), None, now);
    let first = receive(&mut queue, now)[0].receipt;
    let second = receive(&mut queue, now + VISIBILITY)[0].receipt;
    queue.delete(first);
    assert_eq!(queue.counts(now).total(), 1);
    queue.delete(second);
    queue.delete(second);
    assert_eq!(queue.counts(now).total(), 0);
}

#[test]
fn expired_visibilities_show_what_was_received_and_not_what_is_delayed() {
    let now = Instant::now();
    let mut queue = queue(now);
    queue.send(content("received"), None, now);
    queue.send(content("delayed"), Some(VISIBILITY), now);
    receive(&mut queue, now);
    queue.expire_visibility(now);
    assert_eq!(queue.counts(now), Counts { visible: 1, delayed: 1, in_flight: 0 });
}

#[test]
fn a_changed_visibility_counts_from_the_change() {
    let now = Instant::now();
    let mut queue = queue(now);
    queue.send(content("a"), None, now);
    let receipt = receive(&mut queue, now)[0].receipt;
    let change = now + Duration::from_secs(29);
    queue.change_visibility(receipt, VISIBILITY, change).unwrap();
    assert!(receive(&mut queue, now + VISIBILITY).is_empty());
    let refusal = queue.change_visibility(receipt, VISIBILITY, change + VISIBILITY).unwrap_err();
    assert_eq!(refusal.code, "MessageNotInflight");
}

#[test]
fn a_duplicate_is_the_same_message_with_a_receipt_of_its_own() {
    let now = Instant::now();
    let mut queue = queue(now);
    queue.send(content("a"), None, now);
    let both = queue.receive(10, VISIBILITY, None, now, &mut Duplicates::of(1.0, 1)).delivered;
    assert_eq!(both.len(), 2);
    assert_eq!(both[0].message.content.id, both[1].message.content.id);
    queue.delete(both[0].receipt);
    assert_eq!(queue.counts(now).total(), 1, "the second copy outlives the first");
    queue.delete(both[1].receipt);
    assert_eq!(queue.counts(now).total(), 0);
}

#[test]
fn a_share_of_duplicates_depends_on_the_seed_alone() {
    let duplicates_of = |seed| {
        let mut duplicates = Duplicates::of(0.3, seed);
        (0..1_000).map(|_| duplicates.strikes()).collect::<Vec<bool>>()
    };
    let struck = duplicates_of(7).iter().filter(|&&strikes| strikes).count();
    assert!((250..350).contains(&struck), "{struck}");
    assert_eq!(duplicates_of(7), duplicates_of(7));
    assert_ne!(duplicates_of(7), duplicates_of(8));
}
