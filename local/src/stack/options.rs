//! How a stack is set up.

use std::time::Duration;

use pushwake::limits;
use serde_json::{Map, Value};

use crate::postgres::{Cluster, Pooler};
use crate::runtime_api::OnLine;
use crate::{apns, fcm, webpush};

/// How a stack is set up.
#[derive(Clone)]
pub struct Options {
    /// A running cluster; the stack starts one of its own if there is none.
    pub cluster: Option<Cluster>,
    /// A migrated database of that cluster to copy; without one, migrate is invoked on an empty database.
    pub template: Option<String>,
    /// A pooler of that cluster, through which every function but migrate connects.
    pub pooler: Option<Pooler>,
    /// How the simulated APNs behaves, to which the app [`APP`](super::APP) sends.
    pub apns: apns::Options,
    /// How the simulated FCM behaves, to which the app [`ANDROID`](super::ANDROID) sends.
    pub fcm: fcm::Options,
    /// How the simulated push service behaves, to which the app [`WEB`](super::WEB) sends.
    pub webpush: webpush::Options,
    /// Further apps (`PUSHWAKE_APPS`).
    pub apps: Map<String, Value>,
    /// Concurrent drains, at least 2.
    pub drains: usize,
    /// Concurrent enqueues.
    pub enqueues: usize,
    /// The functions' time-out.
    pub timeout: Duration,
    /// Whether instances are stopped between invocations, as on Lambda.
    pub freeze: bool,
    /// The share of wakes that are delivered twice, and the seed that picks them.
    pub duplicates: Option<(f64, u64)>,
    /// How often schedule runs; `None` leaves it to [`Stack::run_schedule`](super::Stack::run_schedule).
    pub schedule_every: Option<Duration>,
    /// Visibility of a wake.
    pub visibility: Duration,
    /// Receives after which a wake goes to the dead-letter queue.
    pub max_receives: u32,
    /// Further variables for every function; they win.
    pub environment: Vec<(String, String)>,
    /// Sees every line that a function writes.
    pub on_line: Option<OnLine>,
}

impl Default for Options {
    /// As deployed, over a cluster of its own.
    fn default() -> Self {
        Self {
            cluster: None,
            template: None,
            pooler: None,
            apns: apns::Options::default(),
            fcm: fcm::Options::default(),
            webpush: webpush::Options::default(),
            apps: Map::new(),
            drains: limits::DRAINS,
            enqueues: 4,
            timeout: limits::FUNCTION_TIMEOUT,
            freeze: true,
            duplicates: None,
            schedule_every: Some(limits::SCHEDULE_EVERY),
            visibility: limits::WAKE_VISIBILITY,
            max_receives: 5,
            environment: Vec::new(),
            on_line: None,
        }
    }
}
