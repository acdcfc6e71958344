//! The metrics that functions wrote: every line of theirs is held to the format before anything is read from it.

use std::collections::BTreeSet;

use jsonschema::Validator;
use local::runtime_api::{Function, Stream};
use serde_json::Value;

/// The namespace of a test.
pub const NAMESPACE: &str = "Pushwake/test";

/// Switches metrics on.
pub fn on() -> (String, String) {
    ("METRICS_NAMESPACE".to_owned(), NAMESPACE.to_owned())
}

/// One metric of one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Its name.
    pub metric: String,
    /// Its unit.
    pub unit: String,
    /// Names and values.
    pub dimensions: Vec<(String, String)>,
    /// One, or those of an array; all of ours are whole.
    pub values: Vec<u64>,
}

/// Everything that was written.
#[derive(Debug, Default)]
pub struct Points(pub Vec<Point>);

impl Points {
    /// What these functions wrote.
    pub fn of<'a>(functions: impl IntoIterator<Item = &'a Function>) -> Self {
        let schema = schema();
        let lines = functions.into_iter().flat_map(|function| function.output().lines());
        let metrics = lines.filter(|line| line.text.contains("\"_aws\""));
        Self(
            metrics
                .flat_map(|line| {
                    assert_eq!(line.stream, Stream::Out);
                    points(&schema, &line.text)
                })
                .collect(),
        )
    }

    /// The values of a metric with exactly these dimensions.
    pub fn values(&self, metric: &str, dimensions: &[(&str, &str)]) -> Vec<u64> {
        let fits = |point: &&Point| {
            let own = point.dimensions.iter().map(|(name, value)| (name.as_str(), value.as_str()));
            point.metric == metric && own.eq(dimensions.iter().copied())
        };
        self.0.iter().filter(fits).flat_map(|point| point.values.iter().copied()).collect()
    }

    /// Their sum.
    pub fn sum(&self, metric: &str, dimensions: &[(&str, &str)]) -> u64 {
        self.values(metric, dimensions).iter().sum()
    }

    /// The series of one app: what CloudWatch bills.
    pub fn series_of(&self, app: &str) -> BTreeSet<String> {
        let of_app = |point: &&Point| point.dimensions.iter().any(|(_, value)| value == app);
        self.0.iter().filter(of_app).map(|point| format!("{} {:?}", point.metric, point.dimensions)).collect()
    }
}

fn schema() -> Validator {
    let schema = serde_json::from_str(include_str!("emf.json")).expect("a schema is JSON");
    jsonschema::draft202012::new(&schema).expect("a schema")
}

/// Reads one line as CloudWatch would, and panics where CloudWatch would drop something.
fn points(schema: &Validator, line: &str) -> Vec<Point> {
    let document: Value = serde_json::from_str(line).expect("a line is one JSON object");
    let errors: Vec<_> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?} in {line}");
    let mut points = Vec::new();
    let mut referenced = BTreeSet::from(["_aws"]);
    let directives = document["_aws"]["CloudWatchMetrics"].as_array().expect("directives");
    for directive in directives {
        assert_eq!(directive["Namespace"], NAMESPACE);
        for set in directive["Dimensions"].as_array().expect("sets") {
            let names = set.as_array().expect("a set").iter().filter_map(Value::as_str);
            let value =
                |name: &str| document[name].as_str().unwrap_or_else(|| panic!("no {name} in {line}")).to_owned();
            let dimensions: Vec<_> = names.clone().map(|name| (name.to_owned(), value(name))).collect();
            referenced.extend(names);
            for metric in directive["Metrics"].as_array().expect("metrics") {
                let name = metric["Name"].as_str().expect("a name");
                referenced.insert(name);
                let values = match &document[name] {
                    Value::Number(number) => vec![number.as_u64().expect("a whole number")],
                    Value::Array(values) => {
                        values.iter().map(|value| value.as_u64().expect("a whole number")).collect()
                    }
                    other => panic!("{name} is {other} in {line}"),
                };
                let unit = metric["Unit"].as_str().expect("a unit").to_owned();
                points.push(Point { metric: name.to_owned(), unit, dimensions: dimensions.clone(), values });
            }
        }
    }
    let members: BTreeSet<_> = document.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(members, referenced, "what no directive names is no metric: {line}");
    points
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document() -> Value {
        json!({
            "_aws": {"Timestamp": 1_800_000_000_000_u64, "CloudWatchMetrics": [
                {"Namespace": NAMESPACE, "Dimensions": [["app"]], "Metrics": [{"Name": "send_ms", "Unit": "Milliseconds"}]}
            ]},
            "app": "ios", "send_ms": vec![1; 100],
        })
    }

    #[test]
    fn the_schema_takes_what_the_format_takes_and_nothing_else() {
        let schema = schema();
        assert!(schema.is_valid(&document()));
        let refused: [(&str, Value); 9] = [
            ("/send_ms", json!(vec![1; 101])),
            ("/send_ms", json!(["1"])),
            ("/send_ms", json!({"Values": [1], "Counts": [2]})),
            ("/app", json!("é")),
            ("/app", json!(" ")),
            ("/_aws/Timestamp", json!("now")),
            ("/_aws/CloudWatchMetrics/0/Namespace", json!("")),
            ("/_aws/CloudWatchMetrics/0/Dimensions", json!([])),
            ("/_aws/CloudWatchMetrics/0/Metrics/0/Unit", json!("ms")),
        ];
        for (path, value) in refused {
            let mut changed = document();
            *changed.pointer_mut(path).expect(path) = value;
            assert!(!schema.is_valid(&changed), "{path}: {changed}");
        }
    }
}
