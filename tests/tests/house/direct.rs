//! The tests that connect past the pooler where the suite runs behind one.

use crate::{root, rust_files};

/// All of them; behind each call stands why.
const DIRECT: [&str; 7] = [
    "a_rotated_password_is_read_again_by_instances_that_live",
    "a_token_of_iam_is_the_password_and_is_in_no_output",
    "a_token_that_rds_refuses_is_one_error_without_it",
    "c01_a_finish_that_fails_is_tried_again_under_a_renewed_lease_and_the_send_is_not",
    "c11s_connections_that_ended_between_invocations_are_nobodys_error",
    "c14s_tls_works_with_the_right_ca_and_fails_with_a_wrong_one_a_wrong_name_and_a_plaintext_server",
    "c57_a_finish_whose_commit_answer_is_lost_is_not_lost_and_the_next_head_goes_out",
];

#[test]
fn the_tests_that_pass_the_pooler_by_are_these() {
    let (mut files, mut direct) = (Vec::new(), Vec::new());
    rust_files(&root().join("tests/tests"), &mut files);
    for file in files.iter().filter(|file| !file.ends_with("house/direct.rs")) {
        let (source, mut of) = (std::fs::read_to_string(file).expect("a source file"), "");
        for line in source.lines().map(str::trim) {
            if let Some((_, name)) = line.split_once("fn ") {
                of = name.split('(').next().unwrap_or_default();
            }
            if line.contains("pooler::direct(") {
                direct.push(of.to_owned());
            }
        }
    }
    direct.sort();
    assert_eq!(direct, DIRECT);
}

#[test]
fn the_check_of_a_change_runs_the_suite_behind_a_pooler() {
    let run = std::fs::read_to_string(root().join(".ci/run")).expect(".ci/run");
    assert!(run.contains("--test queue --test functions -- --ignored c2s_"), "the tests that are about a pooler");
    let (_, step) = run.split_once("PUSHWAKE_TEST_POOLER=1").expect("the step");
    let step = step.lines().next().unwrap_or_default();
    for binary in ["queue", "drain", "functions", "feedback", "policy", "random", "canaries"] {
        assert!(step.contains(&format!("--test {binary}")), "{binary}: {step}");
    }
}
