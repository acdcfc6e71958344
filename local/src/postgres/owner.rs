//! Who runs Postgres, and in which folder. Postgres refuses to run as root.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::ClusterError;
use crate::reaper::Folder;

/// The unprivileged user that Postgres runs as when this process is root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Owner {
    name: String,
    uid: u32,
    gid: u32,
}

impl Owner {
    /// Nobody else where this process is an ordinary user.
    pub(super) fn needed() -> Result<Option<Self>, ClusterError> {
        if !is_root() {
            return Ok(None);
        }
        let users = fs::read_to_string("/etc/passwd").map_err(ClusterError::io("read /etc/passwd"))?;
        let owner = Self::among(&users, "postgres").or_else(|| Self::among(&users, "nobody"));
        owner.map(Some).ok_or(ClusterError::NoUser)
    }

    fn among(users: &str, name: &str) -> Option<Self> {
        users.lines().find_map(|line| {
            let mut fields = line.split(':');
            (fields.next()? == name).then_some(())?;
            let uid = fields.nth(1)?.parse().ok()?;
            let gid = fields.next()?.parse().ok()?;
            Some(Self { name: name.to_owned(), uid, gid })
        })
    }

    /// Makes `command` run as this user; the standard library drops the supplementary groups with it.
    pub(super) fn run(&self, command: &mut Command) {
        command.uid(self.uid).gid(self.gid);
    }
}

/// A folder that Postgres may write to.
pub(super) fn folder(owner: Option<&Owner>) -> Result<Folder, ClusterError> {
    let Some(owner) = owner else {
        return Folder::create(&std::env::temp_dir()).map_err(ClusterError::io("create a temporary folder"));
    };
    let places = [std::env::temp_dir(), PathBuf::from("/tmp"), PathBuf::from("/var/tmp")];
    let place = places.iter().find(|place| reachable(place));
    let place = place.ok_or_else(|| ClusterError::NoFolder { user: owner.name.clone() })?;
    let folder = Folder::create(place).map_err(ClusterError::io("create a temporary folder"))?;
    std::os::unix::fs::chown(folder.path(), Some(owner.uid), Some(owner.gid))
        .map_err(ClusterError::io("hand the temporary folder to the user of postgres"))?;
    Ok(folder)
}

fn is_root() -> bool {
    // A fresh file belongs to the effective user, which saves a call into libc.
    tempfile::tempfile().and_then(|file| file.metadata()).is_ok_and(|file| file.uid() == 0)
}

/// Whether `owner` may read what lies in `place`.
#[cfg(feature = "download-postgres")]
pub(super) fn may_read(owner: Option<&Owner>, place: &Path) -> bool {
    owner.is_none() || reachable(place)
}

/// Every user may pass through each of its parents.
fn reachable(place: &Path) -> bool {
    let passable = |folder: &Path| fs::metadata(folder).is_ok_and(|folder| folder.permissions().mode() & 0o001 != 0);
    place.canonicalize().is_ok_and(|place| place.ancestors().all(passable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_found_by_its_whole_name() {
        let users = "root:x:0:0::/root:/bin/sh\npostgres2:x:7:7::/:/bin/sh\npostgres:x:101:104:PostgreSQL,,,:/:/bin/sh";
        let found = Owner::among(users, "postgres");
        assert_eq!(found, Some(Owner { name: "postgres".into(), uid: 101, gid: 104 }));
        assert_eq!(Owner::among(users, "nobody"), None);
    }

    #[test]
    fn a_private_parent_is_not_reachable() {
        let folder = tempfile::tempdir().unwrap();
        let private = folder.path().join("private");
        fs::create_dir_all(private.join("inside")).unwrap();
        fs::set_permissions(&private, PermissionsExt::from_mode(0o700)).unwrap();
        assert!(!reachable(&private.join("inside")));
    }
}
