//! What is sent to whom: every device gets its notifications in waves, numbered from 1.
//!
//! The notifications have places: those of the first wave come first, one per device, then those of the second. The
//! last wave may be shorter than the others.

use std::ops::Range;
use std::time::Duration;

use pushwake::contract::{Device, Request};
use pushwake::limits::DEVICES;
use serde_json::json;
use time::OffsetDateTime;

use crate::stack::APP;

/// Long enough for a million notifications on a slow machine: nothing of the demo expires.
const LIFE: Duration = Duration::from_hours(6);
/// Digits of a token that say whose it is.
const DEVICE_DIGITS: usize = 8;

/// How many, for how many.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    pub(super) notifications: usize,
    pub(super) devices: usize,
    pub(super) seed: u64,
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
    pub(super) fn calls(self, turn: usize, callers: usize) -> impl Iterator<Item = Call> {
        let waves = self.notifications.div_ceil(self.devices);
        (1..=waves).flat_map(move |n| {
            let reached = self.devices.min(self.notifications - (n - 1) * self.devices);
            let groups = (0..reached).step_by(DEVICES).skip(turn).step_by(callers);
            groups.map(move |first| Call { n, devices: first..reached.min(first + DEVICES) })
        })
    }

    /// The request for some devices of a wave.
    pub(super) fn request(self, n: usize, devices: &[usize]) -> Request {
        let device = |device: usize| Device::with_token(format!("device-{device}"), APP, self.token(device));
        let named = devices.iter().copied().map(device);
        let mut request = Request::new("demo", format!("wave-{n}"), named.collect());
        request.notification.title = Some("Pushwake".to_owned());
        request.notification.body = Some(format!("This is number {n}."));
        request.notification.data.insert("n".to_owned(), json!(n));
        request.expires_at = Some(OffsetDateTime::now_utc() + LIFE);
        request
    }

    /// The place of a notification.
    pub(super) fn place(self, n: usize, device: usize) -> usize {
        (n - 1) * self.devices + device
    }

    /// The place of what the provider was asked for.
    pub(super) fn place_of(self, token: &str, n: u64) -> Option<usize> {
        let device = usize::from_str_radix(token.get(..DEVICE_DIGITS)?, 16).ok()?;
        let n = usize::try_from(n).ok().filter(|&n| n > 0)?;
        Some(self.place(n, device)).filter(|&place| device < self.devices && place < self.notifications)
    }

    fn token(self, device: usize) -> String {
        format!("{device:08x}{:056x}", self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: Plan = Plan { notifications: 2_700, devices: 1_200, seed: 7 };

    #[test]
    fn every_notification_is_in_one_call_and_every_device_with_one_caller() {
        let mut called = vec![None; PLAN.notifications];
        let mut caller_of = vec![None; PLAN.devices];
        for turn in 0..2 {
            let mut last = 0;
            for call in PLAN.calls(turn, 2) {
                assert!(call.n >= last, "waves come in order");
                last = call.n;
                for device in call.devices {
                    assert!(called[PLAN.place(call.n, device)].replace(turn).is_none(), "{device} twice");
                    assert!(*caller_of[device].get_or_insert(turn) == turn, "{device} has two callers");
                }
            }
        }
        assert!(called.iter().all(Option::is_some));
    }

    #[test]
    fn a_token_tells_its_device() {
        let token = PLAN.token(1_199);
        assert_eq!(token.len(), 64);
        assert_eq!(PLAN.place_of(&token, 2), Some(PLAN.place(2, 1_199)));
        assert_eq!(PLAN.place_of(&token, 3), None, "the last wave is shorter");
        assert_eq!(PLAN.place_of(&token, 0), None);
        assert_eq!(PLAN.place_of("00", 1), None);
    }
}
