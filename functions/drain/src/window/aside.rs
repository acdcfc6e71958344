//! Places aside from the window.
//!
//! An app whose provider takes requests and answers none would hold every place until its sends are given up, and no
//! other app would be sent for meanwhile. So a window that has been without room for a while has a quarter of its places
//! again, for apps that hold less than their share. In an ordinary window, which turns over, they are never used.

use pushwake::contract::AppId;
use pushwake::limits::WINDOW_STALLED;
use tokio::time::Instant;

use super::Window;

impl Window {
    /// Notes whether there is room.
    pub fn look(&mut self, now: Instant) {
        if self.has_room() {
            self.stuck = None;
        } else {
            self.stuck.get_or_insert(now);
        }
    }

    /// The apps of `apps` that may claim although there is no room, and how many places they get.
    pub fn aside(&self, apps: &[AppId], now: Instant) -> Option<(Vec<AppId>, usize)> {
        if self.aside_at(apps)? > now {
            return None;
        }
        let n = (self.places + self.quarter()).saturating_sub(self.sending.len()).min(self.quarter());
        // As with the window itself: one place at a time would cost a claim each.
        let apps = self.below_share(apps);
        (n > 0 && 2 * n >= self.quarter()).then_some((apps, n))
    }

    /// When [`Window::aside`] is worth asking, unless there is room before. An app that is alone keeps nobody waiting.
    pub fn aside_at(&self, apps: &[AppId]) -> Option<Instant> {
        let stalled = self.stuck.filter(|_| apps.len() > 1)? + WINDOW_STALLED;
        let room = self.unfinished.len() + self.finishing < self.places;
        (room && !self.below_share(apps).is_empty()).then_some(stalled)
    }

    fn below_share(&self, apps: &[AppId]) -> Vec<AppId> {
        let held = |app: &AppId| self.sending.values().filter(|attempt| attempt.lease.app == *app).count();
        apps.iter().filter(|app| held(app) * apps.len() < self.places).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use tokio::task::JoinSet;

    use super::*;
    use crate::attempt::tests::attempt;

    const PLACES: usize = 8;

    fn hold(window: &mut Window, sends: &mut JoinSet<()>, app: &AppId, n: i64) {
        for head in 0..n {
            let mut attempt = attempt(head);
            attempt.lease.app = app.clone();
            window.sending(sends.spawn(std::future::pending()).id(), attempt);
        }
    }

    #[tokio::test]
    async fn in_a_window_that_one_app_has_held_for_a_while_the_others_get_a_quarter_aside() {
        let (silent, other) = (AppId::from("silent"), AppId::from("other"));
        let (apps, now) = ([silent.clone(), other.clone()], Instant::now());
        let (mut window, mut sends) = (Window::new(PLACES), JoinSet::new());
        window.look(now);
        assert_eq!(window.aside_at(&apps), None, "there is room");
        hold(&mut window, &mut sends, &silent, PLACES as i64);
        window.look(now);
        assert_eq!((window.aside(&apps, now), window.aside_at(&apps)), (None, Some(now + WINDOW_STALLED)));
        let later = now + WINDOW_STALLED;
        window.look(later);
        assert_eq!(window.aside(&apps, later), Some((vec![other.clone()], 2)));
        assert_eq!(window.aside(&apps[..1], later), None, "nobody else is there");
        hold(&mut window, &mut sends, &other, 2);
        assert_eq!(window.aside(&apps, later), None, "they are taken");
    }

    #[tokio::test]
    async fn an_app_that_is_alone_stays_within_the_window_however_slow_it_is() {
        let (slow, now) = (AppId::from("slow"), Instant::now());
        let (mut window, mut sends) = (Window::new(PLACES), JoinSet::new());
        hold(&mut window, &mut sends, &slow, PLACES as i64 - 1);
        window.look(now);
        assert!(!window.has_room(), "one place is no quarter");
        assert_eq!(window.aside(&[slow], now + WINDOW_STALLED), None);
    }

    #[tokio::test]
    async fn a_window_that_turns_over_has_no_places_aside() {
        let (busy, other) = (AppId::from("busy"), AppId::from("other"));
        let (mut window, mut sends, now) = (Window::new(PLACES), JoinSet::new(), Instant::now());
        hold(&mut window, &mut sends, &busy, PLACES as i64);
        window.look(now);
        let id = *window.sending.keys().next().expect("a send");
        let second = *window.sending.keys().nth(1).expect("a send");
        window.answered(id);
        window.answered(second);
        window.look(now + WINDOW_STALLED);
        assert_eq!(window.aside_at(&[busy, other]), None);
    }
}
