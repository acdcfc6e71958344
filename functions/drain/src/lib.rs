//! The function a wake starts: claims the heads of free lanes, sends them, finishes them in batches.
//!
//! One invocation is one [`drain`](drain::Drain::run). Its loop has at most one statement under way, since claims and
//! finishes share one connection, while up to a `window` of sends is in flight:
//!
//! 1. **claim** as many heads as there are free places, at the `pace` of what the last claims found;
//! 2. **triage** each head: most are sent, the expired, dismissed and unreadable ones are finished at once;
//! 3. **send** (`send`), concurrently, unless the lease is too old for the answer to come before it ends;
//! 4. **answer**: the [`policy`] turns an [`outcome`] into what becomes of the head;
//! 5. **finish** in batches; whatever fails from here on, only the finish is tried again, never the send;
//! 6. **settle** what the outcomes said about tokens and whole apps (`settle`, `pauses`);
//! 7. **claim** again, back to back with the finish, until nothing is claimable or the budget is spent;
//! 8. **wake**: post the `wakes` for what this drain has written and left;
//! 9. **post** what it has settled to the [`feedback`](pushwake::feedback) queue.
//!
//! The renewer (`renew`) keeps the `leases` meanwhile, on a connection of its own. Nothing outlives the invocation but
//! the connections: every send is answered or given up, and every task joined, before it returns.
//!
//! # Guards, and the tests that fail without them
//!
//! The pure decisions are tested beside their code; the loop as a whole in the package `tests` (`tests/drain`), over
//! real Postgres, with a provider that each test scripts.
//!
//! | guard | test |
//! | --- | --- |
//! | no send under a lease that could end before the answer (G2) | `g2_nothing_is_sent_under_a_lease_that_could_end_…` |
//! | a failed finish is kept and tried again, the send is not (G4) | `c01_a_finish_that_fails_three_times_…` |
//! | a lost commit answer is not a lost lease (G4) | `c57_a_finish_whose_commit_answer_is_lost_…` |
//! | a locked lane is kept, and waited for alone (G1, G4) | `c56_one_locked_lane_is_waited_for_alone_…` |
//! | leases are renewed on a connection of their own (G4) | `a_lease_is_renewed_while_its_send_is_slow` |
//! | sends without an answer are bounded (G4) | `only_what_is_alive_is_sent`, `c07_a_send_that_is_never_answered_…` |
//! | a provider that fails as a whole is paused, and one probe decides (G1) | `c08_a_provider_that_is_down_is_left_alone_…` |
//! | verdicts against tokens are doubted until they can be true | `c14_wrong_environment_marks_no_token_…` |
//! | whoever writes a due time posts its wake (G1) | `c23_a_retry_in_silence_…`, `c46_a_device_rests_…` |
//! | the budget ends the claims, and continues | `a_budget_that_ends_with_work_left_continues` |
//! | attempts at a claim outlast busy peers | `c47_a_drain_that_yields_comes_back_a_second_later` |

pub mod apns;
mod apps;
mod attempt;
pub mod clock;
pub mod connection;
pub mod drain;
mod event;
pub mod fcm;
pub mod handler;
mod leases;
mod log;
mod measures;
pub mod outcome;
mod pace;
mod pauses;
pub mod policy;
pub mod provider;
mod renew;
mod send;
mod settle;
mod wakes;
pub mod webpush;
mod window;

pub use pace::Ended;
