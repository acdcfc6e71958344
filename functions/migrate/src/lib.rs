//! The function of the deploy: applies migrations/ before the other functions update.
