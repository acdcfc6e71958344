//! The simulated providers behind one face: whomever a request went to, it is an [`Arrival`].

use std::time::Instant;

use clap::ValueEnum;
use serde::Serialize;

use super::plan::Plan;
use crate::provider::{Asking, End, Recorded, Reply, Tally};
use crate::stack::{ANDROID, APP, Stack, WEB};

/// A provider that the demo sends to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Apple's, for iOS devices.
    Apns,
    /// Google's, for Android devices.
    Fcm,
    /// A browser's push service.
    #[value(name = "webpush")]
    WebPush,
}

/// One request that a provider received.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    /// Whose it was, if it can be told.
    pub(super) place: Option<usize>,
    pub(super) start: Instant,
    /// None while it is in flight.
    pub(super) end: Option<(Instant, Fate)>,
}

/// What became of a request, as its provider knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Delivered,
    /// Answered that it was not.
    Refused,
    /// The drain can't tell what became of it.
    Unanswered,
}

impl Provider {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Apns => "apns",
            Self::Fcm => "fcm",
            Self::WebPush => "webpush",
        }
    }

    /// The app that sends to it.
    pub(super) fn app(self) -> &'static str {
        match self {
            Self::Apns => APP,
            Self::Fcm => ANDROID,
            Self::WebPush => WEB,
        }
    }

    pub(super) fn tally(self, stack: &Stack) -> Tally {
        match self {
            Self::Apns => stack.apns.tally(),
            Self::Fcm => stack.fcm.tally(),
            Self::WebPush => stack.webpush.tally(),
        }
    }

    /// What every request gets from now on.
    pub(super) fn answer_all(self, stack: &Stack, reply: Reply) {
        match self {
            Self::Apns => stack.apns.answer_all(reply),
            Self::Fcm => stack.fcm.answer_all(reply),
            Self::WebPush => stack.webpush.answer_all(reply),
        }
    }

    /// What arrived after the first `seen` requests, in order of arrival.
    pub(super) fn arrivals(self, stack: &Stack, plan: &Plan, seen: usize) -> Vec<Arrival> {
        match self {
            Self::Apns => read(plan, &stack.apns.requests_from(seen)),
            Self::Fcm => read(plan, &stack.fcm.requests_from(seen)),
            Self::WebPush => read(plan, &stack.webpush.requests_from(seen)),
        }
    }
}

fn read<A: Asking>(plan: &Plan, requests: &[Recorded<A>]) -> Vec<Arrival> {
    let arrival = |request: &Recorded<A>| Arrival {
        place: request.n.and_then(|n| plan.place_of(request.asked.device(), n)),
        start: request.start,
        end: request.end.as_ref().map(|(at, end)| (*at, fate(end))),
    };
    requests.iter().map(arrival).collect()
}

fn fate(end: &End) -> Fate {
    match end {
        End::Answered { status: 200..=299, .. } => Fate::Delivered,
        End::Answered { .. } | End::Refused => Fate::Refused,
        End::Reset | End::Lost => Fate::Unanswered,
    }
}
