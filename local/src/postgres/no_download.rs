//! Without the feature `download-postgres`, only an installed Postgres will do.

use std::path::{Path, PathBuf};

use super::ClusterError;
use super::owner::Owner;

pub(super) fn bin(_owner: Option<&Owner>, _folder: &Path) -> Result<PathBuf, ClusterError> {
    Err(ClusterError::NoBinaries)
}
