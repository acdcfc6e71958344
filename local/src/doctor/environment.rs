//! Variables from a file.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value};

use crate::terminal::FAILED;

/// A file of variables that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    /// It can't be read.
    #[error("{0} can't be read: {1}")]
    Unread(PathBuf, io::ErrorKind),
    /// A line of it is no variable.
    #[error(
        "{file}: line {line} is no NAME=VALUE; write one variable a line, or JSON as for `sam local invoke --env-vars`"
    )]
    Line {
        /// The file.
        file: PathBuf,
        /// Counted from 1.
        line: usize,
    },
    /// Its JSON is no object of texts.
    #[error(
        "{0}: must be {{\"Parameters\": {{\"NAME\": \"value\"}}}}, an object per function, or the variables alone: {1}"
    )]
    Shape(PathBuf, String),
    /// This program can't be run again.
    #[error("can't run with the variables of the file: {0}")]
    Run(io::Error),
}

/// Runs this program again, with the variables of `file` added to its own.
pub(super) fn run_with(file: &Path, json: bool) -> Result<u8, EnvironmentError> {
    let text =
        std::fs::read_to_string(file).map_err(|error| EnvironmentError::Unread(file.to_owned(), error.kind()))?;
    let variables = read(file, &text)?;
    let program = std::env::current_exe().map_err(EnvironmentError::Run)?;
    let mut command = Command::new(program);
    command.arg("doctor").args(json.then_some("--json")).envs(variables);
    let status = command.status().map_err(EnvironmentError::Run)?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(FAILED))
}

fn read(file: &Path, text: &str) -> Result<Vec<(String, String)>, EnvironmentError> {
    if text.trim_start().starts_with('{') { read_json(file, text) } else { read_lines(file, text) }
}

/// As `sam local` reads it: `Parameters` is for every function, any other object for the function of its name.
fn read_json(file: &Path, text: &str) -> Result<Vec<(String, String)>, EnvironmentError> {
    let shape = |fault: String| EnvironmentError::Shape(file.to_owned(), fault);
    let outer: Map<String, Value> = serde_json::from_str(text).map_err(|error| shape(error.to_string()))?;
    let mut variables = Vec::new();
    for (name, value) in outer {
        match value {
            Value::Object(inner) => {
                for (name, value) in inner {
                    variables.push((name.clone(), scalar(value).ok_or_else(|| shape(format!("{name} is no text")))?));
                }
            }
            value => variables.push((name.clone(), scalar(value).ok_or_else(|| shape(format!("{name} is no text")))?)),
        }
    }
    Ok(variables)
}

fn scalar(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

fn read_lines(file: &Path, text: &str) -> Result<Vec<(String, String)>, EnvironmentError> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let meant = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let variables = meant.map(|(n, line)| {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = line.split_once('=').unwrap_or_default();
        if name.is_empty() || name.contains(char::is_whitespace) || line.contains('\0') {
            return Err(EnvironmentError::Line { file: file.to_owned(), line: n });
        }
        let quoted = ['"', '\''].iter().find_map(|&quote| value.strip_prefix(quote)?.strip_suffix(quote));
        Ok((name.to_owned(), quoted.unwrap_or(value).to_owned()))
    });
    variables.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(text: &str) -> Result<Vec<(String, String)>, String> {
        read(Path::new("env"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn variables_are_lines_or_json_as_sam_local_takes_it() {
        let expected = vec![("A".to_owned(), "1".to_owned()), ("B".to_owned(), "x = y".to_owned())];
        for text in [
            "# a comment\n\nexport A=1\nB=\"x = y\"\n",
            "A=1\r\nB='x = y'",
            r#"{"Parameters": {"A": 1, "B": "x = y"}}"#,
            r#"{"Enqueue": {"A": "1"}, "Drain": {"B": "x = y"}}"#,
            r#"{"A": "1", "B": "x = y"}"#,
        ] {
            assert_eq!(
                variables(text).map(|mut read| {
                    read.sort();
                    read
                }),
                Ok(expected.clone()),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_variable_is_named_by_its_line_or_its_name_and_never_quoted() {
        assert!(variables("A=1\nsecret").is_err_and(|error| error.contains("line 2") && !error.contains("secret")));
        assert!(variables("=secret").is_err_and(|error| error.contains("line 1") && !error.contains("secret")));
        assert!(variables(r#"{"A": ["secret"]}"#).is_err_and(|error| error.contains("A is no text")));
        assert!(variables("{").is_err());
    }
}
