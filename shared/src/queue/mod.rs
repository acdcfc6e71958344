//! The queue in Postgres: lanes, leases and the statements that move them.
//!
//! A **lane** is one device's queue; its row names the **head**, so that a claim reads the heads that are due from one
//! index and never looks at what waits behind them. Every step is one short transaction of a few statements, each in a
//! file of its own under `sql/` with the reason beside the clause. One clock decides about rows: the database's.
//!
//! # The steps
//!
//! * **claim** ([`Queue::claim`]): under the shared claim key, lease due lanes with `skip locked`; then, in a new
//!   statement, read their heads. An eighth of the places is for rows older than the TTL, so that a dead backlog never
//!   stands before a fresh row and nothing is hidden behind the TTL.
//! * **renew** ([`Queue::renew`]): one statement for all leases of a drain. It never revives one that ran out.
//! * **finish** ([`Queue::finish`]): lock the lanes whose token and head are what the claim returned, delete the heads
//!   that are over; then, in a new statement, set each lane to its next head, to its retry time, or remove it.
//! * **enqueue** ([`Queue::enqueue`]): lock every lane of the call by an upsert; then, in new statements, read what the
//!   call meets, insert what is new, remove lanes in which nothing was queued. A dismissal locks in the same way.
//! * **prune** ([`Queue::prune`]): expired rows of unleased lanes, and what is past its retention.
//! * **backlog** ([`Queue::backlog`]): what is due, for the top-up, and when the next row falls due.
//! * **pauses** ([`Queue::pause`]): an app whose provider fails as a whole, and the one probe that ends its pause.
//! * **outbox** ([`Queue::take_unposted`]): dead tokens and pauses, for the [`feedback`](crate::feedback) queue.
//! * **inspect** ([`Queue::inspect_event`], [`Queue::inspect_device`]): a look for an [`operator`](crate::operator).
//! * **measure** ([`Queue::measure_apps`]): how old what is due is, and what keeps the tables from being cleaned up.
//! * **forget** ([`Queue::forget`]): every trace of a device but its head in flight, which it waits for.
//!
//! # Interleavings, and what forbids the bad ones
//!
//! | while … | … this happens | guard |
//! | --- | --- | --- |
//! | a claim waits between snapshot and lock | another drain finishes the head | heads are read in a new statement |
//! | a finish waits for its lane | an enqueue commits behind the head | the next head is read in a new statement |
//! | a finish has removed its lane | an enqueue waits for it | the upsert starts again and inserts a new lane |
//! | a dismissal is not committed | an enqueue of its event arrives, or the other way round | both lock by the upsert |
//! | a head is in flight | its dismissal commits | the finish reads dismissals after its locks |
//! | a finish committed and its answer was lost | the same drain claims the next head | the finish names token *and* head |
//! | a drain is suspended past its lease | another one claims the lane | a new token for every claim |
//! | a lease has run out | its drain renews | a renewal asks for `lease_until > clock` |
//! | our leases are not committed | a revision that claims exclusively scans | the claim key, shared |
//! | the clock steps back | a new row arrives, also behind a tried head | `tail_at`, raised by enqueue and claim |
//! | a device asked for rest | its head is discarded or dismissed | `rest_until` outlives the head |
//! | calls name devices in opposite orders | | every multi-row lock in `(app, device)` order, bytes |
//! | a device is forgotten | an enqueue of it is not committed, or waits behind the forget | both lock by the upsert |
//! | a device is forgotten | its head is in flight | it is left to its finish, with its receipt, and waited for |
//! | a device is forgotten | a verdict about its token, whose finish has committed, is not recorded yet | a verdict locks the receipt of its event, and is dropped where there is none |
//! | a device is forgotten | a dismissal has its rows there and waits for the lane | they are passed over, and met by the next pass |
//! | a future is dropped inside a transaction | | its connection leaves the pool with it |
//!
//! # The guards of each guarantee, and the tests that fail without them
//!
//! Each guard below was taken out, its test seen to fail, and put back.
//!
//! | | guard | test |
//! | --- | --- | --- |
//! | G1 | a finish reads the next head in a statement of its own | `c45_what_an_enqueue_commits_while_a_finish_waits_is_claimable_afterwards` |
//! | G1 | rows older than the TTL have their share of a claim | `c53_a_dead_backlog_takes_an_eighth_of_a_claim_at_most_while_there_is_fresh_work` |
//! | G2 | a claim leaves leased lanes alone | `a_claim_leases_the_head_and_reads_what_was_queued` |
//! | G2 | a renewal never revives | `c65_a_renewal_never_revives_a_lease_that_ran_out` |
//! | G2 | a finish proves its token | `c41_a_late_finish_of_a_lost_lease_changes_nothing` |
//! | G3 | `tail_at` is raised by the claim | `c60_a_scheduled_head_that_was_claimed_is_not_overtaken_after_a_step_back` |
//! | G3 | a new row is no head while an earlier one waits | `c22_nothing_overtakes_a_head_that_waits_for_its_retry` |
//! | G4 | heads are read after the lock, in a new statement | `c44_a_head_that_was_finished_between_snapshot_and_lock_is_not_sent_again` |
//! | G4 | a finish names its head | `c57_a_finish_whose_answer_was_lost_changes_nothing_when_it_is_retried` |
//! | G5 | receipts only for what was queued | `c59_a_device_that_was_not_queued_is_queued_when_the_caller_tries_again` |
//! | G5 | dismissals outlive their event | `c58_a_late_arrival_is_never_sent_after_the_dismissal` |
//! | G6 | an ordered index scan for each app | `the_generic_plan_of_a_claim_reads_indexes_in_order_at_200_000_lanes_over_three_apps` |
//! | G6 | fillfactor and unindexed leases | `the_first_claim_of_a_fresh_burst_and_its_renewals_are_heap_only_updates` |
//! | G7 | the claim key | `c47_the_previous_revision_waits_until_our_leases_are_committed` |
//! | G7 | the format number | `c61_a_row_in_a_newer_format_is_left_to_a_newer_drain` |
//!
//! # For the next revision of the claim
//!
//! A revision that changes how lanes are claimed takes the claim key *exclusively*, with a `lock_timeout`, for one
//! release: it then waits until the leases of this revision are committed before it scans, and this one answers
//! [`Claim::Yielded`] meanwhile. The shared key may be dropped one release after every drain runs that revision.

mod backlog;
mod batch;
mod begin;
mod claim;
mod connection;
mod dismiss;
mod enqueue;
mod error;
mod finish;
mod forget;
mod head;
mod inspect;
pub mod lock_keys;
mod measure;
mod outbox;
mod pauses;
mod prune;
mod renew;
mod reread;
mod share;
pub mod statements;

pub use backlog::Backlog;
pub use batch::{Answer, Batch, BatchDevice, Enqueued, WakeAt};
pub use claim::{Claim, Claimed, Want};
pub use connection::Queue;
pub use error::QueueError;
pub use finish::{Finish, Finished, Step};
pub use head::{Found, Head, Lease, Notification};
pub use measure::MeasuredApp;
pub use outbox::Unposted;
pub use pauses::{DeadToken, Probe, TOO_MANY_DEAD_TOKENS, UNREADABLE_KEY};
pub use prune::Pruned;
pub use renew::Renewal;
pub use reread::Reread;

pub use crate::contract::Kind;
