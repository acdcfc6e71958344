//! What the pages promise is there, and what the product forbids itself is not.

mod apps;
mod clocks;
mod device;
mod direct;
mod links;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The names of all tests: a `fn` behind a test attribute.
fn tests() -> HashSet<String> {
    let mut files = Vec::new();
    for folder in ["shared", "functions", "local", "tests"] {
        rust_files(&root().join(folder), &mut files);
    }
    let mut names = HashSet::new();
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a source file");
        let mut test = false;
        for line in source.lines().map(str::trim) {
            test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
            if let Some(name) = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ")
                && std::mem::take(&mut test)
            {
                names.extend(name.split('(').next().map(String::from));
            }
        }
    }
    names
}

/// What stands between backticks and is as long as a sentence.
fn sentences(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(page)).expect(page);
    let words = |name: &&str| name.matches('_').count() >= 4 && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    text.split('`').filter(words).map(String::from).collect()
}

/// The pages that name tests, and how many at least.
fn pages() -> Vec<(String, usize)> {
    let mut pages = vec![("README.md".to_owned(), 10), ("shared/src/queue/mod.rs".to_owned(), 10)];
    for entry in std::fs::read_dir(root().join("docs")).expect("docs") {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        if Path::new(&name).extension().is_some_and(|extension| extension == "md") {
            let least = if name == "architecture.md" { 10 } else { 0 };
            pages.push((format!("docs/{name}"), least));
        }
    }
    pages
}

#[test]
fn every_test_that_a_page_names_exists() {
    let tests = tests();
    for (page, least) in pages() {
        let named = sentences(&page);
        assert!(named.len() >= least, "{page} names its tests");
        for name in named {
            assert!(tests.contains(&name), "{page} names {name}, which is no test");
        }
    }
}
