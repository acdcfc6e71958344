//! The function of every minute: prunes, then tops the wakes up from the database.
