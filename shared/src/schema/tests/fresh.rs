//! The committed files are what the types say.

use std::path::Path;

use crate::schema;

const WRITE: &str = "PUSHWAKE_WRITE=1 cargo test --workspace --lib the_committed_schemas";

#[test]
fn the_committed_schemas_are_what_the_types_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/schema");
    let write = std::env::var_os("PUSHWAKE_WRITE").is_some_and(|set| set == "1");
    for (name, schema) in schema::all() {
        let path = folder.join(name);
        let mut made = schema.to_value();
        // Whether members keep their order depends on what else is built.
        made.sort_all_objects();
        let made = format!("{made:#}\n");
        if write {
            std::fs::create_dir_all(&folder).expect("docs/schema");
            std::fs::write(&path, &made).expect("a schema's file");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == made, "docs/schema/{name} is not what the types say; write it with `{WRITE}`");
    }
    let files = folder.read_dir().expect("docs/schema").count();
    assert_eq!(files, schema::all().len(), "docs/schema holds a file that no type makes");
}
