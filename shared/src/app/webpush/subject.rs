//! Whom a push service writes to.

use crate::app::read::Settings;
use crate::field::Fault;

/// Reads `subject`. Apple refuses every push of one that can't exist, so it is refused here first.
pub(super) fn read(settings: &Settings<'_>) -> Result<String, Fault> {
    let subject = settings.word("subject")?;
    if is_real(&subject) {
        Ok(subject)
    } else {
        let fault = "must be mailto: or https: with an address that exists, such as mailto:push@example.com";
        Err(settings.required("subject")?.fault(fault))
    }
}

fn is_real(subject: &str) -> bool {
    let host = if let Some(address) = subject.strip_prefix("mailto:") {
        match address.split_once('@') {
            Some((user, host)) if !user.is_empty() => host,
            _ => return false,
        }
    } else if let Some(url) = subject.strip_prefix("https://") {
        url.split(['/', '?', '#', ':']).next().unwrap_or_default()
    } else {
        return false;
    };
    let host = host.to_ascii_lowercase();
    let made_up = ["localhost", "local", "invalid"].contains(&host.rsplit('.').next().unwrap_or_default());
    super::hosts::is_name(&host) && host.contains('.') && !made_up
}
