//! Every shape of file, and every way to be malformed.

use super::{Item, LARGEST, read};

/// The lines of what was read, and of what was not.
fn lines(bytes: &[u8]) -> (Vec<usize>, Vec<usize>) {
    let (good, bad): (Vec<Item>, Vec<Item>) = read(bytes).into_iter().partition(|item| item.request.is_ok());
    let line = |item: Item| item.line;
    (good.into_iter().map(line).collect(), bad.into_iter().map(line).collect())
}

fn fault(bytes: &[u8]) -> String {
    let items = read(bytes);
    assert_eq!(items.len(), 1, "{items:?}");
    items[0].request.clone().expect_err("malformed")
}

#[test]
fn a_request_may_be_written_out_or_stand_on_a_line_with_others_or_in_an_array() {
    assert_eq!(lines(b"{\n  \"a\": [\n{}\n]\n}\n"), (vec![1], vec![]));
    assert_eq!(lines(b"{\n\"a\": 1\n}\n\n{\n\"a\": 2\n}"), (vec![1, 5], vec![]), "one after the other");
    assert_eq!(lines(b"{\"a\":1}\r\n\r\n{\"a\":2}\r\n"), (vec![1, 3], vec![]));
    assert_eq!(lines(b"[\n  {\"a\": 1},\n  {\n    \"a\": 2\n  }\n]"), (vec![2, 3], vec![]));
    assert_eq!(lines(b"{\"a\":1} {\"a\":2}\n[{\"a\":3}]"), (vec![1, 1, 2], vec![]));
    assert_eq!(lines(b"\xEF\xBB\xBF{\"a\":1}"), (vec![1], vec![]), "a byte order mark");
    assert_eq!(lines(b"[\n{\"a\": 1},\n{\"a\": 2}\n]"), (vec![2, 3], vec![]));
    assert_eq!(lines(b"[]"), (vec![], vec![]));
}

#[test]
fn a_malformed_line_names_itself_and_the_others_are_read() {
    let file = b"{\"a\":1}\n{\"a\":\nnull\n\n7\n{\"a\":2}\n\xFF\xFE\n{\"a\":\"\0\"}\n{\"a\":3}x\n";
    assert_eq!(lines(file), (vec![1, 6, 9], vec![2, 3, 5, 7, 8, 9]));
    assert!(read(file)[1].request.as_ref().is_err_and(|said| said.starts_with("column 5: no JSON: EOF")));
}

#[test]
fn a_written_out_file_names_the_line_and_the_column_where_it_is_malformed() {
    assert_eq!(read(b"{\n  \"a\": 1,\n  \"b\" 2\n}")[0].line, 3);
    assert_eq!(fault(b"{\n  \"a\": 1,\n  \"b\" 2\n}"), "column 7: no JSON: expected `:`");
    assert_eq!(lines(b"[\n  {\"a\": 1},\n  {\"a\": 2},\n  {\"a\" 3},\n  {\"a\": 4}\n]"), (vec![2, 3], vec![4]));
}

#[test]
fn what_is_no_request_is_said_without_repeating_it() {
    assert_eq!(fault(b""), "holds no request");
    assert_eq!(fault(b" \n\t\n"), "holds no request");
    assert_eq!(fault(b"\"secret\""), "must be an object: a request of enqueue");
    assert_eq!(fault(b"\x00\x01\x02\xFF\n\x7FELF"), "is no text in UTF-8");
    assert!(fault(b"secret").starts_with("column 1: no JSON: expected value"));
    assert!(fault(b"\0\0\0\0").starts_with("column 1: no JSON"));
    let huge = format!("{{\"a\":\"{}\"}}", "x".repeat(LARGEST));
    assert!(fault(huge.as_bytes()).contains("Lambda takes 6291456 at most"));
    let deep = "[".repeat(100_000);
    assert!(fault(deep.as_bytes()).contains("no JSON"));
}
