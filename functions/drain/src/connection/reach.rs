//! Which addresses a host name may stand for.
//!
//! The endpoint of a browser's subscription is an address that a stranger may have written, and a name on the list of
//! push services can still be made to resolve to something inside our network. So the addresses are looked at after
//! the name was resolved, and what was looked at is what is connected to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Which addresses a host name may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Any: the host is our own setting.
    Anywhere,
    /// Addresses of the public internet.
    Public,
    /// This machine.
    Loopback,
}

impl Reach {
    pub(super) fn allows(self, address: IpAddr) -> bool {
        match (self, address) {
            (Self::Anywhere, _) => true,
            (Self::Loopback, address) => address.is_loopback(),
            (Self::Public, IpAddr::V4(address)) => is_public_v4(address),
            (Self::Public, IpAddr::V6(address)) => is_public_v6(address),
        }
    }
}

/// IANA's special-purpose networks, and what else is nobody's web server.
const SPECIAL_V4: [([u8; 4], u32); 17] = [
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    // Shared by carriers (CGNAT).
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    // Link-local, where clouds keep their metadata.
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 31, 196, 0], 24),
    ([192, 52, 193, 0], 24),
    // The former 6to4 relays.
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([192, 175, 48, 0], 24),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    // Multicast, reserved, broadcast.
    ([224, 0, 0, 0], 3),
];

/// What lies in `2000::/3` and is special: protocol assignments with Teredo, documentation, 6to4.
const SPECIAL_V6: [([u16; 2], u32); 4] =
    [([0x2001, 0], 23), ([0x2001, 0xdb8], 32), ([0x2002, 0], 16), ([0x3fff, 0], 20)];

fn is_public_v4(address: Ipv4Addr) -> bool {
    let inside = |(network, length): &([u8; 4], u32)| {
        (address.to_bits() ^ u32::from_be_bytes(*network)).leading_zeros() >= *length
    };
    !SPECIAL_V4.iter().any(inside)
}

/// Global unicast, but for what only carries an IPv4 address inside. NAT64 is taken for the address it carries: a
/// network without IPv4 reaches every IPv4 host so.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let segments = address.segments();
    let start = u32::from(segments[0]) << 16 | u32::from(segments[1]);
    if let [0x64, 0xff9b, 0, 0, 0, 0, high, low] = segments {
        return is_public_v4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)));
    }
    let inside = |([first, second], length): &([u16; 2], u32)| {
        (start ^ (u32::from(*first) << 16 | u32::from(*second))).leading_zeros() >= *length
    };
    start >> 29 == 1 && !SPECIAL_V6.iter().any(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(reach: Reach, address: &str) -> bool {
        reach.allows(address.parse().expect(address))
    }

    #[test]
    fn c38_addresses_that_are_not_public_are_refused() {
        for address in [
            "0.0.0.0",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.8.8.8",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::ffff:8.8.8.8",
            "::10.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:a00:1::1",
            "3fff::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!allows(Reach::Public, address), "{address}");
        }
    }

    #[test]
    fn public_addresses_are_reached() {
        for address in [
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.1",
            "142.250.185.74",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2a00:1450:4001:81d::200a",
            "64:ff9b::8.8.8.8",
        ] {
            assert!(allows(Reach::Public, address), "{address}");
        }
    }

    #[test]
    fn a_simulated_service_is_on_this_machine() {
        assert!(allows(Reach::Loopback, "127.0.0.1") && allows(Reach::Loopback, "::1"));
        assert!(!allows(Reach::Loopback, "8.8.8.8") && !allows(Reach::Loopback, "10.0.0.1"));
        assert!(allows(Reach::Anywhere, "10.0.0.1"));
    }
}
