//! The whole product on loopback: Postgres, SQS, simulated providers, the four functions, and what starts them.
//!
//! A stack has a database, an endpoint and functions of its own; several stacks run side by side over one cluster.
//! Nothing of it outlives this process, however the process ends (see [`crate::reaper`]).

mod database;
mod dead;
mod environment;
mod error;
mod options;
mod providers;
mod schedule;
mod wakes;

use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use sqlx::postgres::PgConnectOptions;

pub use dead::DEAD;
pub use error::StackError;
pub use options::Options;
pub use providers::{ANDROID, APP, WEB};
pub use wakes::{DEAD_WAKES, FEEDBACK, WAKES};

use crate::build::Functions;
use crate::patience::soon;
use crate::postgres::Cluster;
use crate::reaper::Folder;
use crate::runtime_api::{Function, Invocation, Settings};
use crate::sqs::{Activity, Endpoint, Mapping};
use crate::{apns, fcm, webpush};
use database::Database;
use environment::Environment;
use providers::Providers;
use schedule::Minutes;

/// A running product.
pub struct Stack {
    /// The function product Lambdas invoke.
    pub enqueue: Function,
    /// The function a wake starts.
    pub drain: Function,
    /// The function of every minute.
    pub schedule: Function,
    /// The function of the deploy.
    pub migrate: Function,
    /// The simulated APNs, to which the app [`APP`] sends.
    pub apns: apns::Server,
    /// The simulated FCM, to which the app [`ANDROID`] sends.
    pub fcm: fcm::Server,
    /// The simulated push service, to which the app [`WEB`] sends.
    pub webpush: webpush::Server,
    /// SQS, with the queues [`WAKES`], [`DEAD_WAKES`] and [`FEEDBACK`].
    pub sqs: Endpoint,
    environment: Environment,
    drains: usize,
    mapping: Mutex<Option<Mapping>>,
    minutes: Option<Minutes>,
    database: Database,
    // Holds the CA and the keys of the simulated providers.
    _folder: Folder,
}

impl Stack {
    /// Builds the functions if that was not done yet, and starts everything.
    pub async fn start(options: Options) -> Result<Self, StackError> {
        let binaries = built().await?;
        let database = Database::create(&options).await?;
        let sqs = wakes::endpoint(&options).await?;
        let providers = Providers::start(&options).await?;
        let environment = Environment::new(&options, &database, &sqs, &providers);
        let function = |name: &str, binary, concurrency| {
            let mut settings = Settings::new(name, binary);
            settings.environment = environment.of(name);
            settings.concurrency = concurrency;
            settings.timeout = options.timeout;
            settings.freeze = options.freeze;
            settings.on_line.clone_from(&options.on_line);
            Function::start(settings)
        };
        let stack = Self {
            enqueue: function("enqueue", &binaries.enqueue, options.enqueues),
            drain: function("drain", &binaries.drain, options.drains),
            // Twice, so that a run that takes long meets the next one, as it may on Lambda.
            schedule: function("schedule", &binaries.schedule, 2),
            migrate: function("migrate", &binaries.migrate, 1),
            apns: providers.apns,
            fcm: providers.fcm,
            webpush: providers.webpush,
            sqs,
            environment,
            drains: options.drains,
            mapping: Mutex::default(),
            minutes: None,
            database,
            _folder: providers.folder,
        };
        stack.complete(&options).await
    }

    /// The schema before everything that needs it.
    async fn complete(mut self, options: &Options) -> Result<Self, StackError> {
        if options.template.is_none() {
            let migrated = self.migrate.invoke("{}").await;
            migrated.answer().map_err(|ended| StackError::NotMigrated(Box::new(ended)))?;
        }
        self.start_drains();
        self.minutes = options.schedule_every.map(|every| Minutes::start(self.schedule.clone(), every));
        Ok(self)
    }

    /// Invokes enqueue as a product Lambda does.
    pub async fn enqueue(&self, request: &Value) -> Result<Value, Invocation> {
        self.enqueue.invoke(request.to_string()).await.json()
    }

    /// Runs schedule now, as the minute would.
    pub async fn run_schedule(&self) -> Invocation {
        self.schedule.invoke("{}").await
    }

    /// Starts to invoke drain with the wakes of the queue; a stack starts with it.
    pub fn start_drains(&self) {
        let mut mapping = self.mapping.lock().unwrap_or_else(PoisonError::into_inner);
        mapping.get_or_insert_with(|| wakes::mapping(&self.sqs, &self.drain, self.drains));
    }

    /// Takes no more wakes, and waits until the running drains have ended.
    pub async fn stop_drains(&self) {
        let mapping = self.mapping.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mapping) = mapping {
            mapping.stop().await;
        }
    }

    /// What the mapping of the wake queue has done since [`Stack::start_drains`].
    pub fn activity(&self) -> Activity {
        let mapping = self.mapping.lock().unwrap_or_else(PoisonError::into_inner);
        mapping.as_ref().map(Mapping::activity).unwrap_or_default()
    }

    /// Waits until what the mapping has done satisfies `condition`, or until it is stopped; panics with it when neither
    /// has happened within two minutes.
    pub async fn until(&self, condition: impl Fn(Activity) -> bool) -> Activity {
        let follow = self.mapping.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(Mapping::follow);
        let Some(mut activity) = follow else { return Activity::default() };
        let _ = soon(activity.wait_for(|&activity| condition(activity)), || format!("{:?}", self.activity())).await;
        *activity.borrow()
    }

    /// The environment variables of one function.
    pub fn variables(&self, function: &str) -> Vec<(String, String)> {
        self.environment.of(function)
    }

    /// The cluster of the stack's database.
    pub fn cluster(&self) -> &Cluster {
        self.database.cluster()
    }

    /// How many drains may run at once.
    pub fn drains(&self) -> usize {
        self.drains
    }

    /// How to connect to the stack's database.
    pub fn connect_options(&self) -> PgConnectOptions {
        self.database.connect_options()
    }

    /// Ends everything at once: what is in flight is killed. The database is dropped, and a cluster that the stack
    /// started is stopped.
    pub async fn stop(mut self) -> Result<(), StackError> {
        drop(self.minutes.take());
        drop(self.mapping.lock().unwrap_or_else(PoisonError::into_inner).take());
        tokio::join!(self.enqueue.shutdown(), self.drain.shutdown(), self.schedule.shutdown(), self.migrate.shutdown());
        tokio::join!(self.apns.shutdown(), self.fcm.shutdown(), self.webpush.shutdown());
        self.database.remove().await
    }
}

/// The functions' binaries. The nested build blocks its thread.
pub(crate) async fn built() -> Result<&'static Functions, StackError> {
    match tokio::task::spawn_blocking(crate::build::functions).await {
        Ok(built) => Ok(built?),
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
