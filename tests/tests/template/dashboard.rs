//! The dashboard: what it shows, and where.

use pushwake::limits;
use serde_json::{Value, json};

use crate::alarms::suffix;
use crate::metrics::{NAMESPACE, aws, own};
use crate::page::{of_type, properties, template};

/// The text, and the values that it is filled in with beside parameters and resources.
fn written() -> (String, Value) {
    let body = properties(&template(), "Dashboard")["DashboardBody"]["Fn::Sub"].clone();
    (body[0].as_str().expect("a text").to_owned(), body[1].clone())
}

/// The widgets, before `CloudFormation` has filled anything in.
fn widgets() -> Vec<Value> {
    let body: Value = serde_json::from_str(&written().0).expect("JSON");
    body["widgets"].as_array().expect("widgets").clone()
}

/// What `CloudFormation` puts in the place of `${name}`.
fn value(template: &Value, own: &Value, name: &str) -> String {
    if let Some(literal) = name.strip_prefix('!') {
        return format!("${{{literal}}}");
    }
    if let Some((resource, attribute)) = name.split_once('.') {
        assert!(template["Resources"][resource].is_object(), "there is no resource {resource}");
        return format!("{attribute}-of-{resource}");
    }
    let chosen = own[name]["Fn::If"][2].as_str();
    let default = template["Parameters"][name].get("Default").map(|default| match default {
        Value::String(text) => text.clone(),
        number => number.to_string(),
    });
    let pseudo = ["AWS::Region", "AWS::StackName"].contains(&name).then(|| name.replace("::", "-"));
    let value = chosen.map(str::to_owned).or(default).or(pseudo);
    value.unwrap_or_else(|| panic!("nothing fills in {name}"))
}

#[test]
fn the_body_is_json_once_cloudformation_has_filled_it_in() {
    let (template, (text, own)) = (template(), written());
    let mut parts = text.split("${");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once('}').expect("a closing brace");
        filled += &value(&template, &own, name);
        filled += rest;
    }
    let body: Value = serde_json::from_str(&filled).expect("JSON");
    assert_eq!(body["widgets"].as_array().map(Vec::len), Some(widgets().len()));
    assert!(filled.contains("${PROP('Dim.app')}"), "CloudWatch fills in the labels of what it finds");
}

#[test]
fn the_widgets_fit_the_grid_and_do_not_overlap() {
    let place = |widget: &Value| {
        ["x", "y", "width", "height"].map(|name| widget[name].as_u64().unwrap_or_else(|| panic!("{name} of {widget}")))
    };
    let mut taken = std::collections::HashSet::new();
    for widget in widgets() {
        let [x, y, width, height] = place(&widget);
        assert!(width > 0 && height > 0 && x + width <= 24, "{widget}");
        for column in x..x + width {
            assert!((y..y + height).all(|row| taken.insert((column, row))), "another stands there: {widget}");
        }
    }
}

#[test]
fn what_rings_comes_first_pages_before_tickets() {
    let template = template();
    let mut shown = Vec::new();
    for (widget, urgency) in widgets().iter().zip(["page", "ticket"]) {
        assert_eq!((&widget["type"], &widget["y"]), (&json!("alarm"), &json!(0)));
        assert_eq!(widget["properties"]["sortBy"], "stateUpdatedTimestamp", "what is wrong stands before what is well");
        for arn in widget["properties"]["alarms"].as_array().expect("alarms") {
            let name = arn.as_str().and_then(|arn| arn.strip_prefix("${")?.strip_suffix(".Arn}")).expect("an ARN");
            let alarm = properties(&template, name);
            let says = alarm["AlarmDescription"].as_str().expect(name);
            assert!(says.starts_with(&format!("{urgency}: ")), "{name} is no {urgency}");
            shown.push(suffix(&alarm).to_owned());
        }
    }
    shown.sort_unstable();
    let mut all: Vec<_> = of_type(&template, "AWS::CloudWatch::Alarm").into_iter().map(|(_, a)| suffix(a)).collect();
    all.sort_unstable();
    assert_eq!(shown, all);
}

