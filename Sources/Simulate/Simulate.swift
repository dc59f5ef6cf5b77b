// The Simulate module.
