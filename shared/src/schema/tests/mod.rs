#[cfg(feature = "reader")]
mod both;
mod fresh;
mod open;
mod page;
#[cfg(feature = "reader")]
pub(crate) mod request;
