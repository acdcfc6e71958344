//! The nested build finds the four functions, and builds nothing that the outer build has built.

#[test]
fn the_nested_build_reports_the_four_functions() {
    let functions = local::build::functions().unwrap();
    for binary in [&functions.enqueue, &functions.drain, &functions.schedule, &functions.migrate] {
        assert!(binary.is_file(), "{} does not exist", binary.display());
    }
}
