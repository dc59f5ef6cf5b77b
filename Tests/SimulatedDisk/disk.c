#include "disk.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { sector = 512 };
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static simulated_disk *all;

static uint64_t roll(simulated_disk *disk) {
  uint64_t mixed = disk->random += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

// MARK: disks

simulated_disk *simulated_disk_make(const char *folder, uint64_t seed) {
  size_t length = strlen(folder);
  simulated_disk *disk = calloc(1, sizeof(simulated_disk) + length + 1);
  pthread_mutex_init(&disk->lock, NULL);
  disk->random = seed;
  disk->folder_length = length;
  memcpy(disk->folder, folder, length);
  pthread_mutex_lock(&all_lock);
  disk->next = all;
  all = disk;
  pthread_mutex_unlock(&all_lock);
  return disk;
}

simulated_disk *disk_of(const char *path) {
  const char *name = path ? strrchr(path, '/') : NULL;
  if (!name) return NULL;
  pthread_mutex_lock(&all_lock);
  simulated_disk *disk = all;
  while (disk && !(disk->folder_length == (size_t)(name - path) && !memcmp(disk->folder, path, name - path)))
    disk = disk->next;
  pthread_mutex_unlock(&all_lock);
  return disk;
}

static void forget(change **first) {
  while (*first) {
    change *next = (*first)->next;
    free(*first);
    *first = next;
  }
}

void simulated_disk_end(simulated_disk *disk) {
  pthread_mutex_lock(&all_lock);
  simulated_disk **place = &all;
  while (*place != disk) place = &(*place)->next;
  *place = disk->next;
  pthread_mutex_unlock(&all_lock);
  pthread_mutex_lock(&disk->lock);
  disk->life++;
  for (node *file = disk->nodes; file; file = file->next) {
    forget(&file->first);
    free(file->synced.bytes);
    file->synced = (image){0};
  }
  // The rest stays: somebody may still close a file.
  pthread_mutex_unlock(&disk->lock);
}

void simulated_disk_plan(simulated_disk *disk, simulated_fault fault, uint64_t call) {
  pthread_mutex_lock(&disk->lock);
  disk->fault = fault;
  disk->at = call;
  disk->calls = 0;
  pthread_mutex_unlock(&disk->lock);
}

int disk_call(simulated_disk *disk) {
  if (disk->is_off) return simulated_dead;
  if (++disk->calls != disk->at) return simulated_nothing;
  if (disk->fault == simulated_power) disk->is_off = 1;
  return disk->fault;
}

void simulated_disk_go_off(simulated_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  disk->is_off = 1;
  pthread_mutex_unlock(&disk->lock);
}

int simulated_disk_is_off(simulated_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  int is_off = disk->is_off;
  pthread_mutex_unlock(&disk->lock);
  return is_off;
}

int simulated_disk_open_files(simulated_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  int open = disk->open;
  pthread_mutex_unlock(&disk->lock);
  return open;
}

uint64_t simulated_disk_calls(simulated_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  uint64_t calls = disk->calls;
  pthread_mutex_unlock(&disk->lock);
  return calls;
}

// MARK: names

static entry *entry_of(simulated_disk *disk, const char *path) {
  for (entry *one = disk->entries; one; one = one->next)
    if (!strcmp(one->path, path)) return one;
  entry *made = calloc(1, sizeof(entry) + strlen(path) + 1);
  strcpy(made->path, path);
  made->next = disk->entries;
  return disk->entries = made;
}

static node *node_make(simulated_disk *disk, ino_t number) {
  node *made = calloc(1, sizeof(node));
  made->number = number;
  made->last = &made->first;
  made->next = disk->nodes;
  return disk->nodes = made;
}

static ino_t number_of(const char *path) {
  struct stat found;
  return stat(path, &found) ? 0 : found.st_ino;
}

node *disk_opened(simulated_disk *disk, const char *path) {
  entry *name = entry_of(disk, path);
  ino_t number = number_of(path);
  // Renamed or removed by others than SQLite meanwhile: another file.
  if (!name->current || name->current->number != number) name->current = node_make(disk, number);
  return name->current;
}

void disk_removed(simulated_disk *disk, const char *path) { entry_of(disk, path)->current = NULL; }

void disk_folder_synced(simulated_disk *disk) {
  for (entry *name = disk->entries; name; name = name->next) name->durable = name->current;
}

// MARK: contents

static change *add(node *file, size_t offset, size_t count) {
  change *made = calloc(1, sizeof(change) + count);
  made->offset = offset;
  made->count = count;
  *file->last = made;
  file->last = &made->next;
  return made;
}

void disk_wrote(node *file, const void *bytes, size_t count, size_t offset) {
  memcpy(add(file, offset, count)->bytes, bytes, count);
}

void disk_truncated(node *file, size_t count) { add(file, count, 0)->is_truncation = 1; }

static void resize(image *made, size_t count) {
  made->bytes = realloc(made->bytes, count + 1);
  if (count > made->count) memset(made->bytes + made->count, 0, count - made->count);
  made->count = count;
}

static void put(image *made, const change *one, size_t from, size_t to) {
  if (from >= to) return;
  if (one->offset + to > made->count) resize(made, one->offset + to);
  memcpy(made->bytes + one->offset + from, one->bytes + from, to - from);
}

static void apply(image *made, const change *one) {
  if (one->is_truncation) resize(made, one->offset);
  else put(made, one, 0, one->count);
}

void disk_synced(node *file) {
  for (change *one = file->first; one; one = one->next)
    if (!one->is_lost) apply(&file->synced, one);
  forget(&file->first);
  file->last = &file->first;
}

void disk_sync_failed(simulated_disk *disk, node *file) {
  for (change *one = file->first; one; one = one->next) one->is_lost |= roll(disk) & 1;
}

// MARK: the power goes

/// Each sector by itself.
static void apply_torn(simulated_disk *disk, image *made, const change *one) {
  for (size_t from = 0; from < one->count;) {
    size_t to = from + sector - (one->offset + from) % sector;
    if (to > one->count) to = one->count;
    if (roll(disk) & 1) put(made, one, from, to);
    from = to;
  }
}

/// What is left of a file. A restart keeps to one temper: nothing unsynced, all of it, or each change by itself.
static void settle(simulated_disk *disk, node *file, unsigned temper) {
  for (change *one = file->first; one; one = one->next) {
    if (one->is_lost || temper == 0) continue;
    unsigned fate = temper == 1 ? 0 : roll(disk) % 3;
    if (fate == 0) apply(&file->synced, one);
    else if (fate == 1 && !one->is_truncation) apply_torn(disk, &file->synced, one);
  }
  forget(&file->first);
  file->last = &file->first;
}

static void write_whole(const char *path, const image *kept) {
  int file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
  for (size_t done = 0; file >= 0 && done < kept->count;) {
    ssize_t written = write(file, kept->bytes + done, kept->count - done);
    if (written <= 0) abort();
    done += (size_t)written;
  }
  if (file < 0) abort();
  close(file);
}

static void restart(simulated_disk *disk, entry *name, unsigned temper) {
  if (name->current && number_of(name->path) != name->current->number) name->current = name->durable = NULL;
  node *kept = roll(disk) & 1 ? name->current : name->durable;
  if (name->current) unlink(name->path);
  if (kept) {
    settle(disk, kept, temper);
    write_whole(name->path, &kept->synced);
    kept->number = number_of(name->path);
  }
  name->current = name->durable = kept;
}

void simulated_disk_restart(simulated_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  unsigned temper = roll(disk) % 4;
  disk->life++;
  disk->is_off = disk->at = 0;
  for (entry *name = disk->entries; name; name = name->next) {
    restart(disk, name, temper);
    // Memory that processes shared.
    char *shared = malloc(strlen(name->path) + 5);
    strcat(strcpy(shared, name->path), "-shm");
    unlink(shared);
    free(shared);
  }
  pthread_mutex_unlock(&disk->lock);
}
