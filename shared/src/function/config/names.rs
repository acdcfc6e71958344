//! The environment variables: every name in one enum.

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident => $text:literal,)*) => {
        /// One environment variable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Name {
            $($(#[$doc])* $name,)*
        }

        impl Name {
            /// Every variable.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// As it is spelled in the environment.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// Its value in the environment of this process: the lookup of every `main`. One that is not UTF-8
            /// is taken with replacement characters, so that it is reported as wrong rather than as missing.
            pub fn from_environment(self) -> Option<String> {
                std::env::var_os(self.as_str()).map(|value| value.to_string_lossy().into_owned())
            }
        }
    };
}

names! {
    /// Host name, address, or the folder of a socket.
    DatabaseHost => "DATABASE_HOST",
    /// 5432 if absent.
    DatabasePort => "DATABASE_PORT",
    /// Name of the database.
    DatabaseName => "DATABASE_NAME",
    /// Role.
    DatabaseUser => "DATABASE_USER",
    /// Reference to the role's password.
    DatabasePassword => "DATABASE_PASSWORD",
    /// `true` where a token of IAM takes the password's place.
    DatabaseIam => "DATABASE_IAM",
    /// `verify-full` if absent, or `off`.
    DatabaseTls => "DATABASE_TLS",
    /// Path of the CA in PEM; the system's if absent.
    DatabaseCa => "DATABASE_CA",
    /// `true` behind a transaction pooler.
    DatabasePooler => "DATABASE_POOLER",
    /// URL of the wake queue.
    WakeQueueUrl => "WAKE_QUEUE_URL",
    /// URL of the feedback queue; if absent, feedback is not posted and ends with its retention in the database.
    FeedbackQueueUrl => "FEEDBACK_QUEUE_URL",
    /// The configured apps: JSON, or `file:<path>` or `ssm:<name>` of it.
    Apps => "PUSHWAKE_APPS",
    /// Path of an extra CA for providers.
    ProviderCa => "PUSHWAKE_PROVIDER_CA",
    /// Sends a drain holds in flight.
    Window => "PUSHWAKE_WINDOW",
    /// Notifications per source and quota window.
    SourceQuota => "PUSHWAKE_SOURCE_QUOTA",
    /// Seconds that a notification lives which names no `expires_at`.
    DefaultLife => "DEFAULT_LIFE",
    /// CloudWatch's namespace of the metrics; if absent, no metric is written.
    MetricsNamespace => "METRICS_NAMESPACE",
    /// Percent of the delivered outcomes that are logged.
    DeliveredSample => "DELIVERED_SAMPLE",
}

/// The variables a function reads, by the function's name: what its part of the template must name, and no others.
pub fn variables_of(function: &str) -> Vec<Name> {
    let database = Name::ALL.iter().copied().filter(|name| name.as_str().starts_with("DATABASE_"));
    let others: &[Name] = match function {
        "enqueue" => &[Name::WakeQueueUrl, Name::Apps, Name::SourceQuota, Name::DefaultLife, Name::MetricsNamespace],
        "drain" => &[
            Name::WakeQueueUrl,
            Name::FeedbackQueueUrl,
            Name::Apps,
            Name::ProviderCa,
            Name::Window,
            Name::MetricsNamespace,
            Name::DeliveredSample,
        ],
        "schedule" => &[Name::WakeQueueUrl, Name::FeedbackQueueUrl, Name::MetricsNamespace],
        _ => &[],
    };
    database.chain(others.iter().copied()).collect()
}
