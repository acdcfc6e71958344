//! Takes a file apart, where it can't be sent as one transaction.

/// The statements of a file: each ends with a semicolon at the end of a line, and holds none at the end of another.
pub fn statements(sql: &'static str) -> Vec<&'static str> {
    let mut statements = Vec::new();
    let (mut start, mut end) = (0, 0);
    for line in sql.split_inclusive('\n') {
        end += line.len();
        let code = line.trim();
        if code.ends_with(';') && !code.starts_with("--") {
            statements.push(sql[start..end].trim());
            start = end;
        }
    }
    let rest = sql[start..].trim();
    if rest.lines().any(|line| !line.trim().is_empty() && !line.trim().starts_with("--")) {
        statements.push(rest);
    }
    statements
}

/// Whether a file names this relation.
pub fn names(sql: &str, relation: &str) -> bool {
    sql.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == relation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_falls_into_its_statements() {
        let sql =
            "-- no transaction\n-- first;\ncreate index a\n    on t (x);\n\ncreate index b on t (y); \n-- the end;\n";
        let expected = ["-- no transaction\n-- first;\ncreate index a\n    on t (x);", "create index b on t (y);"];
        assert_eq!(statements(sql), expected);
        assert_eq!(statements("select 1"), ["select 1"]);
        assert_eq!(statements("-- nothing\n"), Vec::<&str>::new());
    }

    #[test]
    fn a_relation_is_named_as_a_whole_word() {
        assert!(names("create index if not exists a_b on t (a);", "a_b"));
        assert!(!names("create index if not exists a_b on t (a);", "b"));
        assert!(!names("create index if not exists a_b on t (a);", "a_b_c"));
    }
}
