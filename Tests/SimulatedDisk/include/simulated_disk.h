// A disk on which the power goes, below SQLite: what was written and not synced is there afterwards in part, in any
// combination of sectors, and so are names that were made or removed since their folder was synced.
//
// Once installed it is SQLite's default way to files; only those in a folder that was named are simulated. These lie in the
// real folder as programs see them; a restart after the power went writes what the disk kept in their place.
#pragma once
#include <stdint.h>

typedef struct simulated_disk simulated_disk;

/// What goes wrong at a call, once.
typedef enum {
  simulated_nothing,
  simulated_power,  // this call and all after it fail until the restart
  simulated_error,  // EIO; a sync that fails may have lost what it was to sync, for good
  simulated_full,   // ENOSPC where something is written, EIO elsewhere
} simulated_fault;

/// Makes it known to SQLite; again does nothing.
void simulated_disk_install(void);
/// - Parameter folder: an absolute path; its files, not those of folders below.
simulated_disk *simulated_disk_make(const char *folder, uint64_t seed);
/// Nothing of it may be used afterwards; what is still open fails.
void simulated_disk_end(simulated_disk *disk);
/// - Parameter call: counted from now, the next one is 1.
void simulated_disk_plan(simulated_disk *disk, simulated_fault fault, uint64_t call);
/// The power goes now: every call fails until the restart.
void simulated_disk_go_off(simulated_disk *disk);
/// Whether the power is gone.
int simulated_disk_is_off(simulated_disk *disk);
/// Files that connections still hold. Other threads must have closed theirs before a restart: a computer that is no more
/// removes no file of the next one.
int simulated_disk_open_files(simulated_disk *disk);
/// Calls since the last plan.
uint64_t simulated_disk_calls(simulated_disk *disk);
/// The power goes now, unless it has, and comes back. Every connection from before must be closed, or fails.
void simulated_disk_restart(simulated_disk *disk);
