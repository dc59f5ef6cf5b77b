// The Console module.
