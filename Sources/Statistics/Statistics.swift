// The Statistics module.
