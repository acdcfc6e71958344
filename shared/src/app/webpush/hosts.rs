//! The push services an app sends to.

use std::net::IpAddr;

use crate::app::read::Settings;
use crate::field::Fault;

/// The services of the browsers in use: Chrome, Firefox, Safari, Edge.
const BROWSERS: [&str; 4] =
    ["fcm.googleapis.com", "updates.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com"];

/// Host names in lower case; `*.` stands for one or more labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts(Vec<String>);

impl Default for Hosts {
    /// The big services.
    fn default() -> Self {
        Self(BROWSERS.map(str::to_owned).to_vec())
    }
}

impl Hosts {
    /// Reads `hosts`, which replaces the default.
    pub(super) fn read(settings: &Settings<'_>) -> Result<Self, Fault> {
        let Some(field) = settings.optional("hosts") else { return Ok(Self::default()) };
        let fields = field.array()?;
        if fields.is_empty() {
            return Err(field.fault("must name at least one host, or be left out for the big push services"));
        }
        let hosts = fields.iter().map(|field| {
            let host = field.text()?.to_ascii_lowercase();
            if is_pattern(&host) {
                Ok(host)
            } else {
                Err(field.fault("must be a host name such as push.example.com, or *.push.example.com"))
            }
        });
        hosts.collect::<Result<_, _>>().map(Self)
    }

    /// Whether `host`, in lower case, is one of them.
    pub fn allow(&self, host: &str) -> bool {
        self.0.iter().any(|pattern| match pattern.strip_prefix('*') {
            Some(end) => host.strip_suffix(end).is_some_and(|start| !start.is_empty()),
            None => host == pattern,
        })
    }
}

/// Two labels at least behind the star: `*.com` is nobody's push service.
fn is_pattern(pattern: &str) -> bool {
    match pattern.strip_prefix("*.") {
        Some(name) => is_name(name) && name.contains('.'),
        None => is_name(pattern),
    }
}

/// A host name, and no address in any of the forms a resolver takes for one.
pub(super) fn is_name(host: &str) -> bool {
    let label = |label: &str| {
        let plain = label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_'));
        (1..=63).contains(&label.len()) && plain
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    host.len() <= 253
        && host.split('.').all(label)
        && host.parse::<IpAddr>().is_err()
        // What ends in a number is an old spelling of an IPv4 address: 127.1, 0x7f.0.0.1, 2130706433.
        && !last.starts_with(|first: char| first.is_ascii_digit())
}
