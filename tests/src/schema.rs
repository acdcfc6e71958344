//! The committed schemas, as a product reads them.

use std::path::Path;

use jsonschema::Validator;

/// The schema in the file `name` of `docs/schema`.
pub fn validator(name: &str) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schema").join(name);
    let schema = serde_json::from_str(&std::fs::read_to_string(path).expect(name)).expect(name);
    jsonschema::draft202012::options().should_validate_formats(true).build(&schema).expect(name)
}
