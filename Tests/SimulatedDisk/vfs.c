// The simulated disk as SQLite sees it: every call goes to the real file, and is noted or fails.
#include <sqlite3.h>
#include <string.h>

#include "disk.h"

typedef struct {
  sqlite3_file base;
  simulated_disk *disk;
  node *node;
  unsigned life;
  /// The first sync also syncs the folder, as of a new journal or log.
  int syncs_folder;
  sqlite3_file real[];
} simulated_file;

static sqlite3_vfs *real;
#define FILE_OF(file) ((simulated_file *)(file))
#define REAL(file) (FILE_OF(file)->real)
#define PASS(call, ...) REAL(file)->pMethods->call(REAL(file), ##__VA_ARGS__)

/// What goes wrong with a call on a file; the lock is held afterwards.
static int begin(simulated_file *file) {
  pthread_mutex_lock(&file->disk->lock);
  return file->life == file->disk->life ? disk_call(file->disk) : simulated_dead;
}
static int end(simulated_file *file, int code) {
  pthread_mutex_unlock(&file->disk->lock);
  return code;
}
static int is_dead(simulated_file *file) {
  pthread_mutex_lock(&file->disk->lock);
  return end(file, file->disk->is_off || file->life != file->disk->life);
}

static int close_file(sqlite3_file *file) {
  int code = PASS(xClose);
  pthread_mutex_lock(&FILE_OF(file)->disk->lock);
  FILE_OF(file)->disk->open--;
  return end(FILE_OF(file), code);
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  if (begin(FILE_OF(file))) return end(FILE_OF(file), SQLITE_IOERR_READ);
  return end(FILE_OF(file), PASS(xRead, bytes, count, offset));
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int fault = begin(FILE_OF(file));
  // Of what is written as the power goes some may be there.
  if (fault == simulated_nothing || fault == simulated_power)
    disk_wrote(FILE_OF(file)->node, bytes, (size_t)count, (size_t)offset);
  if (fault) return end(FILE_OF(file), fault == simulated_full ? SQLITE_FULL : SQLITE_IOERR_WRITE);
  return end(FILE_OF(file), PASS(xWrite, bytes, count, offset));
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 count) {
  if (begin(FILE_OF(file))) return end(FILE_OF(file), SQLITE_IOERR_TRUNCATE);
  disk_truncated(FILE_OF(file)->node, (size_t)count);
  return end(FILE_OF(file), PASS(xTruncate, count));
}

static int sync_file(sqlite3_file *file, int flags) {
  (void)flags;
  int fault = begin(FILE_OF(file));
  if (fault == simulated_error || fault == simulated_full) disk_sync_failed(FILE_OF(file)->disk, FILE_OF(file)->node);
  if (fault) return end(FILE_OF(file), SQLITE_IOERR_FSYNC);
  disk_synced(FILE_OF(file)->node);
  if (FILE_OF(file)->syncs_folder) disk_folder_synced(FILE_OF(file)->disk);
  FILE_OF(file)->syncs_folder = 0;
  return end(FILE_OF(file), SQLITE_OK);
}

static int size_of_file(sqlite3_file *file, sqlite3_int64 *count) {
  if (begin(FILE_OF(file))) return end(FILE_OF(file), SQLITE_IOERR_FSTAT);
  return end(FILE_OF(file), PASS(xFileSize, count));
}

static int lock_file(sqlite3_file *file, int kind) {
  return is_dead(FILE_OF(file)) ? SQLITE_IOERR_LOCK : PASS(xLock, kind);
}
static int unlock_file(sqlite3_file *file, int kind) { return PASS(xUnlock, kind); }
static int is_reserved(sqlite3_file *file, int *found) { return PASS(xCheckReservedLock, found); }

static int control_file(sqlite3_file *file, int kind, void *argument) {
  // Room that is set aside ahead would be written by nobody.
  return kind == SQLITE_FCNTL_SIZE_HINT ? SQLITE_OK : PASS(xFileControl, kind, argument);
}

