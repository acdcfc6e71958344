//! The function a wake starts: claims the heads of free lanes, sends them, finishes them in batches.
