//! Units and dimensions, as CloudWatch spells them.

/// What a metric is counted in, as CloudWatch spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A number of things, or a yes (1) and no (0).
    Count,
    /// A duration.
    Seconds,
    /// A short one.
    Milliseconds,
}

impl Unit {
    /// Its name at CloudWatch.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Count => "Count",
            Self::Seconds => "Seconds",
            Self::Milliseconds => "Milliseconds",
        }
    }
}

/// What a metric can be cut by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// The app's id.
    App,
    /// One of [`Metric::OUTCOMES`](super::Metric::OUTCOMES).
    Outcome,
}

impl Dimension {
    /// Its name at CloudWatch.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Outcome => "outcome",
        }
    }
}