static int sector_size(sqlite3_file *file) { return PASS(xSectorSize); }
static int characteristics(sqlite3_file *file) { return PASS(xDeviceCharacteristics); }

static int map_shared(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
  return is_dead(FILE_OF(file)) ? SQLITE_IOERR_SHMMAP : PASS(xShmMap, region, size, extends, memory);
}
static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  if (flags & SQLITE_SHM_LOCK && is_dead(FILE_OF(file))) return SQLITE_IOERR_SHMLOCK;
  return PASS(xShmLock, offset, count, flags);
}
static void shared_barrier(sqlite3_file *file) { PASS(xShmBarrier); }
static int unmap_shared(sqlite3_file *file, int removes) { return PASS(xShmUnmap, is_dead(FILE_OF(file)) ? 0 : removes); }

static const sqlite3_io_methods methods = {
    2, close_file, read_file, write_file, truncate_file, sync_file, size_of_file, lock_file, unlock_file, is_reserved,
    control_file, sector_size, characteristics, map_shared, lock_shared, shared_barrier, unmap_shared, 0, 0,
};

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *outcome) {
  (void)vfs;
  simulated_disk *disk = disk_of(path);
  // The real file itself: nothing here is asked again.
  if (!disk) return real->xOpen(real, path, file, flags, outcome);
  memset(file, 0, sizeof(simulated_file));
  FILE_OF(file)->disk = disk;
  pthread_mutex_lock(&disk->lock);
  if (disk_call(disk)) return end(FILE_OF(file), SQLITE_CANTOPEN);
  int kinds = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL, is_there = 0;
  real->xAccess(real, path, SQLITE_ACCESS_EXISTS, &is_there);
  int code = real->xOpen(real, path, REAL(file), flags, outcome);
  if (code != SQLITE_OK) {
    // Then SQLite closes it only where it has methods.
    if (REAL(file)->pMethods) PASS(xClose);
    return end(FILE_OF(file), code);
  }
  FILE_OF(file)->node = disk_opened(disk, path);
  FILE_OF(file)->life = disk->life;
  disk->open++;
  FILE_OF(file)->syncs_folder = !is_there && (flags & SQLITE_OPEN_CREATE) && (flags & kinds);
  file->pMethods = &methods;
  return end(FILE_OF(file), SQLITE_OK);
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
  (void)vfs;
  simulated_disk *disk = disk_of(path);
  if (!disk) return real->xDelete(real, path, syncs_folder);
  pthread_mutex_lock(&disk->lock);
  int code = SQLITE_IOERR_DELETE;
  if (!disk_call(disk)) {
    code = real->xDelete(real, path, 0);
    if (code == SQLITE_OK) disk_removed(disk, path);
    if (code == SQLITE_OK && syncs_folder) disk_folder_synced(disk);
  }
  pthread_mutex_unlock(&disk->lock);
  return code;
}

static int access_file(sqlite3_vfs *vfs, const char *path, int flags, int *found) {
  (void)vfs;
  return real->xAccess(real, path, flags, found);
}
static int full_path(sqlite3_vfs *vfs, const char *path, int room, char *full) {
  (void)vfs;
  return real->xFullPathname(real, path, room, full);
}

static sqlite3_vfs simulated;

static void install(void) {
  real = sqlite3_vfs_find(NULL);
  // What is not named here is the system's, which keeps nothing in its own `pAppData` that these would need from us.
  simulated = *real;
  simulated.zName = "simulated-disk";
  simulated.pNext = NULL;
  simulated.szOsFile = (int)sizeof(simulated_file) + real->szOsFile;
  simulated.xOpen = open_file;
  simulated.xDelete = delete_file;
  simulated.xAccess = access_file;
  simulated.xFullPathname = full_path;
  sqlite3_vfs_register(&simulated, 1);
}

void simulated_disk_install(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}
