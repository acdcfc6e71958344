use super::{Hosts, WebPush};
use crate::app::{Apps, Platform};

/// The public key of RFC 8292's example.
const KEY: &str = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs";

fn parse(members: &str) -> Result<WebPush, String> {
    let json = format!(r#"{{"web":{{"platform":"webpush","key":"file:/vapid",{members}}}}}"#);
    let apps = Apps::parse(&json).map_err(|error| error.to_string())?;
    let Platform::WebPush(app) = &apps.iter().next().expect("one app").platform else { panic!("another platform") };
    Ok(app.clone())
}

fn app(members: &str) -> WebPush {
    parse(&format!(r#""subject":"mailto:push@example.com","public_key":"{KEY}"{members}"#)).expect("an app")
}

fn refused(app: &WebPush, url: &str) -> String {
    app.endpoint(url).expect_err(url).to_string()
}

#[test]
fn an_app_is_a_vapid_key_pair_and_by_default_the_big_services() {
    let app = app("");
    assert_eq!((app.public_key.as_str(), app.key.as_str(), app.base_url.as_deref()), (KEY, "file:/vapid", None));
    for url in [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAAA==",
        "https://web.push.apple.com/QAbc",
        "https://wns2-by3p.notify.windows.com/w/?token=BQY%2fa",
    ] {
        assert_eq!(app.endpoint(url).map(|endpoint| endpoint.url()).as_deref(), Ok(url));
    }
    let padded = format!(r#""subject":"https://example.com/contact","public_key":"{KEY}=""#);
    assert_eq!(parse(&padded).expect("an app").public_key, KEY);
}

#[test]
fn an_endpoint_is_written_in_one_way() {
    let app = app("");
    let url = |url| app.endpoint(url).expect("allowed").url();
    assert_eq!(url("https://FCM.googleapis.com:443/A?b"), "https://fcm.googleapis.com/A?b");
    assert_eq!(url("https://fcm.googleapis.com"), "https://fcm.googleapis.com/");
    assert_eq!(url("https://fcm.googleapis.com?a"), "https://fcm.googleapis.com/?a");
    let endpoint = app.endpoint("https://fcm.googleapis.com:443/CANARY").expect("allowed");
    assert_eq!(endpoint.origin(), "https://fcm.googleapis.com");
    assert!(!format!("{endpoint:?}").contains("CANARY"));
}

#[test]
fn c38_endpoint_addresses_that_are_refused() {
    let app = app("");
    let address = "must name its host, not an address";
    let unchanged = "must be the address a browser gave, unchanged";
    let hosts = "is of no push service that the app's hosts name";
    for (url, reason) in [
        ("http://fcm.googleapis.com/x", "must be an https:// address"),
        ("HTTPS://fcm.googleapis.com/x", "must be an https:// address"),
        ("fcm.googleapis.com/x", "must be an https:// address"),
        ("", "must be an https:// address"),
        ("https://fcm.googleapis.com:8080/x", "must be on port 443"),
        ("https://fcm.googleapis.com:/x", "must be on port 443"),
        ("https://fcm.googleapis.com:0443/x", "must be on port 443"),
        ("https://user@fcm.googleapis.com/x", "must not name a user"),
        ("https://fcm.googleapis.com@127.0.0.1/x", "must not name a user"),
        ("https://127.0.0.1/x", address),
        ("https://[::1]/x", address),
        ("https://[::1]:443/x", address),
        ("https://169.254.169.254/latest/meta-data/", address),
        ("https://100.64.0.1/x", address),
        ("https://[::ffff:10.0.0.1]/x", address),
        ("https://::ffff:10.0.0.1/x", address),
        ("https://2130706433/x", unchanged),
        ("https://0x7f.0.0.1/x", unchanged),
        ("https://127.1/x", unchanged),
        ("https://fcm.googleapis.com./x", unchanged),
        ("https:///x", unchanged),
        ("https://fcm.googleapis.com\\@evil.example/x", unchanged),
        ("https://fcm.googleapis.com/x#y", unchanged),
        ("https://fcm.googleapis.com/x y", unchanged),
        ("https://fcm.googleapis.com/\r\nx: y", unchanged),
        ("https://fcm.googleapis.com/é", unchanged),
        ("https://fcm.googleapis.com%2eevil.example/x", unchanged),
        ("https://localhost/x", hosts),
        ("https://evil.example/fcm.googleapis.com", hosts),
        ("https://fcm.googleapis.com.evil.example/x", hosts),
        ("https://notfcm.googleapis.com/x", hosts),
        ("https://push.apple.com/x", hosts),
        ("https://evilpush.apple.com/x", hosts),
    ] {
        assert_eq!(refused(&app, url), reason, "{url}");
    }
    let long = format!("https://fcm.googleapis.com/{}", "a".repeat(2048));
    assert_eq!(refused(&app, &long), unchanged);
}

#[test]
fn hosts_replace_the_big_services_and_a_star_stands_for_labels() {
    let app = app(r#","hosts":["Push.Example.com","*.sub.example.com"]"#);
    for host in ["push.example.com", "a.sub.example.com", "a.b.sub.example.com"] {
        assert!(app.endpoint(&format!("https://{host}/x")).is_ok(), "{host}");
    }
    for host in ["fcm.googleapis.com", "sub.example.com", "a.push.example.com", "asub.example.com"] {
        assert!(app.endpoint(&format!("https://{host}/x")).is_err(), "{host}");
    }
    assert_ne!(app.hosts, Hosts::default());
}

#[test]
fn hosts_are_names_and_no_doors() {
    let subject = format!(r#""subject":"mailto:push@example.com","public_key":"{KEY}""#);
    for hosts in
        ["[]", r#"["*"]"#, r#"["*.com"]"#, r#"["127.0.0.1"]"#, r#"["[::1]"]"#, r#"["a.b:8080"]"#, r#"["a*.b.c"]"#]
    {
        let fault = parse(&format!(r#"{subject},"hosts":{hosts}"#)).expect_err(hosts);
        assert!(fault.starts_with("web.hosts"), "{fault}");
    }
}

#[test]
fn the_simulated_service_is_on_this_machine_or_nowhere() {
    let subject = format!(r#""subject":"mailto:push@example.com","public_key":"{KEY}""#);
    for url in [
        "https://10.0.0.1:8443",
        "https://push.example.com",
        "https://localhost.example.com",
        "https://127.0.0.1.nip.io",
    ] {
        let fault = parse(&format!(r#"{subject},"base_url":"{url}""#)).expect_err(url);
        assert!(fault.starts_with("web.base_url: must be on this machine"), "{fault}");
    }
    let app = app(r#","base_url":"https://127.0.0.1:8443""#);
    let endpoint = app.endpoint("https://127.0.0.1:8443/push/1").expect("the simulated service");
    assert_eq!((endpoint.origin().as_str(), endpoint.port), ("https://127.0.0.1:8443", 8443));
    for other in ["https://127.0.0.1/x", "https://127.0.0.1:8444/x", "https://localhost:8443/x", "https://[::1]:8443/x"]
    {
        assert!(app.endpoint(other).is_err(), "{other}");
    }
}

#[test]
fn a_subject_is_an_address_that_can_exist() {
    let parse = |subject: &str| parse(&format!(r#""subject":"{subject}","public_key":"{KEY}""#));
    for real in ["mailto:push@example.com", "https://example.com", "https://example.com:8443/contact?x#y"] {
        assert!(parse(real).is_ok(), "{real}");
    }
    for made_up in [
        "mailto:push@localhost",
        "mailto:push@printer.local",
        "mailto:push@example.INVALID",
        "mailto:@example.com",
        "mailto:example.com",
        "mailto:<push@example.com>",
        "push@example.com",
        "http://example.com",
        "https://localhost",
        "https://localhost:8443",
        "https://10.0.0.1",
        "https://",
        "tel:123",
    ] {
        let fault = parse(made_up).expect_err(made_up);
        assert!(fault.starts_with("web.subject: must be mailto: or https:"), "{fault}");
    }
}

#[test]
fn a_public_key_is_a_point_on_the_curve() {
    let off_the_curve = format!("{}A", &KEY[..KEY.len() - 1]);
    let compressed = "Aw1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxH";
    for key in ["", "x y", "AAAA", compressed, &off_the_curve, &KEY[..80]] {
        let fault = parse(&format!(r#""subject":"https://example.com","public_key":"{key}""#)).expect_err(key);
        assert!(fault.starts_with("web.public_key: "), "{fault}");
    }
}
