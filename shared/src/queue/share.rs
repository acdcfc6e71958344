//! How the places of one claim are shared between apps, and between old rows and fresh ones.

use crate::contract::AppId;
use crate::limits::OLD_SHARE;

/// What one claim asks of one app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) app: String,
    /// Places for rows older than the TTL, as long as there are any.
    pub(super) old: i32,
    /// Places in all.
    pub(super) n: i32,
}

/// The apps, starting with another one at every turn, so that none is always served last.
pub(super) fn rotated(apps: &[AppId], turn: u32) -> Vec<String> {
    let start = if apps.is_empty() { 0 } else { turn as usize % apps.len() };
    apps[start..].iter().chain(&apps[..start]).map(|app| app.as_str().to_owned()).collect()
}

/// Splits `n` places over the apps, the first ones taking what does not divide.
pub(super) fn split(apps: &[String], n: usize, turn: u32) -> Vec<Share> {
    let Some(each) = n.checked_div(apps.len()) else { return Vec::new() };
    let more = n % apps.len();
    apps.iter()
        .enumerate()
        .map(|(place, app)| (app, each + usize::from(place < more)))
        .filter(|(_, n)| *n > 0)
        .map(|(app, n)| Share { app: app.clone(), old: old(n, turn), n: n as i32 })
        .collect()
}

/// The second pass: the places that are `left`, over the apps that may still have something due.
pub(super) fn left_over(
    apps: &[String],
    first: &[Share],
    leased: &[(&str, bool)],
    left: usize,
    turn: u32,
) -> Vec<Share> {
    let asked = |app: &str| first.iter().find(|share| share.app == app);
    let taken = |app: &str| leased.iter().filter(|(of, _)| *of == app).count() as i32;
    let taken_old = |app: &str| leased.iter().filter(|(of, old)| *of == app && *old).count() as i32;
    let may_have_more =
        |app: &&String| asked(app).is_some_and(|share| taken(app) >= share.n || taken_old(app) >= share.old);
    let (not_asked, others): (Vec<&String>, Vec<&String>) = apps.iter().partition(|app| asked(app).is_none());
    let hopeful: Vec<String> = not_asked.into_iter().chain(others.into_iter().filter(may_have_more)).cloned().collect();
    let mut shares = split(&hopeful, left, turn);
    for share in &mut shares {
        // its fresh rows are used up, so the rest is for old ones
        if asked(&share.app).is_some_and(|before| taken(&share.app) < before.n) {
            share.old = share.n;
        }
    }
    shares
}

/// An eighth, rounded up. A single place can't be divided: it is the old rows' at one turn in eight.
fn old(n: usize, turn: u32) -> i32 {
    match n {
        1 => i32::from((turn as usize).is_multiple_of(OLD_SHARE)),
        n => n.div_ceil(OLD_SHARE) as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apps(n: usize) -> Vec<String> {
        (0..n).map(|app| format!("app-{app}")).collect()
    }

    fn places(shares: &[Share]) -> Vec<(i32, i32)> {
        shares.iter().map(|share| (share.n, share.old)).collect()
    }

    #[test]
    fn an_eighth_rounded_up_is_for_old_rows() {
        assert_eq!(places(&split(&apps(1), 84, 1)), [(84, 11)]);
        assert_eq!(places(&split(&apps(3), 8, 1)), [(3, 1), (3, 1), (2, 1)]);
    }

    #[test]
    fn a_single_place_is_for_old_rows_at_one_turn_in_eight() {
        let old = (0..16).filter(|turn| split(&apps(1), 1, *turn)[0].old == 1).count();
        assert_eq!(old, 2);
    }

    #[test]
    fn the_apps_take_turns_at_being_first() {
        let ids: Vec<AppId> = apps(3).into_iter().map(AppId::from).collect();
        let first: Vec<String> = (0..4).map(|turn| rotated(&ids, turn)[0].clone()).collect();
        assert_eq!(first, ["app-0", "app-1", "app-2", "app-0"]);
        assert!(rotated(&[], 7).is_empty());
    }

    #[test]
    fn what_is_left_goes_to_apps_that_came_back_full() {
        let apps = apps(2);
        let first = split(&apps, 16, 1);
        let full = vec![("app-0", false); 8];
        assert_eq!(
            left_over(&apps, &first, &full, 8, 1),
            [Share { app: "app-0".into(), old: 1, n: 8 }],
            "app-1 has nothing fresh and nothing old"
        );
    }

    #[test]
    fn where_the_fresh_rows_end_the_rest_goes_to_old_ones() {
        let apps = apps(1);
        let first = split(&apps, 16, 1);
        assert_eq!(places(&left_over(&apps, &first, &[("app-0", true), ("app-0", true)], 14, 1)), [(14, 14)]);
        assert!(left_over(&apps, &first, &[("app-0", true)], 15, 1).is_empty(), "one old row was all there was");
    }

    #[test]
    fn an_app_that_got_no_place_is_asked_in_the_second_pass() {
        let apps = apps(3);
        let first = split(&apps, 2, 1);
        assert_eq!(first.len(), 2);
        let second = left_over(&apps, &first, &[], 2, 1);
        assert_eq!(second[0].app, "app-2", "before those whose old rows were not looked at");
        assert_eq!(places(&second), [(1, 0), (1, 1)]);
    }
}
