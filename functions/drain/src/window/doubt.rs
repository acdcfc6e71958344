//! Verdicts against tokens that wait for the others, since a wrong environment can't be told from dead tokens yet.

use pushwake::contract::AppId;
use pushwake::function::metric::Metric;
use pushwake::queue::Step;
use tokio::time::Instant;

use super::Window;
use crate::attempt::Unfinished;
use crate::policy::Tried;

impl Window {
    /// The verdicts against this app's tokens are true: they wait no longer.
    pub fn believe(&mut self, app: &AppId) {
        for one in self.doubted(app) {
            one.doubt = None;
            one.not_before = one.known;
        }
    }

    /// Nothing more will come that could prove a verdict wrong.
    pub fn believe_all(&mut self) {
        for one in self.unfinished.iter_mut().filter(|one| one.doubt.is_some()) {
            one.doubt = None;
            one.not_before = one.known;
        }
    }

    /// The verdicts against this app's tokens are wrong: their rows are kept as `step` says. The answer is how many.
    pub fn set_aside(&mut self, app: &AppId, now: Instant, step: impl Fn(&Tried) -> Step) -> u64 {
        let mut n = 0;
        for one in self.doubted(app) {
            if let Some(tried) = one.doubt.take() {
                one.finish.step = step(&tried);
                one.counts_as = Some(if one.finish.step == Step::Expire { Metric::Expired } else { Metric::Retried });
                one.dead = None;
                one.not_before = now;
                n += 1;
            }
        }
        n
    }

    fn doubted(&mut self, app: &AppId) -> impl Iterator<Item = &mut Unfinished> {
        self.unfinished.iter_mut().filter(move |one| one.doubt.is_some() && one.finish.lease.app == *app)
    }
}
