use http::Request;

use super::*;

const DEVICE: &str = "/3/device/00ff";

fn refusal(path: &str, size: usize, headers: &[(&str, &str)]) -> Result<(), Refusal> {
    let mut request = Request::builder().method("POST").uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let parts = request.body(()).expect("a request").into_parts().0;
    check(&parts, &Asked::read(&parts), size, &["com.example.app".to_owned()])
}

#[test]
fn a_plain_request_passes() {
    let alert = [("apns-topic", "com.example.app"), ("apns-push-type", "alert"), ("apns-priority", "10")];
    assert_eq!(refusal(DEVICE, 4096, &alert), Ok(()));
}

#[test]
fn apples_reasons_are_given_for_what_apple_refuses() {
    let id = "5376656a-de45-526a-867b-a06f3e724f2f";
    let cases: [(&str, usize, &str, &str, u16, &str); 15] = [
        ("/3/devices/00ff", 1, "", "", 404, "BadPath"),
        ("/3/device/", 1, "", "", 400, "MissingDeviceToken"),
        ("/3/device/00f", 1, "", "", 400, "BadDeviceToken"),
        ("/3/device/00fg", 1, "", "", 400, "BadDeviceToken"),
        (DEVICE, 0, "", "", 400, "PayloadEmpty"),
        (DEVICE, 4097, "", "", 413, "PayloadTooLarge"),
        (DEVICE, 1, "apns-topic", "com.example.other", 400, "BadTopic"),
        (DEVICE, 1, "apns-push-type", "loud", 400, "InvalidPushType"),
        (DEVICE, 1, "apns-priority", "7", 400, "BadPriority"),
        (DEVICE, 1, "apns-push-type", "background", 400, "BadPriority"),
        (DEVICE, 1, "apns-expiration", "tomorrow", 400, "BadExpirationDate"),
        (DEVICE, 1, "apns-expiration", "1767225900000", 400, "BadExpirationDate"),
        (DEVICE, 1, "apns-id", &id.to_uppercase(), 400, "BadMessageId"),
        (DEVICE, 1, "apns-collapse-id", &"c".repeat(65), 400, "BadCollapseId"),
        (DEVICE, 1, "apns-id", id, 200, ""),
    ];
    for (path, size, name, value, status, reason) in cases {
        let mut headers = vec![("apns-topic", "com.example.app"), ("apns-push-type", "alert"), ("apns-priority", "10")];
        headers.retain(|(kept, _)| *kept != name);
        headers.extend((!name.is_empty()).then_some((name, value)));
        let expected = if status == 200 { Ok(()) } else { Err((status, reason)) };
        let refused = refusal(path, size, &headers).map_err(|Refusal(status, reason)| (status, reason));
        assert_eq!(refused, expected, "{path} {size} {name}: {value}");
    }
    assert_eq!(refusal(DEVICE, 1, &[("apns-push-type", "alert")]), Err(Refusal(400, "MissingTopic")));
    let twice = [("apns-topic", "com.example.app"), ("apns-topic", "com.example.app")];
    assert_eq!(refusal(DEVICE, 1, &twice), Err(Refusal(400, "DuplicateHeaders")));
}
