//! What the pages link to is there.

use std::path::Path;

use crate::{pages, root};

/// The places that a page's links name: a file of the repository, and a heading of it.
fn links(page: &str) -> Vec<(String, Option<String>)> {
    let text = std::fs::read_to_string(root().join(page)).expect(page);
    let folder = Path::new(page).parent().expect("a folder");
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    let here = targets.filter(|target| !target.contains("://") && !target.contains('`'));
    let place = |target: &str| {
        let (file, heading) = target.split_once('#').map_or((target, None), |(file, heading)| (file, Some(heading)));
        let file = if file.is_empty() { page.into() } else { folder.join(file) };
        (file.to_str().expect("a plain name").to_owned(), heading.map(String::from))
    };
    here.map(place).collect()
}

/// A heading as GitHub links to it.
fn anchors(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).expect("a page");
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let kept = |c: char| if c == ' ' { '-' } else { c.to_ascii_lowercase() };
    let known = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
    headings.map(|heading| heading.chars().filter(known).map(kept).collect()).collect()
}

#[test]
fn every_link_of_a_page_leads_somewhere() {
    let mut checked = 0;
    for page in pages().into_iter().map(|(page, _)| page).filter(|page| !page.contains("/src/")) {
        for (file, heading) in links(&page) {
            let there = root().join(&file);
            assert!(there.exists(), "{page} links to {file}, which is not there");
            if let Some(heading) = heading {
                assert!(anchors(&there).contains(&heading), "{page} links to {file}#{heading}, which is no heading");
            }
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}
