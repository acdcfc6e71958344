//! The whole product on one machine.
