//! The configured provider applications.
//!
//! `PUSHWAKE_APPS` is one JSON object, app id to settings. All of it may be seen by enqueue: a key stands there as a
//! reference only, and what it points to is read by drain.

mod apns;
mod fcm;
mod read;
#[cfg(test)]
mod tests;
pub mod webpush;

use std::collections::BTreeMap;

pub use apns::{Apns, Environment};
pub use fcm::Fcm;
pub use read::AppsError;
pub use webpush::WebPush;

use crate::contract::AppId;

/// Every configured app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Apps(BTreeMap<AppId, App>);

impl Apps {
    /// The app called `id`.
    pub fn find(&self, id: &AppId) -> Option<&App> {
        self.0.get(id)
    }

    /// Every app, by id.
    pub fn iter(&self) -> impl Iterator<Item = &App> {
        self.0.values()
    }

    /// Every app's id.
    pub fn ids(&self) -> impl Iterator<Item = &AppId> {
        self.0.keys()
    }
}

/// One configured app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct App {
    /// What devices call it.
    pub id: AppId,
    /// Its provider, with what that provider needs.
    pub platform: Platform,
}

/// A provider, with the settings of one app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Apple's.
    Apns(Apns),
    /// Google's.
    Fcm(Fcm),
    /// A browser's.
    WebPush(WebPush),
}

impl Platform {
    /// As configured, and as in the contract's `raw`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Apns(_) => "apns",
            Self::Fcm(_) => "fcm",
            Self::WebPush(_) => "webpush",
        }
    }

    /// Where the key is kept that its sends are signed with.
    pub fn key(&self) -> &str {
        match self {
            Self::Apns(apns) => &apns.key,
            Self::Fcm(fcm) => &fcm.key,
            Self::WebPush(webpush) => &webpush.key,
        }
    }
}
