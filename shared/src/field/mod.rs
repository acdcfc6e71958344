//! Reads JSON field by field, so that every fault names its field.
//!
//! Members stay raw until their own field is read: a lone surrogate, a number out of range or a wrong type in one
//! of them is that field's fault, and the rest can still be read. No fault ever repeats a value.

mod bytes;
mod fault;
mod object;
mod scalar;
mod value;

pub use fault::Fault;
pub(crate) use object::{Field, Object, member};
