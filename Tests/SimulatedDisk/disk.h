#pragma once
#include <pthread.h>
#include <stddef.h>
#include <sys/types.h>

#include "simulated_disk.h"

/// Bytes of a file.
typedef struct {
  unsigned char *bytes;
  size_t count;
} image;

/// What was done to a file since it was synced, oldest first.
typedef struct change {
  struct change *next;
  int is_truncation;
  /// After a sync that failed: no later one brings it to the disk.
  int is_lost;
  size_t offset, count;
  unsigned char bytes[];
} change;

/// A file, whatever its name.
typedef struct node {
  struct node *next;
  ino_t number;
  image synced;
  change *first, **last;
} node;

/// A name in the folder: the file that it leads to, and the one that it leads to for sure.
typedef struct entry {
  struct entry *next;
  node *current, *durable;
  char path[];
} entry;

struct simulated_disk {
  simulated_disk *next;
  pthread_mutex_t lock;
  uint64_t random;
  /// Grows with each restart: what was opened before belongs to a computer that is no more.
  unsigned life;
  int is_off;
  /// Files that connections hold, of any life.
  int open;
  simulated_fault fault;
  uint64_t calls, at;
  node *nodes;
  entry *entries;
  size_t folder_length;
  char folder[];
};

/// Of the disk that a path lies on; NULL for the real one.
simulated_disk *disk_of(const char *path);
/// A call after the power went, or on a file from before a restart.
enum { simulated_dead = simulated_full + 1 };
/// Counts a call; answers what goes wrong with it, as a fault or `simulated_dead`. The lock is held.
int disk_call(simulated_disk *disk);
/// The file that was just opened under a name. The lock is held.
node *disk_opened(simulated_disk *disk, const char *path);
void disk_removed(simulated_disk *disk, const char *path);
void disk_wrote(node *file, const void *bytes, size_t count, size_t offset);
void disk_truncated(node *file, size_t count);
void disk_synced(node *file);
/// Of a sync that failed: each change is lost for good or can still be synced.
void disk_sync_failed(simulated_disk *disk, node *file);
/// All names lead where they lead now.
void disk_folder_synced(simulated_disk *disk);
