//! What a deploy answers.

use serde_json::{Value, json};

use crate::page::{FUNCTIONS, of_type, template};

#[test]
fn a_deploy_answers_the_names_and_addresses_of_what_it_made() {
    let template = template();
    let outputs = template["Outputs"].as_object().expect("outputs");
    let answers = |value: &Value| outputs.values().any(|output| output["Value"] == *value);
    for (resource, name) in FUNCTIONS {
        assert!(answers(&json!({"Ref": resource})), "the name of {name}");
        assert!(name == "migrate" || answers(&json!({"Ref": format!("{resource}.Alias")})), "the alias of {name}");
    }
    for kind in ["AWS::SQS::Queue", "AWS::IAM::ManagedPolicy"] {
        for (resource, _) in of_type(&template, kind) {
            assert!(answers(&json!({"Ref": resource})), "{resource}");
        }
    }
    for (name, output) in outputs {
        assert!(output["Description"].as_str().is_some_and(|text| text.ends_with('.')), "{name}");
    }
}
