//! The three things about children that only libc can do.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Inherited descriptors lie low; this process's own are close-on-exec already.
const DESCRIPTORS: i32 = 1024;

/// A signal that the local stack sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// `SIGSTOP`, as Lambda freezes.
    Freeze,
    /// `SIGCONT`.
    Thaw,
    /// `SIGTERM`.
    Terminate,
    /// `SIGINT`: Postgres' fast shutdown.
    Interrupt,
    /// `SIGQUIT`: Postgres' immediate shutdown.
    Quit,
    /// `SIGKILL`.
    Kill,
}

/// Gives the child a session of its own, so that Ctrl-C in the terminal reaches this process alone, and closes what it
/// would inherit beyond its standard streams, so that it never holds a pipe of cargo or of a test harness open.
#[allow(unsafe_code)]
pub fn detach(command: &mut Command) {
    let prepare = || {
        // SAFETY: setsid and fcntl take integers, touch no memory of this process and are async-signal-safe.
        unsafe {
            libc::setsid();
            for descriptor in 3..DESCRIPTORS {
                libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC);
            }
        }
        Ok(())
    };
    // SAFETY: the closure runs between fork and exec and calls only async-signal-safe functions; it doesn't allocate.
    unsafe { command.pre_exec(prepare) };
}

/// Sends `signal` to a child that was not waited for yet.
#[allow(unsafe_code)]
pub fn send(pid: u32, signal: Signal) -> io::Result<()> {
    let number = match signal {
        Signal::Freeze => libc::SIGSTOP,
        Signal::Thaw => libc::SIGCONT,
        Signal::Terminate => libc::SIGTERM,
        Signal::Interrupt => libc::SIGINT,
        Signal::Quit => libc::SIGQUIT,
        Signal::Kill => libc::SIGKILL,
    };
    let pid = i32::try_from(pid).map_err(io::Error::other)?;
    // SAFETY: kill takes integers and touches no memory of this process.
    if unsafe { libc::kill(pid, number) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Kills the whole process group of a child that leads it (see [`detach`]) and was not waited for yet.
#[allow(unsafe_code)]
pub fn kill_group(pid: u32) -> io::Result<()> {
    let pid = i32::try_from(pid).map_err(io::Error::other)?;
    // SAFETY: killpg takes integers and touches no memory of this process.
    if unsafe { libc::killpg(pid, libc::SIGKILL) } == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
