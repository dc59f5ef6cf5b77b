// The Report module.
