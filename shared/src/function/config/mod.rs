//! Configuration, read once from the environment. One struct per function; all faults are reported together, by the
//! variable's name and without its value.

mod database;
mod names;
mod reading;

use std::path::PathBuf;
use std::time::Duration;

pub use database::{Database, Tls};
pub use names::{Name, variables_of};
pub use reading::{ConfigError, Fault};

use crate::function::apps::AppsRef;
use crate::limits;
use reading::Reading;

/// The configuration of enqueue.
#[derive(Clone, Debug)]
pub struct Enqueue {
    /// The queue.
    pub database: Database,
    /// The SQS queue of the wakes.
    pub wake_queue_url: String,
    /// The apps a device may name.
    pub apps: AppsRef,
    /// Notifications one source may queue within [`QUOTA_WINDOW`](limits::QUOTA_WINDOW).
    pub source_quota: Option<i64>,
    /// Life of a notification that names no `expires_at`.
    pub default_life: Duration,
    /// CloudWatch's namespace of the metrics; without one, none is written.
    pub metrics_namespace: Option<String>,
}

/// The configuration of drain.
#[derive(Clone, Debug)]
pub struct Drain {
    /// The queue.
    pub database: Database,
    /// The SQS queue of the wakes.
    pub wake_queue_url: String,
    /// The SQS queue that products read; without one, feedback is not posted.
    pub feedback_queue_url: Option<String>,
    /// The apps it sends for.
    pub apps: AppsRef,
    /// A CA in PEM, trusted beside the system's: a simulated provider's.
    pub provider_ca: Option<PathBuf>,
    /// Sends in flight at most.
    pub window: usize,
    /// CloudWatch's namespace of the metrics; without one, none is written.
    pub metrics_namespace: Option<String>,
    /// Percent of the delivered outcomes that are logged; every other outcome always is.
    pub delivered_sample: u8,
}

/// The configuration of schedule.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The queue.
    pub database: Database,
    /// The SQS queue of the wakes.
    pub wake_queue_url: String,
    /// The SQS queue that products read; without one, feedback is not posted.
    pub feedback_queue_url: Option<String>,
    /// CloudWatch's namespace of the metrics; without one, none is written.
    pub metrics_namespace: Option<String>,
}

/// The configuration of migrate.
#[derive(Clone, Debug)]
pub struct Migrate {
    /// The queue.
    pub database: Database,
}

impl Enqueue {
    /// Reads the configuration through `lookup`.
    pub fn read(lookup: impl Fn(Name) -> Option<String>) -> Result<Self, ConfigError> {
        let reading = &mut Reading::new(&lookup);
        let database = database::read(reading, "enqueue");
        let wake_queue_url = reading.required(Name::WakeQueueUrl);
        let apps = reading.apps(Name::Apps);
        let source_quota = reading.number(Name::SourceQuota, 1..=i64::MAX);
        let life = reading.number(Name::DefaultLife, 1..=limits::LONGEST_LIFE.as_secs());
        let default_life = life.map_or(limits::DEFAULT_LIFE, Duration::from_secs);
        let metrics_namespace = reading.namespace(Name::MetricsNamespace);
        reading.end()?;
        Ok(Self { database, wake_queue_url, apps, source_quota, default_life, metrics_namespace })
    }
}

impl Drain {
    /// Reads the configuration through `lookup`.
    pub fn read(lookup: impl Fn(Name) -> Option<String>) -> Result<Self, ConfigError> {
        let reading = &mut Reading::new(&lookup);
        let database = database::read(reading, "drain");
        let wake_queue_url = reading.required(Name::WakeQueueUrl);
        let feedback_queue_url = reading.optional(Name::FeedbackQueueUrl);
        let apps = reading.apps(Name::Apps);
        let provider_ca = reading.optional(Name::ProviderCa).map(PathBuf::from);
        let window = reading.number(Name::Window, 1..=limits::WINDOW).unwrap_or(limits::WINDOW);
        let metrics_namespace = reading.namespace(Name::MetricsNamespace);
        let delivered_sample = reading.number(Name::DeliveredSample, 0..=100).unwrap_or(100);
        reading.end()?;
        Ok(Self {
            database,
            wake_queue_url,
            feedback_queue_url,
            apps,
            provider_ca,
            window,
            metrics_namespace,
            delivered_sample,
        })
    }
}

impl Schedule {
    /// Reads the configuration through `lookup`.
    pub fn read(lookup: impl Fn(Name) -> Option<String>) -> Result<Self, ConfigError> {
        let reading = &mut Reading::new(&lookup);
        let database = database::read(reading, "schedule");
        let wake_queue_url = reading.required(Name::WakeQueueUrl);
        let feedback_queue_url = reading.optional(Name::FeedbackQueueUrl);
        let metrics_namespace = reading.namespace(Name::MetricsNamespace);
        reading.end()?;
        Ok(Self { database, wake_queue_url, feedback_queue_url, metrics_namespace })
    }
}

impl Migrate {
    /// Reads the configuration through `lookup`.
    pub fn read(lookup: impl Fn(Name) -> Option<String>) -> Result<Self, ConfigError> {
        let reading = &mut Reading::new(&lookup);
        let database = database::read(reading, "migrate");
        reading.end()?;
        Ok(Self { database })
    }
}

#[cfg(test)]
mod tests;
