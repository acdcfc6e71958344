//! A function as callers name it.

use super::refusal::Refusal;

/// What the API documents: every part before the name may be there or not.
const PATTERN: &str = r"(arn:(aws[a-zA-Z-]*)?:lambda:)?([a-z]{2}(-gov)?-[a-z]+-\d{1}:)?(\d{12}:)?(function:)?([a-zA-Z0-9-_\.]+)(:(\$LATEST|[a-zA-Z0-9-_]+))?";

/// A function's name, without region and account: there is one of each here, and a caller's ARN may be that of its
/// deployed stack.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) function: String,
    pub(super) qualifier: Option<String>,
}

impl Name {
    /// Reads the name of the path and the qualifier of the query.
    pub(super) fn read(text: &str, queried: Option<&str>) -> Result<Self, Refusal> {
        let (function, named) = split(text).ok_or_else(|| Refusal::constraint(text, "functionName", PATTERN))?;
        if let (Some(named), Some(queried)) = (named, queried)
            && named != queried
        {
            let message = "The derived qualifier from the function name does not match the specified qualifier.";
            return Err(Refusal::invalid(message));
        }
        Ok(Self { function: function.to_owned(), qualifier: named.or(queried).map(str::to_owned) })
    }
}

fn split(text: &str) -> Option<(&str, Option<&str>)> {
    let mut parts: Vec<&str> = text.split(':').collect();
    if let ["arn", partition, "lambda", ..] = parts[..]
        && partition.starts_with("aws")
    {
        parts.drain(..3);
    }
    for is_there in [is_region, is_account, |part: &str| part == "function"] {
        if parts.len() > 1 && is_there(parts[0]) {
            parts.remove(0);
        }
    }
    let is_name =
        |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_.$".contains(c));
    match parts[..] {
        [function] if is_name(&function) => Some((function, None)),
        [function, qualifier] if is_name(&function) && is_name(&qualifier) => Some((function, Some(qualifier))),
        _ => None,
    }
}

fn is_region(part: &str) -> bool {
    part.split('-').count() >= 3 && part.ends_with(|c: char| c.is_ascii_digit())
}

fn is_account(part: &str) -> bool {
    part.len() == 12 && part.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_named_in_every_way_that_lambda_documents() {
        for (text, qualifier) in [
            ("pushwake-enqueue", None),
            ("pushwake-enqueue:live", Some("live")),
            ("pushwake-enqueue:$LATEST", Some("$LATEST")),
            ("function:pushwake-enqueue", None),
            ("123456789012:function:pushwake-enqueue", None),
            ("123456789012:function:pushwake-enqueue:live", Some("live")),
            ("arn:aws:lambda:eu-central-1:123456789012:function:pushwake-enqueue", None),
            ("arn:aws-us-gov:lambda:us-gov-west-1:123456789012:function:pushwake-enqueue:7", Some("7")),
        ] {
            let name = Name::read(text, None).expect(text);
            assert_eq!((name.function.as_str(), name.qualifier.as_deref()), ("pushwake-enqueue", qualifier), "{text}");
        }
    }

    #[test]
    fn a_qualifier_may_stand_in_the_query_and_must_not_contradict_the_name() {
        assert_eq!(Name::read("enqueue", Some("live")).unwrap().qualifier.as_deref(), Some("live"));
        assert!(Name::read("enqueue:live", Some("live")).is_ok());
        assert!(Name::read("enqueue:live", Some("$LATEST")).is_err());
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for odd in ["", ":", "a b", "enqueue:", "a:b:c", "arn:aws:sqs:eu-central-1:123456789012:wakes", "<b>"] {
            assert!(Name::read(odd, None).is_err(), "{odd}");
        }
    }
}
