//! The MD5 sums that SQS answers and some SDKs verify.

use std::{collections::BTreeMap, fmt::Write as _};

use md5::{Digest as _, Md5};

use super::message::AttributeValue;

pub(super) fn of_body(body: &str) -> String {
    hex(&Md5::digest(body))
}

/// The sum over attributes in the order of their names: name, type, a byte for the kind of value, and the value,
/// each behind its length. Nothing where there are none.
pub(super) fn of_attributes(attributes: &BTreeMap<String, AttributeValue>) -> Option<String> {
    if attributes.is_empty() {
        return None;
    }
    let mut sum = Md5::new();
    for (name, value) in attributes {
        add_field(&mut sum, name.as_bytes());
        add_field(&mut sum, value.data_type.as_bytes());
        sum.update([if value.is_binary() { 2 } else { 1 }]);
        add_field(&mut sum, &value.content());
    }
    Some(hex(&sum.finalize()))
}

fn add_field(sum: &mut Md5, bytes: &[u8]) {
    sum.update((bytes.len() as u32).to_be_bytes());
    sum.update(bytes);
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_has_the_sum_that_everyone_computes() {
        assert_eq!(of_body("hello"), "5d41402abc4b2a76b9719d911017c592");
    }

    #[test]
    fn no_attributes_have_no_sum() {
        assert_eq!(of_attributes(&BTreeMap::new()), None);
    }
}
