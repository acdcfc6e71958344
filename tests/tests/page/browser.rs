//! The page in a real browser, which `.ci/run` has installed.

use std::path::PathBuf;
use std::time::Duration;

use tokio::time::{interval, timeout};

use crate::Served;
use crate::chromium::Window;
use crate::traffic::{CONTENT, start, wave};

const DESKTOP: Window = Window { name: "desktop", width: 1280, height: 1900, dark: false };
const DARK: Window = Window { name: "dark", dark: true, ..DESKTOP };
const PHONE: Window = Window { name: "phone", width: 390, height: 2600, dark: false };
/// Before the first look, so that the charts have something to draw.
const WARM: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium, which `.ci/run` installs before it runs this"]
async fn a_browser_shows_a_stack_under_load_refreshes_by_itself_and_fits_a_phone() {
    let served = start().await;
    let mut n = 0;
    let mut ticks = interval(Duration::from_millis(250));
    let mut waves = async |served: &Served| {
        loop {
            ticks.tick().await;
            wave(served, n).await;
            n += 1;
        }
    };
    // They never end by themselves.
    let _ = timeout(WARM, waves(&served)).await;
    served.shows("/", &["android</b> is paused"]).await;
    let look = async {
        let url = served.serving.url().to_owned();
        for window in [DESKTOP, PHONE] {
            let dom = window.dom(&format!("{url}/")).await;
            check(&dom);
        }
        for window in [DESKTOP, DARK, PHONE] {
            window.screenshot(&format!("{url}/"), &picture(&format!("overview-{}", window.name))).await;
        }
        for window in [DESKTOP, PHONE] {
            let (event, device) = (
                format!("{url}/event?source=orders&event=order-3-shipped"),
                format!("{url}/device?device=user-11-phone"),
            );
            let dom = window.dom(&event).await;
            assert!(dom.contains("data-refreshed=") && dom.contains("user-"), "{dom}");
            assert!(!dom.contains(CONTENT));
            window.screenshot(&event, &picture(&format!("event-{}", window.name))).await;
            window.screenshot(&device, &picture(&format!("device-{}", window.name))).await;
        }
    };
    tokio::select! {
        () = look => {}
        () = waves(&served) => {}
    }
    served.stop().await;
}

/// What the document holds after its script has refreshed it.
fn check(dom: &str) {
    assert!(dom.contains("data-refreshed="), "it did not refresh: {dom}");
    for expected in [
        "android</b> is paused: <b>UNAVAILABLE</b>",
        "step 1",
        "class=\"line c1\"",
        "delivered</span>",
        "Unregistered",
        "PayloadTooLarge",
        "TooManyRequests",
        "drains run",
        "retry, hop 1",
        "recruit, hop 1",
        "/event?event=order-",
        "/device?app=ios-prod&amp;hash=",
    ] {
        assert!(dom.contains(expected), "no {expected} in {dom}");
    }
    assert!(!dom.contains(CONTENT), "content is shown");
}

fn picture(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("page");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(format!("{name}.png"))
}
