//! What is sent to whom: every device gets its notifications in waves, numbered from 1.
//!
//! The notifications have places: those of the first wave come first, one per device, then those of the second. The
//! last wave may be shorter than the others. The devices are the providers' in turn.

use std::ops::Range;

use pushwake::limits::DEVICES;

use super::provider::Provider;

/// Digits of a token that say whose it is.
const DEVICE_DIGITS: usize = 8;

/// How many, for how many.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) notifications: usize,
    pub(super) devices: usize,
    pub(super) seed: u64,
    /// At least one, and each once.
    pub(super) providers: Vec<Provider>,
}

/// One call of enqueue: one wave, for devices that stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    /// The number that its devices get, from 1.
    pub(super) n: usize,
    pub(super) devices: Range<usize>,
}

impl Plan {
    /// The calls that caller `turn` of `callers` makes, in its order: a device is always called by the same one, so
    /// that its notifications are queued in order.
    pub(super) fn calls(&self, turn: usize, callers: usize) -> impl Iterator<Item = Call> {
        let waves = self.notifications.div_ceil(self.devices);
        (1..=waves).flat_map(move |n| {
            let reached = self.reached(n);
            let groups = (0..reached).step_by(DEVICES).skip(turn).step_by(callers);
            groups.map(move |first| Call { n, devices: first..reached.min(first + DEVICES) })
        })
    }

    /// Whose device it is.
    pub(super) fn provider_of(&self, device: usize) -> Provider {
        self.providers[device % self.providers.len()]
    }

    /// The notifications for devices of the provider.
    pub(super) fn share(&self, provider: Provider) -> usize {
        let waves = self.notifications / self.devices;
        let whole = (0..self.devices).filter(|&device| self.provider_of(device) == provider).count();
        let last = (0..self.notifications % self.devices).filter(|&device| self.provider_of(device) == provider);
        waves * whole + last.count()
    }

    /// The devices of a wave.
    fn reached(&self, n: usize) -> usize {
        self.devices.min(self.notifications - (n - 1) * self.devices)
    }

    /// The place of a notification.
    pub(super) fn place(&self, n: usize, device: usize) -> usize {
        (n - 1) * self.devices + device
    }

    /// The place of what the provider was asked for.
    pub(super) fn place_of(&self, token: &str, n: u64) -> Option<usize> {
        let device = usize::from_str_radix(token.get(..DEVICE_DIGITS)?, 16).ok()?;
        let n = usize::try_from(n).ok().filter(|&n| n > 0)?;
        Some(self.place(n, device)).filter(|&place| device < self.devices && place < self.notifications)
    }

    /// What its provider knows it by.
    pub(super) fn token(&self, device: usize) -> String {
        format!("{device:08x}{:056x}", self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        let providers = vec![Provider::Apns, Provider::Fcm, Provider::WebPush];
        Plan { notifications: 2_700, devices: 1_200, seed: 7, providers }
    }

    #[test]
    fn every_notification_is_in_one_call_and_every_device_with_one_caller() {
        let plan = plan();
        let mut called = vec![None; plan.notifications];
        let mut caller_of = vec![None; plan.devices];
        for turn in 0..2 {
            let mut last = 0;
            for call in plan.calls(turn, 2) {
                assert!(call.n >= last, "waves come in order");
                last = call.n;
                for device in call.devices {
                    assert!(called[plan.place(call.n, device)].replace(turn).is_none(), "{device} twice");
                    assert!(*caller_of[device].get_or_insert(turn) == turn, "{device} has two callers");
                }
            }
        }
        assert!(called.iter().all(Option::is_some));
    }

    #[test]
    fn a_token_tells_its_device() {
        let plan = plan();
        let token = plan.token(1_199);
        assert_eq!(token.len(), 64);
        assert_eq!(plan.place_of(&token, 2), Some(plan.place(2, 1_199)));
        assert_eq!(plan.place_of(&token, 3), None, "the last wave is shorter");
        assert_eq!(plan.place_of(&token, 0), None);
        assert_eq!(plan.place_of("00", 1), None);
    }

    #[test]
    fn every_provider_gets_its_share() {
        let mut plan = plan();
        plan.notifications = 2_404;
        let shares = |plan: &Plan| plan.providers.iter().map(|&provider| plan.share(provider)).collect::<Vec<_>>();
        assert_eq!(shares(&plan), [802, 801, 801]);
        plan.providers = vec![Provider::WebPush];
        assert_eq!((shares(&plan), plan.share(Provider::Apns)), (vec![2_404], 0));
    }
}
