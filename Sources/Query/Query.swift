// The Query module.
