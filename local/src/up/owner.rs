//! Whose process listens on a port. Linux tells, in `/proc`; elsewhere, and of other users' processes, nobody does.

use std::fs;
use std::path::Path;

/// Name and pid of the process that listens on `port`.
pub(super) fn of(port: u16) -> Option<String> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|table| fs::read_to_string(table).unwrap_or_default());
    let sockets: Vec<String> = tables.iter().flat_map(|table| listening(table, port)).collect();
    let processes = fs::read_dir("/proc").ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut pids = processes.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
    let pid = pids.find(|pid| holds_one_of(Path::new("/proc").join(pid).join("fd").as_path(), &sockets))?;
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(format!("{} (pid {pid})", name.trim_end()))
}

/// The listening sockets of a table of the kernel, as a descriptor's link names them.
fn listening(table: &str, port: u16) -> Vec<String> {
    const LISTENING: &str = "0A";
    let port = format!(":{port:04X}");
    let rows = table.lines().skip(1).map(|row| row.split_whitespace().collect::<Vec<_>>());
    let inode = |row: Vec<&str>| match row[..] {
        [_, local, _, LISTENING, _, _, _, _, _, inode, ..] if local.ends_with(&port) => {
            Some(format!("socket:[{inode}]"))
        }
        _ => None,
    };
    rows.filter_map(inode).collect()
}

fn holds_one_of(descriptors: &Path, sockets: &[String]) -> bool {
    let Ok(descriptors) = fs::read_dir(descriptors) else { return false };
    let mut targets = descriptors.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    targets.any(|target| sockets.iter().any(|socket| target.as_os_str() == socket.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listening_socket_is_found_by_its_port_and_not_by_a_connections() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
            0: 0100007F:245E 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0  0 4711 1 0 100 0 0 10 0\n\
            1: 0100007F:245E 0100007F:E1D2 01 00000000:00000000 00:00000000 00000000  0  0 4712 1 0 20 4 30 10 -1\n\
            2: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0  0 4713 1 0 100 0 0 10 0\n";
        assert_eq!(listening(table, 9310), ["socket:[4711]"]);
        assert!(listening(table, 9311).is_empty());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_owner_of_a_port_is_named() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let owner = of(listener.local_addr().unwrap().port()).unwrap();
        assert!(owner.ends_with(&format!("(pid {})", std::process::id())), "{owner}");
    }
}
