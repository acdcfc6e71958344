//! The configured provider applications.
