//! The lineage that Lambda's loop detection follows: a hop count in the X-Ray header, which travels with a message
//! into the function's environment and from there, by the SDK, with the messages that the function sends.

use uuid::Uuid;

/// The X-Ray header of an invocation that a message causes, and its number in the message's lineage, from 1.
pub(super) fn next(trace: Option<&str>) -> (String, u32) {
    let (root, lineage, hops) = trace
        .and_then(read)
        .map_or_else(begin, |(root, lineage, hops)| (root.to_owned(), lineage.to_owned(), hops + 1));
    (format!("Root={root};Sampled=0;Lineage=1:{lineage}:{hops}"), hops)
}

fn begin() -> (String, String, u32) {
    let id = Uuid::new_v4().simple().to_string();
    (format!("1-{}-{}", &id[..8], &id[8..]), id[..8].to_owned(), 1)
}

/// Root, lineage and hops of a header that has all three.
fn read(trace: &str) -> Option<(&str, &str, u32)> {
    let field = |name| trace.split(';').find_map(|field| field.strip_prefix(name)?.strip_prefix('='));
    let (head, hops) = field("Lineage")?.rsplit_once(':')?;
    let lineage = head.rsplit(':').next()?;
    Some((field("Root")?, lineage, hops.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lineage_counts_its_invocations() {
        let (first, hops) = next(None);
        assert_eq!(hops, 1);
        let (second, hops) = next(Some(&first));
        assert_eq!(hops, 2);
        assert_eq!(Some(second), first.strip_suffix(":1").map(|before| format!("{before}:2")));
    }

    #[test]
    fn a_header_without_a_lineage_starts_one() {
        for header in ["", "Root=1-5759e988-bd862e3fe1be46a994272793", "Lineage=1:a:b", "Root=r;Lineage=9"] {
            assert_eq!(next(Some(header)).1, 1, "{header}");
        }
    }

    #[test]
    fn a_header_of_another_sender_is_read() {
        let header = "Root=1-5759e988-bd862e3f;Parent=3995c3f42cd8ad8;Sampled=1;Lineage=1:a87bd80c:15";
        assert_eq!(next(Some(header)).1, 16);
    }
}
