//! Requests that nobody meant: whatever comes, it is read or refused, and what is stored can be read back.

use super::reading;
use crate::contract::Payload;

/// Xorshift: the same requests on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

const KEYS: &[&str] = &[
    "id",
    "app",
    "token",
    "registered_at",
    "source",
    "event",
    "kind",
    "notification",
    "send_at",
    "expires_at",
    "devices",
    "title",
    "body",
    "data",
    "sound",
    "badge",
    "collapse_id",
    "priority",
    "thread",
    "image",
    "raw",
    "apns",
    "fcm",
    "aps",
    "v",
    r"\ud800",
    r"\u0000",
    "",
    "x",
];
const VALUES: &[&str] = &[
    "null",
    "true",
    "0",
    "1",
    "-1",
    "1e999",
    "18446744073709551616",
    "0.1",
    r#""""#,
    r#""a""#,
    r#""ios""#,
    r#""android""#,
    r#""abcd""#,
    r#""\ud800""#,
    r#""\ud83d\ude80""#,
    r#""\u0000""#,
    r#""2026-11-30T18:00:00Z""#,
    r#""9999-12-31T23:59:59-23:59""#,
    r#""alert""#,
    r#""background""#,
    r#""dismiss""#,
    r#""high""#,
    r#""https://x""#,
    r#""\"\\\n""#,
    "[]",
    "{}",
    r#"{"aps":null}"#,
    r#"{"aps":{"alert":null}}"#,
    r#"[{"id":"d","app":"ios","token":"aa"}]"#,
];

fn value(dice: &mut Dice, depth: usize) -> String {
    let list = |values: Vec<String>| values.join(",");
    match dice.roll(if depth == 0 { 2 } else { 5 }) {
        0 | 1 => dice.pick(VALUES).to_owned(),
        2 => format!("[{}]", list((0..dice.roll(4)).map(|_| value(dice, depth - 1)).collect())),
        _ => {
            let members = (0..dice.roll(6)).map(|_| format!(r#""{}":{}"#, dice.pick(KEYS), value(dice, depth - 1)));
            format!("{{{}}}", list(members.collect()))
        }
    }
}

/// Now and then one more member.
fn more(dice: &mut Dice, depth: usize) -> String {
    match dice.roll(3) {
        0 => format!(r#","{}":{}"#, dice.pick(KEYS), value(dice, depth)),
        _ => String::new(),
    }
}

/// A good request, some of whose members are replaced, repeated or joined by others.
fn request(dice: &mut Dice) -> String {
    let mut members = vec![
        r#""source":"s""#.to_owned(),
        r#""event":"e""#.to_owned(),
        format!(r#""notification":{{"body":"b","data":{{"d":1{}}}{}}}"#, more(dice, 3), more(dice, 3)),
        format!(r#""devices":[{{"id":"d","app":"ios","token":"aa"{}}},{}]"#, more(dice, 2), value(dice, 2)),
    ];
    for _ in 0..dice.roll(4) / 2 {
        let at = dice.roll(members.len() + 2);
        let member = format!(r#""{}":{}"#, dice.pick(KEYS), value(dice, 4));
        if at < members.len() { members[at] = member } else { members.push(member) }
    }
    format!("{{{}}}", members.join(","))
}

#[test]
fn c26n_no_request_panics_and_what_is_stored_reads_back() {
    let (mut queued, mut refused) = (0, 0);
    for seed in 1..=5_000_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut request = request(&mut dice);
        if dice.roll(8) == 0 {
            let cut = dice.roll(request.len());
            request.truncate((0..=cut).rev().find(|at| request.is_char_boundary(*at)).unwrap_or(0));
        }
        let Ok(reading) = reading(&request) else {
            refused += 1;
            continue;
        };
        let Ok(call) = reading.call else { continue };
        let stored = call.payload.to_json();
        assert!(!stored.contains('\0') && !stored.contains(r"\u0000"), "seed {seed}: {request}");
        assert!(Payload::from_json(&stored).is_ok_and(|read| read == call.payload), "seed {seed}: {request}");
        assert_eq!(call.fingerprint().len(), 32);
        queued += reading.devices.iter().filter(|device| device.registration.is_ok()).count();
    }
    assert!(queued > 500 && refused > 100, "{queued} queued and {refused} refused are no mixture");
}
