//! The provider bodies, built here so that enqueue measures exactly what drain sends.
