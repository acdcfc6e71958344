//! Where everything is, for people and for programs.

use std::fmt;

use serde::Serialize;

use super::Serving;
use crate::invoke::PREFIX;
use crate::sqs::REGION;
use crate::stack::{DEAD_WAKES, FEEDBACK, Stack, WAKES};

/// Where everything is of a stack that is served.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Places {
    /// What to give AWS tools as `AWS_ENDPOINT_URL`: Lambda and SQS.
    pub url: String,
    /// The page.
    pub page: String,
    /// The region of everything.
    pub region: &'static str,
    /// The functions' names.
    pub functions: Functions,
    /// The queues' URLs.
    pub queues: Queues,
    /// The database.
    pub postgres: String,
    /// The cluster's folder, which is removed at the end.
    pub folder: String,
    /// The simulated providers.
    pub providers: Providers,
}

/// Names of functions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Functions {
    /// What product Lambdas invoke.
    pub enqueue: String,
    /// What a wake starts.
    pub drain: String,
    /// What runs every minute.
    pub schedule: String,
}

/// URLs of queues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Queues {
    /// Wakes.
    pub wakes: String,
    /// Wakes that were given up.
    pub dead_wakes: String,
    /// Feedback for the product.
    pub feedback: String,
}

/// URLs of simulated providers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Providers {
    /// APNs.
    pub apns: String,
    /// FCM.
    pub fcm: String,
    /// A push service of browsers.
    pub webpush: String,
}

impl Places {
    /// Those of `stack`, as `serving` serves it.
    pub fn of(stack: &Stack, serving: &Serving) -> Self {
        let function = |name: &str| format!("{PREFIX}{name}");
        let queue = |name: &str| serving.queue_url(name);
        let database = stack.connect_options();
        Self {
            url: serving.url().to_owned(),
            page: format!("{}/", serving.url()),
            region: REGION,
            functions: Functions {
                enqueue: function(stack.enqueue.name()),
                drain: function(stack.drain.name()),
                schedule: function(stack.schedule.name()),
            },
            queues: Queues { wakes: queue(WAKES), dead_wakes: queue(DEAD_WAKES), feedback: queue(FEEDBACK) },
            postgres: stack.cluster().database_url(database.get_database().unwrap_or_default()),
            folder: stack.cluster().folder().display().to_string(),
            providers: Providers {
                apns: stack.apns.base_url().clone(),
                fcm: stack.fcm.base_url().clone(),
                webpush: stack.webpush.base_url().clone(),
            },
        }
    }
}

impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, page, region, functions, queues, postgres, folder, providers } = self;
        let enqueue = &functions.enqueue;
        let mut place = |name: &str, at: &str| writeln!(f, "{name:<10}{at}");
        place("page", page)?;
        place("lambda", &format!("{url}  {enqueue}, {}, {}", functions.drain, functions.schedule))?;
        place("wakes", &queues.wakes)?;
        place("dead", &queues.dead_wakes)?;
        place("feedback", &queues.feedback)?;
        place("postgres", postgres)?;
        place("folder", folder)?;
        place("apns", &providers.apns)?;
        place("fcm", &providers.fcm)?;
        place("webpush", &providers.webpush)?;
        writeln!(f, "\nIn another terminal, with any AWS tool:")?;
        writeln!(f, "  export AWS_ENDPOINT_URL={url} AWS_REGION={region} AWS_DEFAULT_REGION={region} \\")?;
        writeln!(f, "         AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local")?;
        writeln!(f, "  aws lambda invoke --function-name {enqueue} \\")?;
        writeln!(f, "         --payload fileb://events/enqueue-alert.json /dev/stdout")?;
        let endpoint =
            if url.ends_with(&format!(":{}", super::PORT)) { String::new() } else { format!(" --endpoint {url}") };
        writeln!(f, "or without one:\n  cargo run -- send{endpoint} events/enqueue-alert.json")?;
        writeln!(f, "\nCtrl-C stops everything and removes the folder.")
    }
}
