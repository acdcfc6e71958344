//! The migrations, embedded.

use sha2::{Digest, Sha256};

/// One file of `migrations/`.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// Counted from 1 without a gap.
    pub version: i32,
    /// The file's name without its ending.
    pub name: &'static str,
    /// The file's content.
    pub sql: &'static str,
}

/// Every migration, in order. One that was released is never changed again.
pub const MIGRATIONS: &[Migration] = &[
    Migration { version: 1, name: "0001_queue", sql: include_str!("../../../migrations/0001_queue.sql") },
    Migration { version: 2, name: "0002_feedback", sql: include_str!("../../../migrations/0002_feedback.sql") },
    Migration { version: 3, name: "0003_operator", sql: include_str!("../../../migrations/0003_operator.sql") },
];

impl Migration {
    /// SHA-256 of the file, in hexadecimal.
    pub fn checksum(&self) -> String {
        use std::fmt::Write;
        Sha256::digest(self.sql).iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }

    /// Whether it is one transaction.
    pub fn in_transaction(&self) -> bool {
        self.sql.lines().next() != Some("-- no transaction")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statements::statements;

    #[test]
    fn every_file_is_embedded_in_its_order() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder of migrations")
            .map(|file| file.expect("a file").file_name().into_string().expect("a name"))
            .collect();
        files.sort();
        let embedded: Vec<_> = MIGRATIONS.iter().map(|migration| format!("{}.sql", migration.name)).collect();
        assert_eq!(embedded, files);
        for (n, migration) in (1..).zip(MIGRATIONS) {
            assert_eq!(migration.version, n);
            assert!(migration.name.starts_with(&format!("{n:04}_")), "{}", migration.name);
        }
    }

    #[test]
    fn every_statement_outside_a_transaction_can_be_run_again() {
        for migration in MIGRATIONS.iter().filter(|migration| !migration.in_transaction()) {
            for statement in statements(migration.sql) {
                let again = statement.contains("if not exists") || statement.contains("if exists");
                assert!(again, "{}: {statement}", migration.name);
            }
        }
    }
}
