//! Devices in log lines.

use sha2::{Digest, Sha256};

use crate::contract::{AppId, DeviceId};

/// What stands for a device in every log line: the first 12 hexadecimal digits of a SHA-256 over app and device.
pub fn device_hash(app: &AppId, device: &DeviceId) -> String {
    let mut hash = Sha256::new();
    hash.update(app.as_str());
    // Ids hold no NUL, so that ("ab", "c") and ("a", "bc") differ.
    hash.update([0]);
    hash.update(device.as_str());
    let first = hash.finalize().first_chunk().map_or(0, |first| u64::from_be_bytes(*first));
    format!("{:012x}", first >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boundary_between_app_and_device_counts() {
        let one = device_hash(&AppId::from("ab"), &DeviceId::from("c"));
        assert_eq!(one.len(), 12);
        assert_ne!(one, device_hash(&AppId::from("a"), &DeviceId::from("bc")));
        assert_eq!(one, device_hash(&AppId::from("ab"), &DeviceId::from("c")));
    }
}
