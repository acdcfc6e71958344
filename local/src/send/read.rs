//! Takes requests out of a file: one, several one after the other, one on each line, or an array of them.

use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The largest request that Lambda takes.
const LARGEST: usize = 6 * 1024 * 1024;

/// What stands in a file at a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Where it begins, or where it is wrong; from 1.
    pub line: usize,
    /// The request, or what is wrong. That never repeats what the file holds.
    pub request: Result<String, String>,
}

/// Reads a whole file, of which a malformed part does not cost the others.
pub fn read(bytes: &[u8]) -> Vec<Item> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return vec![Item { line: 1, request: Err("holds no request".to_owned()) }];
    }
    let whole = match std::str::from_utf8(bytes) {
        Ok(text) => of_text(text, 1),
        Err(error) => vec![not_text(1 + newlines(&bytes[..error.valid_up_to()]))],
    };
    if whole.iter().all(|item| item.request.is_ok()) || !is_lines(bytes) {
        return whole;
    }
    let numbered = bytes.split(|byte| *byte == b'\n').zip(1..);
    let written = numbered.filter(|(line, _)| !line.iter().all(u8::is_ascii_whitespace));
    written.flat_map(|(line, n)| of_line(line, n)).collect()
}

/// Whether a file has its requests on lines of their own. One that is written out has no line that is a request by
/// itself, but for what is indented; an array may have, and begins with its bracket.
fn is_lines(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let is_array = lines.clone().next().is_some_and(|first| first.trim_ascii() == b"[");
    !is_array && lines.any(|line| line.first() == Some(&b'{') && is_json(line))
}

fn is_json(line: &[u8]) -> bool {
    serde_json::from_slice::<&RawValue>(line).is_ok()
}

fn of_line(line: &[u8], n: usize) -> Vec<Item> {
    match std::str::from_utf8(line) {
        Ok(text) => of_text(text, n),
        Err(_) => vec![not_text(n)],
    }
}

/// The values of a text that begins on line `first`, up to the first that can't be read.
fn of_text(text: &str, first: usize) -> Vec<Item> {
    let mut items = Vec::new();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    let mut read = 0;
    while let Some(value) = values.next() {
        match value {
            Ok(value) => take(text, value, first, &mut items),
            Err(error) => {
                let rest = &text[read..];
                let (good, _) = elements(rest);
                items.extend(good.into_iter().map(|element| item(text, element, first)));
                let line = first + error.line().saturating_sub(1);
                let words = error.to_string();
                let words = words.split(" at line ").next().unwrap_or_default();
                items.push(Item { line, request: Err(format!("column {}: no JSON: {words}", error.column())) });
            }
        }
        read = values.byte_offset();
    }
    items
}

fn take(text: &str, value: &RawValue, first: usize, items: &mut Vec<Item>) {
    match elements(value.get()) {
        (elements, true) => items.extend(elements.into_iter().map(|element| item(text, element, first))),
        (_, false) => items.push(item(text, value, first)),
    }
}

fn item(text: &str, value: &RawValue, first: usize) -> Item {
    let at = value.get().as_ptr() as usize - text.as_ptr() as usize;
    let line = first + newlines(&text.as_bytes()[..at]);
    let request = match value.get() {
        json if !json.starts_with('{') => Err("must be an object: a request of enqueue".to_owned()),
        json if json.len() > LARGEST => Err(format!("is {} bytes long; Lambda takes {LARGEST} at most", json.len())),
        json => Ok(json.to_owned()),
    };
    Item { line, request }
}

/// The elements of an array, as far as they can be read; and whether it is an array to its end.
fn elements(json: &str) -> (Vec<&RawValue>, bool) {
    struct Collect<'a, 'de>(&'a mut Vec<&'de RawValue>);
    impl<'de> Visitor<'de> for Collect<'_, 'de> {
        type Value = ();
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an array")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
            while let Some(element) = elements.next_element()? {
                self.0.push(element);
            }
            Ok(())
        }
    }
    let mut found = Vec::new();
    let whole = serde_json::Deserializer::from_str(json).deserialize_seq(Collect(&mut found)).is_ok();
    (found, whole)
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.split(|byte| *byte == b'\n').count() - 1
}

fn not_text(line: usize) -> Item {
    Item { line, request: Err("is no text in UTF-8".to_owned()) }
}

#[cfg(test)]
mod tests;