/// The metrics of a widget, each an array, and its expressions.
fn series(widget: &Value) -> (Vec<Vec<Value>>, Vec<String>) {
    let all = widget["properties"]["metrics"].as_array().cloned().unwrap_or_default();
    let all: Vec<Vec<Value>> = all.iter().map(|one| one.as_array().expect("a metric").clone()).collect();
    let (found, metrics): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one[0].is_object());
    let expressions = found.iter().map(|one| one[0]["expression"].as_str().expect("an expression").to_owned());
    (metrics, expressions.collect())
}

#[test]
fn every_metric_is_emitted_with_these_dimensions() {
    let template = template();
    let mut searched = 0;
    for widget in widgets() {
        let (metrics, expressions) = series(&widget);
        for metric in metrics {
            let texts: Vec<_> = metric.iter().map_while(Value::as_str).collect();
            match texts[..] {
                [NAMESPACE, name] => own(name, &[]),
                [namespace, name, dimension, value] => aws(&template, namespace, name, dimension, &json!(value)),
                _ => panic!("{metric:?}"),
            }
            assert!(metric.last().is_some_and(|rendered| rendered["stat"].is_string()), "{metric:?}");
        }
        for search in expressions.iter().filter(|expression| expression.starts_with("SEARCH(")) {
            let schema = search.split_once(&format!("{{\"{NAMESPACE}\",")).expect("our namespace").1;
            let (dimensions, rest) = schema.split_once('}').expect("a schema");
            let name = rest.strip_prefix(" MetricName=\"").and_then(|rest| rest.split('"').next()).expect("a name");
            own(name, &dimensions.split(',').collect::<Vec<_>>());
            searched += 1;
        }
    }
    assert_eq!(searched, 6, "outcomes, ages, three percentiles, pauses");
}

#[test]
fn every_expression_names_what_stands_beside_it() {
    for widget in widgets() {
        let all = widget["properties"]["metrics"].as_array().cloned().unwrap_or_default();
        let ids = all.iter().filter_map(|one| one.as_array()?.last()?["id"].as_str()).collect::<Vec<_>>();
        for expression in series(&widget).1 {
            let bare: String = expression.split('\'').step_by(2).collect();
            let bare: String = bare.split("${").map(|part| part.rsplit('}').next().unwrap_or_default()).collect();
            let words = bare.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            for word in words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase())) {
                assert!(ids.contains(&word), "{word} of {expression}");
            }
        }
        let distinct: std::collections::HashSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len(), "{widget}");
    }
}

#[test]
fn it_shows_rates_ages_latencies_drains_queues_pauses_and_dead_rows() {
    let text = written().0;
    for shown in [
        "MetricName=\\\"outcomes\\\"",
        "\"oldest_due_age\"",
        "MetricName=\\\"send_ms\\\"",
        "\"wake_to_first_claim\"",
        "\"Duration\", \"FunctionName\", \"${AWS::StackName}-enqueue\", {\"label\": \"p99\"",
        "\"ConcurrentExecutions\", \"FunctionName\", \"${AWS::StackName}-drain\"",
        "\"ApproximateNumberOfMessagesVisible\", \"QueueName\", \"${WakeQueue.QueueName}\"",
        "\"ApproximateNumberOfMessagesVisible\", \"QueueName\", \"${DeadWakeQueue.QueueName}\"",
        "\"ApproximateNumberOfMessagesVisible\", \"QueueName\", \"${FailedRequestQueue.QueueName}\"",
        "\"ApproximateNumberOfMessagesVisible\", \"QueueName\", \"${FeedbackQueue.QueueName}\"",
        "MetricName=\\\"app_paused\\\"",
        "\"dead_tuples\"",
        &format!("{{\"value\": {}, \"label\": \"maximum\"}}", limits::DRAINS),
    ] {
        assert!(text.contains(shown), "{shown}");
    }
}
