//! Who asks: the address of the connection, or the one that a trusted proxy names.

use std::net::{IpAddr, SocketAddr};

use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderMap};
use engine::Opener;

/// An address that is counted for itself: of IPv6 the first half, since whoever has one address there has a whole network of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Address(u128);

impl Address {
    pub(crate) fn of(address: Option<IpAddr>) -> Self {
        match address.map(|address| address.to_canonical()) {
            Some(IpAddr::V4(address)) => Address(address.to_ipv6_mapped().to_bits()),
            Some(IpAddr::V6(address)) => Address(address.to_bits() >> 64 << 64),
            None => Address(0),
        }
    }

    /// Who opens matches from there.
    pub(crate) fn opener(self) -> Opener {
        Opener(self.0)
    }

    /// The peer of the connection, or whom the outermost of so many trusted proxies says that it speaks for.
    pub(crate) fn of_request(request: &HttpRequest, trusted_proxies: usize) -> Self {
        let peer = request.peer_addr().map(|peer| peer.ip());
        Address::of(forwarded(request.headers(), trusted_proxies).or(peer))
    }
}

/// The address that the outermost of so many trusted proxies has seen. What stands before it, anybody may have written.
fn forwarded(headers: &HeaderMap, trusted: usize) -> Option<IpAddr> {
    let lines: Vec<&[u8]> =
        headers.get_all(header::X_FORWARDED_FOR).map(|line| line.as_bytes()).collect();
    // Bytes, since a client may have put any before what a proxy adds.
    let entries = lines.iter().rev().flat_map(|line| line.rsplit(|byte| *byte == b','));
    let entry = str::from_utf8(entries.into_iter().nth(trusted.checked_sub(1)?)?).ok()?.trim();
    let with_port = || entry.parse::<SocketAddr>().ok().map(|socket| socket.ip());
    entry.parse().ok().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use actix_web::http::header::HeaderValue;

    use super::*;

    fn said(lines: &[&str], trusted: usize) -> Option<IpAddr> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::X_FORWARDED_FOR, HeaderValue::from_str(line).unwrap());
        }
        forwarded(&headers, trusted)
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let (a, b) = (Ipv4Addr::new(192, 0, 2, 1), Ipv4Addr::new(192, 0, 2, 2));
        assert_eq!(said(&["192.0.2.1"], 0), None);
        assert_eq!(said(&["203.0.113.9, 192.0.2.1"], 1), Some(a.into()));
        assert_eq!(said(&["203.0.113.9", "192.0.2.1"], 1), Some(a.into()));
        assert_eq!(said(&["9.9.9.9, 192.0.2.2, 192.0.2.1"], 2), Some(b.into()));
        assert_eq!(said(&["192.0.2.1:4711"], 1), Some(a.into()));
        let mut headers = HeaderMap::new();
        let line = HeaderValue::from_bytes(b"\xff, 192.0.2.1").unwrap();
        headers.append(header::X_FORWARDED_FOR, line);
        assert_eq!(forwarded(&headers, 1), Some(a.into()), "any byte may stand before it");
        let v6 = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);
        assert_eq!(said(&["[2001:db8::1]:4711"], 1), Some(v6.into()));
        assert_eq!(said(&["2001:db8::1"], 1), Some(v6.into()));
        for nonsense in ["", ",", "unknown", "192.0.2.1.5", "a, "] {
            assert_eq!(said(&[nonsense], 1), None, "{nonsense}");
        }
        assert_eq!(said(&[], 1), None);
        assert_eq!(said(&["192.0.2.1"], 2), None, "it came past the proxies");
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let of = |text: &str| Address::of(Some(text.parse().unwrap()));
        assert!(of("2001:db8::1") == of("2001:db8::ffff:1"));
        assert!(of("2001:db8::1") != of("2001:db8:0:1::1"));
        assert!(of("192.0.2.1") == of("::ffff:192.0.2.1"));
        assert!(of("192.0.2.1") != of("192.0.2.2"));
    }
}
