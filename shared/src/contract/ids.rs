//! The ids of the contract, one newtype each, so that a device can't be passed where an event is meant.

use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use crate::{limits::ID_LENGTH, schema::pattern};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(
            #[cfg_attr(feature = "schema", schemars(length(min = 1, max = ID_LENGTH), regex(pattern = pattern::NO_CONTROL)))]
            String,
        );

        impl $name {
            /// The id as it is stored.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<T: Into<String>> From<T> for $name {
            fn from(id: T) -> Self {
                Self(id.into())
            }
        }
    };
}

id! {
    /// One configured provider application, such as `ios-prod`.
    AppId
}
id! {
    /// One device as the product names it. Unique within an app.
    DeviceId
}
id! {
    /// One event of a source: what de-duplication and dismissal go by.
    EventId
}
id! {
    /// The product service that calls enqueue: the scope of event ids and of quotas.
    Source
}
