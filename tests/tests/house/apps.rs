//! The page on apps.

use std::collections::HashSet;

use pushwake::app::Apps;

use crate::root;

#[test]
fn the_apps_of_the_page_are_apps_of_every_platform() {
    let page = std::fs::read_to_string(root().join("docs/apps.md")).expect("the page");
    let (_, sample) = page.split_once("```json\n").expect("a sample");
    let (sample, _) = sample.split_once("```").expect("its end");
    let apps = Apps::parse(sample).expect("apps");
    let platforms: HashSet<&str> = apps.iter().map(|app| app.platform.name()).collect();
    assert_eq!(platforms, HashSet::from(["apns", "fcm", "webpush"]));
}
