//! `events/env.json`, which `sam local` gives the functions.

use pushwake::function::config::{self, Name};
use serde_json::Value;

use crate::page::{FUNCTIONS, function, template, text};

#[test]
fn the_variables_of_sam_local_are_the_template_s_and_every_function_reads_them() {
    let variables: Value = serde_json::from_str(&text("events/env.json")).expect("JSON");
    assert_eq!(variables.as_object().expect("functions").len(), FUNCTIONS.len());
    let template = template();
    for (resource, name) in FUNCTIONS {
        let function = function(&template, resource);
        // SAM passes no others on.
        let known = function["Environment"]["Variables"].as_object().expect("variables");
        let given = variables[resource].as_object().expect(resource);
        for variable in given.keys() {
            assert!(known.contains_key(variable), "the template gives {resource} no {variable}");
        }
        let lookup = |name: Name| given.get(name.as_str()).map(|value| value.as_str().expect("text").to_owned());
        let fault = match name {
            "enqueue" => config::Enqueue::read(lookup).err(),
            "drain" => config::Drain::read(lookup).err(),
            "schedule" => config::Schedule::read(lookup).err(),
            _ => config::Migrate::read(lookup).err(),
        };
        assert!(fault.is_none(), "{name}: {fault:?}");
    }
}
