//! template.yaml, read with `CloudFormation`'s short tags written out: `!Ref X` is `{"Ref": "X"}`.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

/// The four functions: logical id, and the name that the code knows it by.
pub const FUNCTIONS: [(&str, &str); 4] =
    [("Enqueue", "enqueue"), ("Drain", "drain"), ("Schedule", "schedule"), ("Migrate", "migrate")];

/// The template of the product.
pub fn template() -> Value {
    read("template.yaml")
}

/// A YAML file of the repository.
pub fn read(file: &str) -> Value {
    let yaml = yaml_serde::from_str(&text(file)).expect("YAML");
    plain(yaml)
}

/// A file of the repository.
pub fn text(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).expect(file)
}

/// The repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// The properties of a resource.
pub fn properties(template: &Value, resource: &str) -> Value {
    let found = &template["Resources"][resource];
    assert!(found.is_object(), "there is no resource {resource}");
    found["Properties"].clone()
}

/// The properties of a function, those of all functions included.
pub fn function(template: &Value, resource: &str) -> Map<String, Value> {
    let mut all = template["Globals"]["Function"].as_object().expect("Globals").clone();
    let own = properties(template, resource);
    for (name, value) in own.as_object().expect("properties") {
        if name == "Environment" {
            let variables = value["Variables"].as_object().expect("variables").clone();
            all["Environment"]["Variables"].as_object_mut().expect("variables").extend(variables);
        } else {
            all.insert(name.clone(), value.clone());
        }
    }
    all
}

/// The resources of a type: logical id and properties.
pub fn of_type<'a>(template: &'a Value, kind: &str) -> Vec<(&'a str, &'a Value)> {
    let resources = template["Resources"].as_object().expect("resources").iter();
    let those = resources.filter(|(_, resource)| resource["Type"] == kind);
    those.map(|(name, resource)| (name.as_str(), &resource["Properties"])).collect()
}

fn plain(yaml: yaml_serde::Value) -> Value {
    use yaml_serde::Value as Yaml;
    match yaml {
        Yaml::Tagged(tagged) => {
            let tag = tagged.tag.to_string();
            let name = tag.trim_start_matches('!');
            let name = if matches!(name, "Ref" | "Condition") { name.to_owned() } else { format!("Fn::{name}") };
            json!({ name: plain(tagged.value) })
        }
        Yaml::Mapping(entries) => {
            let key = |key: Yaml| key.as_str().expect("a key is a string").to_owned();
            entries.into_iter().map(|(name, value)| (key(name), plain(value))).collect::<Map<_, _>>().into()
        }
        Yaml::Sequence(items) => items.into_iter().map(plain).collect::<Vec<_>>().into(),
        other => serde_json::to_value(other).expect("a scalar"),
    }
}
