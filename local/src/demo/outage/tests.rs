use super::*;

fn outage(text: &str) -> Outage {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn an_outage_is_read() {
    let (from, to) = (Duration::from_secs(2), Duration::from_secs(6));
    let expected = Outage { provider: Provider::Apns, answer: Answer::Status(503), from, to };
    assert_eq!(outage("apns=503@2s..6s"), expected);
    let hangs = outage("webpush=hang@500ms..1.5s");
    assert_eq!((hangs.provider, hangs.answer, hangs.from), (Provider::WebPush, Answer::Hang, from / 4));
    for text in ["fcm=close@0s..1s", "fcm=refuse@0s..1s", "fcm=429@0s..1s", "webpush=401@0s..1s", "apns=599@0s..10ms"] {
        assert_eq!(format!("{}", outage(text).answer), text[text.find('=').unwrap() + 1..text.find('@').unwrap()]);
    }
}

#[test]
fn what_is_wrong_is_said_with_an_example() {
    for (wrong, expected) in [
        ("", "expected PROVIDER=WHAT@FROM..TO, as in apns=503@2s..6s"),
        ("apns", "expected PROVIDER=WHAT@FROM..TO"),
        ("apns=503", "expected @FROM..TO at the end, as in apns=503@2s..6s"),
        ("apns=503@2s", "expected two times, FROM..TO"),
        ("apns=503@2..6s", "no time '2': expected a number with a unit, such as 100ms or 1.5s"),
        ("apns=503@2s..", "no time '': expected a number with a unit"),
        ("gcm=503@2s..6s", "no provider 'gcm': expected apns, fcm or webpush"),
        ("APNS=503@2s..6s", "no provider 'APNS'"),
        ("apns=410@2s..6s", "410 is not how a provider fails as a whole"),
        ("apns=200@2s..6s", "200 is not how"),
        ("apns=slow@2s..6s", "no answer 'slow': expected a status such as 503, or hang, close or refuse"),
        ("apns=600@2s..6s", "no answer '600'"),
        ("apns=@2s..6s", "no answer ''"),
        ("apns=503@6s..2s", "it has to start before it ends"),
        ("apns=503@6s..6s", "it has to start before it ends"),
        ("apns=503@2s..601s", "it has to end within 600 s"),
    ] {
        let said = wrong.parse::<Outage>().expect_err(wrong);
        assert!(said.contains(expected), "{wrong}: {said}");
    }
}

#[test]
fn only_outages_of_one_provider_overlap() {
    let first = outage("apns=503@2s..6s");
    for (other, overlaps) in [
        ("apns=429@5s..7s", true),
        ("apns=429@1s..9s", true),
        ("apns=429@6s..7s", false),
        ("apns=429@1s..2s", false),
        ("fcm=503@2s..6s", false),
    ] {
        assert_eq!(first.overlaps(&outage(other)), overlaps, "{other}");
        assert_eq!(outage(other).overlaps(&first), overlaps, "{other}");
    }
}

#[test]
fn only_a_closed_connection_loses_an_answer_that_was_given() {
    let start = Instant::now();
    let at = |seconds| start + Duration::from_secs(seconds);
    let closes = outage("fcm=close@3s..6s");
    let lost: Vec<u64> = (0..12).filter(|&seconds| closes.loses_answer(start, at(seconds))).collect();
    assert_eq!(lost, [2, 3, 4, 5, 6, 7]);
    assert!(!outage("fcm=hang@3s..6s").loses_answer(start, at(4)));
}
