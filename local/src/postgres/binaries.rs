//! Finds the installed Postgres.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What to do where nothing is installed.
pub(super) const INSTALL: &str = "no PostgreSQL found on this machine. Install its server (version 14 or newer): \
    Debian and Ubuntu: `apt-get install postgresql`; Fedora: `dnf install postgresql-server`; \
    Alpine: `apk add postgresql`; Arch: `pacman -S postgresql`; macOS: `brew install postgresql`. \
    Or point PUSHWAKE_POSTGRES_BIN at the folder that holds `initdb` and `postgres`. \
    Or have one downloaded: build with the default features of pushwake-local";

/// The folder that holds `initdb` and `postgres`, if they are installed.
pub(super) fn installed() -> Option<PathBuf> {
    if let Some(named) = env::var_os("PUSHWAKE_POSTGRES_BIN") {
        return Some(PathBuf::from(named)).filter(|bin| holds_server(bin));
    }
    on_path()
        .or_else(from_pg_config)
        .or_else(|| newest(Path::new("/usr/lib/postgresql"), "bin"))
        .or_else(|| newest(Path::new("/usr/local/opt"), "bin"))
        .or_else(|| newest(Path::new("/opt/homebrew/opt"), "bin"))
        .or_else(|| newest(Path::new("/Applications/Postgres.app/Contents/Versions"), "bin"))
        .or_else(|| fixed(&["/usr/pgsql/bin", "/usr/local/pgsql/bin", "/usr/libexec/postgresql", "/usr/local/bin"]))
}

pub(super) fn holds_server(bin: &Path) -> bool {
    bin.join("initdb").is_file() && bin.join("postgres").is_file()
}

fn on_path() -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).find(|bin| holds_server(bin))
}

/// `pg_config` belongs to the client library, so the folder it names may hold no server.
fn from_pg_config() -> Option<PathBuf> {
    let said = Command::new("pg_config").arg("--bindir").output().ok()?;
    let bin = PathBuf::from(String::from_utf8(said.stdout).ok()?.trim());
    holds_server(&bin).then_some(bin)
}

/// The newest of the versioned folders below `parent` (`15`, `postgresql@16`).
fn newest(parent: &Path, inside: &str) -> Option<PathBuf> {
    let folders = parent.read_dir().ok()?.flatten();
    let version = |bin: &PathBuf| {
        let name = bin.parent()?.file_name()?.to_str()?;
        let numbers = name.rsplit('@').next()?.split('.').map(str::parse);
        numbers.collect::<Result<Vec<u32>, _>>().ok()
    };
    folders.map(|folder| folder.path().join(inside)).filter(|bin| holds_server(bin)).max_by_key(version)
}

fn fixed(bins: &[&str]) -> Option<PathBuf> {
    bins.iter().map(PathBuf::from).find(|bin| holds_server(bin))
}
