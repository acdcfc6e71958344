//! One line in CloudWatch's embedded metric format.
//!
//! The format is [its specification's](https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html):
//! the member `_aws` says which of the other members are metrics and which are dimensions. A metric is a number or an
//! array of at most a hundred; a value that came twice is in it twice, since the format knows no counts.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Dimension, Metric};
use crate::contract::AppId;

/// Numbers of one array at most.
const ARRAY: usize = 100;

/// What was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Once, or counted.
    One(u64),
    /// Many times, each on its own.
    Many(Vec<u32>),
}

/// The values of one combination of dimensions: of the stack, of an app, or of an app and one of its outcomes.
#[derive(Clone, Debug, Default)]
pub struct Line {
    app: Option<String>,
    outcome: Option<Metric>,
    values: Vec<(Metric, Value)>,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(rename = "_aws")]
    metadata: Metadata<'a>,
    #[serde(flatten)]
    dimensions: BTreeMap<&'static str, &'a str>,
    #[serde(flatten)]
    values: BTreeMap<&'static str, Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Metadata<'a> {
    timestamp: u64,
    cloud_watch_metrics: Vec<Directive<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Directive<'a> {
    namespace: &'a str,
    dimensions: [Vec<&'static str>; 1],
    metrics: Vec<Definition>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Definition {
    name: &'static str,
    unit: &'static str,
}

impl Line {
    /// A line of the whole stack.
    pub fn new() -> Self {
        Self::default()
    }

    /// A line of one app.
    pub fn of(app: &AppId) -> Self {
        Self { app: Some(dimension(app.as_str()).into_owned()), ..Self::default() }
    }

    /// Adds how often an outcome came; a line takes one.
    pub fn outcome(&mut self, outcome: Metric, n: u64) {
        self.outcome = Some(outcome);
        self.values.push((Metric::Outcomes, Value::One(n)));
    }

    /// Adds a value, also when it is zero.
    pub fn one(&mut self, metric: Metric, value: u64) {
        self.values.push((metric, Value::One(value)));
    }

    /// Adds a value unless it is zero.
    pub fn nonzero(&mut self, metric: Metric, value: u64) {
        if value > 0 {
            self.one(metric, value);
        }
    }

    /// Adds many values, unless there are none.
    pub fn many(&mut self, metric: Metric, values: Vec<u32>) {
        if !values.is_empty() {
            self.values.push((metric, Value::Many(values)));
        }
    }

    /// Appends the line, and as many more as its longest array needs; none without values.
    pub(super) fn write(mut self, namespace: &str, timestamp: u64, to: &mut Vec<u8>) {
        while !self.values.is_empty() {
            let mut now = BTreeMap::new();
            let mut rest = Vec::new();
            for (metric, value) in std::mem::take(&mut self.values) {
                match value {
                    Value::Many(mut values) if values.len() > ARRAY => {
                        // From the end: the order says nothing, and nothing is moved.
                        now.insert(metric.as_str(), Value::Many(values.split_off(values.len() - ARRAY)));
                        rest.push((metric, Value::Many(values)));
                    }
                    value => drop(now.insert(metric.as_str(), value)),
                }
            }
            let named: Vec<_> = Metric::ALL.iter().filter(|metric| now.contains_key(metric.as_str())).collect();
            let metadata = Metadata { timestamp, cloud_watch_metrics: self.directives(&named, namespace) };
            let document = Document { metadata, dimensions: self.dimensions(), values: now };
            serde_json::to_writer(&mut *to, &document).expect("numbers and words are JSON");
            to.push(b'\n');
            // What is left are arrays of the app: the count of its outcome is told.
            self.outcome = None;
            self.values = rest;
        }
    }

    /// A directive for every set of dimensions: a metric has the widest of its own that this line fills.
    fn directives<'a>(&self, metrics: &[&Metric], namespace: &'a str) -> Vec<Directive<'a>> {
        let mut directives: Vec<Directive<'a>> = Vec::new();
        for metric in metrics {
            let sets = metric.dimensions().iter().filter(|set| set.iter().all(|dimension| self.fills(*dimension)));
            let Some(set) = sets.max_by_key(|set| set.len()) else { continue };
            let set: Vec<_> = set.iter().map(|dimension| dimension.as_str()).collect();
            let definition = Definition { name: metric.as_str(), unit: metric.unit().as_str() };
            match directives.iter_mut().find(|directive| directive.dimensions[0] == set) {
                Some(directive) => directive.metrics.push(definition),
                None => directives.push(Directive { namespace, dimensions: [set], metrics: vec![definition] }),
            }
        }
        directives
    }

    fn fills(&self, dimension: Dimension) -> bool {
        match dimension {
            Dimension::App => self.app.is_some(),
            Dimension::Outcome => self.outcome.is_some(),
        }
    }

    fn dimensions(&self) -> BTreeMap<&'static str, &str> {
        let app = self.app.as_deref().map(|app| (Dimension::App.as_str(), app));
        let outcome = self.outcome.map(|outcome| (Dimension::Outcome.as_str(), outcome.as_str()));
        app.into_iter().chain(outcome).collect()
    }
}

/// An id as the value of a dimension: CloudWatch takes ASCII, with something in it that is no space. Any other id is
/// told apart by a part of its hash.
fn dimension(id: &str) -> Cow<'_, str> {
    let plain = |char: char| char.is_ascii() && !char.is_ascii_control();
    if id.chars().all(plain) && !id.trim().is_empty() {
        return Cow::Borrowed(id);
    }
    let ascii: String = id.chars().map(|char| if plain(char) { char } else { '_' }).collect();
    let first = Sha256::digest(id).first_chunk().map_or(0, |first| u32::from_be_bytes(*first));
    Cow::Owned(format!("{ascii}~{first:08x}"))
}

#[cfg(test)]
#[path = "line_tests.rs"]
mod tests;
