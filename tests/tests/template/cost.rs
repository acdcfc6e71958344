//! What the dashboard says a million deliveries cost.

use serde_json::{Value, json};

use crate::page::{function, properties, template};

/// The text of the dashboard, and the values that fill it in.
fn body() -> (Value, Value) {
    let body = properties(&template(), "Dashboard")["DashboardBody"]["Fn::Sub"].clone();
    (serde_json::from_str(body[0].as_str().expect("a text")).expect("JSON"), body[1].clone())
}

/// The metrics of the one number, and its expressions by id.
fn reckoned() -> (Vec<String>, Value) {
    let (body, _) = body();
    let mut widgets = body["widgets"].as_array().expect("widgets").iter();
    let single = widgets.find(|widget| widget["properties"]["setPeriodToTimeRange"] == true).expect("the cost");
    let all = single["properties"]["metrics"].as_array().expect("metrics");
    let (expressions, metrics): (Vec<&Value>, Vec<&Value>) = all.iter().partition(|one| one[0].is_object());
    let metrics = metrics.iter().map(|metric| {
        let texts: Vec<_> = metric.as_array().expect("a metric").iter().filter_map(Value::as_str).collect();
        texts.join(" ")
    });
    let expressions = expressions.iter().map(|one| (one[0]["id"].as_str().expect("an id").to_owned(), one[0].clone()));
    (metrics.collect(), expressions.collect::<serde_json::Map<_, _>>().into())
}

#[test]
fn the_cost_counts_time_requests_and_logs_of_every_function_and_the_requests_of_the_queues() {
    let (metrics, _) = reckoned();
    let mut expected = vec!["Pushwake/${AWS::StackName} delivered".to_owned()];
    for name in ["enqueue", "drain", "schedule"] {
        let function = format!("${{AWS::StackName}}-{name}");
        expected.push(format!("AWS/Lambda Duration FunctionName {function}"));
        expected.push(format!("AWS/Lambda Invocations FunctionName {function}"));
        expected.push(format!("AWS/Logs IncomingBytes LogGroupName /aws/lambda/{function}"));
    }
    let requests =
        ["NumberOfMessagesSent", "NumberOfMessagesReceived", "NumberOfEmptyReceives", "NumberOfMessagesDeleted"];
    expected.extend(requests.map(|metric| format!("AWS/SQS {metric} QueueName ${{WakeQueue.QueueName}}")));
    expected.push("AWS/SQS NumberOfMessagesSent QueueName ${FeedbackQueue.QueueName}".to_owned());
    for metric in &expected {
        assert!(metrics.contains(metric), "{metric}");
    }
    assert_eq!(metrics.len(), expected.len());
}

#[test]
fn the_cost_multiplies_the_memory_that_each_function_has() {
    let template = template();
    let (_, expressions) = reckoned();
    let seconds = expressions["seconds"]["expression"].as_str().expect("an expression");
    for (resource, name) in [("Enqueue", "enqueue"), ("Drain", "drain"), ("Schedule", "schedule")] {
        let memory = match &function(&template, resource)["MemorySize"] {
            Value::Object(parameter) => format!("${{{}}}", parameter["Ref"].as_str().expect("a parameter")),
            number => number.to_string(),
        };
        assert!(seconds.contains(&format!("FILL({name}_ms, 0) * {memory}")), "{seconds}");
    }
}

#[test]
fn the_cost_says_its_prices_their_region_and_year_and_what_is_not_in_it() {
    let (body, values) = body();
    let mut widgets = body["widgets"].as_array().expect("widgets").iter();
    let text = widgets.find(|widget| widget["type"] == "text").expect("a text");
    let text = text["properties"]["markdown"].as_str().expect("a text");
    let (_, expressions) = reckoned();
    for (part, price) in [("seconds", "${GbSecond}"), ("requests", "0.20"), ("messages", "0.40"), ("logs", "0.50")] {
        let expression = expressions[part]["expression"].as_str().expect(part);
        assert!(expression.contains(&format!(" * {price}")), "{part}: {expression}");
        assert!(text.contains(price), "{price}");
    }
    assert_eq!(values["GbSecond"], json!({"Fn::If": ["OnX86", "0.0000166667", "0.0000133334"]}));
    for said in ["us-east-1 in 20", "**Not in it:** Postgres, NAT"] {
        assert!(text.contains(said), "{said}");
    }
    let sum = "1000000 * SUM([seconds, requests, messages, logs]) / delivered";
    assert_eq!(expressions["million"]["expression"], sum);
}
