//! One drain: claim, triage, send, answer, finish, settle, and claim again; at the end, the wakes.

mod answer;
mod claim;
mod end;
mod finish;
mod next;
mod statement;

use std::collections::HashMap;
use std::time::Duration;

use pushwake::contract::AppId;
use pushwake::function::metric::{Counts, Metric, Metrics};
use pushwake::limits::{DRAIN_BUDGET, SEND_TIMEOUT, STATEMENT_DEADLINE, WAKE_POST};
use pushwake::queue::{Queue, QueueError};
use pushwake::wake::{Posted, Wake, WakeError, WakeQueue};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::leases::Leases;
use crate::measures::Measures;
use crate::outcome::Sent;
use crate::pace::{Ended, Pace};
use crate::pauses::Pauses;
use crate::policy::Breaker;
use crate::provider::Providers;
use crate::renew::renew_until;
use crate::settle::Settle;
use crate::wakes::Dues;
use crate::window::Window;
pub use end::{DrainError, Summary};
use next::Move;
use statement::{Pending, answer_of};

/// A provider ends a send by itself within [`SEND_TIMEOUT`], and knows best how; this is for one that does not.
pub const GIVE_UP: Duration = Duration::from_millis(SEND_TIMEOUT.as_millis() as u64 + 500);
/// Kept free of sends at the end: the last finish and one more try.
const FINISHING: Duration = Duration::from_secs(2 * STATEMENT_DEADLINE.as_secs());
/// Kept free of new statements at the very end: the statement under way, the last wakes, and the answer.
const ENDING: Duration = Duration::from_secs(STATEMENT_DEADLINE.as_secs() + WAKE_POST.as_secs() + 1);

/// What drains: clients and connections, built once and used by every invocation of the process.
pub struct Drain {
    /// For claims and finishes, one at a time: one connection.
    pub queue: Queue,
    /// For renewals alone: one more connection, which nothing else can occupy.
    pub renewals: Queue,
    /// Where wakes are posted.
    pub wakes: WakeQueue,
    /// The clients of the apps that can send.
    pub providers: Providers,
    /// Sends in flight at most.
    pub window: usize,
    /// When a send without an answer is given up: [`GIVE_UP`], or less in a test.
    pub give_up: Duration,
    /// What the apps have answered lately.
    pub breakers: HashMap<AppId, Breaker>,
    /// Where it writes what it has counted.
    pub metrics: Metrics,
    /// Percent of the delivered outcomes that are logged.
    pub delivered_sample: u8,
}

/// One invocation.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// What woke the drain.
    pub wake: Wake,
    /// Lambda's id of the invocation.
    pub request_id: String,
    /// Time until Lambda kills the function.
    pub remaining: Duration,
    /// Message bodies that were no wake of ours; each acts as a plain one.
    pub malformed: u64,
    /// When the first of its messages could be received, in milliseconds since 1970.
    pub receivable: Option<u64>,
}

/// A drain that is running.
struct Running<'a> {
    drain: &'a mut Drain,
    invocation: Invocation,
    /// No statement begins after it.
    ends: Instant,
    leases: Leases,
    pace: Pace,
    window: Window,
    pauses: Pauses,
    settle: Settle,
    settle_at: Instant,
    dues: Dues,
    sends: JoinSet<Option<Sent>>,
    posts: JoinSet<Result<Posted, WakeError>>,
    counts: Counts,
    measures: Measures,
    claims: u32,
    empty_claims: u64,
    /// The last claim left something behind.
    last_claim_full: bool,
    recruited: bool,
    progress: bool,
    /// What it has written for the feedback queue.
    feedback: usize,
    /// Statements in a row that failed, and why the last one did.
    failures: u32,
    error: Option<QueueError>,
}

impl Drain {
    /// Drains until nothing is claimable or the time is spent. Every send it started is answered or given up, and
    /// every task it started is joined, before it returns.
    pub async fn run(&mut self, invocation: Invocation) -> Result<Summary, DrainError> {
        let needed = SEND_TIMEOUT + FINISHING;
        let Some(budget) = invocation.remaining.checked_sub(needed).filter(|budget| !budget.is_zero()) else {
            return Err(DrainError::NoTime(invocation.remaining));
        };
        let statements = self.queue.statements() + self.renewals.statements();
        let leases = Leases::default();
        let stop = CancellationToken::new();
        // Should the loop panic, the renewer still ends.
        let stopped = stop.clone().drop_guard();
        let renewer = tokio::spawn(renew_until(stop, self.renewals.clone(), leases.clone()));
        let mut running = Running::new(self, invocation, budget.min(DRAIN_BUDGET), leases);
        let ended = running.until_ended().await;
        let (mut summary, error) = running.end(ended).await;
        drop(stopped);
        // It only ever ends by itself, so that no renewal is cancelled half-way.
        let _ = renewer.await;
        summary.statements = self.queue.statements() + self.renewals.statements() - statements;
        self.metrics.write(summary.measured(self.metrics.cold_start()));
        summary.log();
        error.map_or(Ok(summary), Err)
    }
}

impl<'a> Running<'a> {
    fn new(drain: &'a mut Drain, invocation: Invocation, budget: Duration, leases: Leases) -> Self {
        let now = Instant::now();
        let apps = drain.providers.apps().cloned().collect();
        let window = Window::new(drain.window);
        let counts = Counts::default();
        counts.add(Metric::WakeMalformed, invocation.malformed);
        Self {
            ends: now + invocation.remaining.saturating_sub(ENDING),
            drain,
            invocation,
            leases,
            pace: Pace::new(now, now + budget),
            window,
            pauses: Pauses::new(apps, now),
            settle: Settle::default(),
            settle_at: now,
            dues: Dues::default(),
            sends: JoinSet::new(),
            posts: JoinSet::new(),
            counts,
            measures: Measures::default(),
            claims: 0,
            empty_claims: 0,
            last_claim_full: false,
            recruited: false,
            progress: false,
            feedback: 0,
            failures: 0,
            error: None,
        }
    }

    /// The loop. At most one statement is under way, since claims and finishes share a connection; answers are
    /// collected meanwhile, and make the next finish larger.
    async fn until_ended(&mut self) -> Ended {
        let mut under_way: Option<Pending> = None;
        loop {
            let mut until = self.ends;
            if under_way.is_none() {
                match self.next(Instant::now()) {
                    Move::Start(statement) => under_way = Some(statement),
                    Move::Wait(at) => until = at,
                    Move::End(ended) => return ended,
                }
            }
            tokio::select! {
                answer = answer_of(&mut under_way), if under_way.is_some() => {
                    under_way = None;
                    self.on_statement(answer);
                }
                Some(sent) = self.sends.join_next_with_id() => self.on_sent(sent),
                () = sleep_until(until), if under_way.is_none() => {}
            }
        }
    }
}
