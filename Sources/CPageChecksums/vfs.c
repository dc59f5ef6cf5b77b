// What SQLite asks of files, passed on to its default way to them.
#include <pthread.h>
#include <string.h>

#include "file.h"

static _Thread_local sqlite3_int64 damaged;
static _Thread_local int expected, ignored;

int64_t page_checksums_take_damaged(void) {
  sqlite3_int64 taken = damaged;
  damaged = 0;
  return taken;
}
void page_checksums_expect(int whether) { expected = whether; }
void page_checksums_ignore(int whether) { ignored = whether; }
int checksums_are_ignored(void) { return ignored; }
int page_is_damaged(sqlite3_int64 number) {
  damaged = number;
  return SQLITE_IOERR_DATA;
}

// MARK: files

static int close_file(sqlite3_file *file) {
  forget_index(file);
  if (FILE_OF(file)->kind == log_file) forget_log(file);
  int code = PASS(xClose);
  sqlite3_free(REAL(file));
  sqlite3_free(FILE_OF(file)->room);
  return code;
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  if (FILE_OF(file)->kind == database_file) return read_page(file, bytes, count, offset);
  int code = PASS(xRead, bytes, count, offset);
  return code == SQLITE_OK && FILE_OF(file)->kind == log_file ? check_frame(file, bytes, count, offset) : code;
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  if (FILE_OF(file)->kind == database_file) return write_page(file, bytes, count, offset);
  if (FILE_OF(file)->kind == log_file) note_frame(file, count, offset);
  return PASS(xWrite, bytes, count, offset);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 count) { return PASS(xTruncate, count); }
static int sync_file(sqlite3_file *file, int flags) { return PASS(xSync, flags); }
static int size_of_file(sqlite3_file *file, sqlite3_int64 *count) { return PASS(xFileSize, count); }
/// As the last connection ends, SQLite moves the log into the database and deletes it: not where others go by another index, or another log.
static int lock_file(sqlite3_file *file, int kind) {
  return kind == SQLITE_LOCK_EXCLUSIVE && places_code(file) ? SQLITE_BUSY : PASS(xLock, kind);
}
static int unlock_file(sqlite3_file *file, int kind) { return PASS(xUnlock, kind); }
static int is_reserved(sqlite3_file *file, int *found) { return PASS(xCheckReservedLock, found); }

static int control_file(sqlite3_file *file, int kind, void *argument) {
  switch (FILE_OF(file)->kind == database_file ? kind : 0) {
    case page_checksums_are_on: {
      int code = learn_header(file);
      *(int *)argument = FILE_OF(file)->has_checksums;
      return code;
    }
    case page_checksums_renew: return renew_pages(file);
    // What fails here is tried again with the next checkpoint.
    case SQLITE_FCNTL_CKPT_START: complete_pages(file); break;
    default: break;
  }
  return PASS(xFileControl, kind, argument);
}

static int sector_size(sqlite3_file *file) { return PASS(xSectorSize); }
static int characteristics(sqlite3_file *file) { return PASS(xDeviceCharacteristics); }
static int map_shared(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
  int code = PASS(xShmMap, region, size, extends, memory);
  note_index(file);
  return code;
}
/// The locks under which SQLite writes and moves the log into the database are the first two: `WAL_WRITE_LOCK`, `WAL_CKPT_LOCK`.
static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  int writes = flags == (SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE) && offset < 2;
  int code = writes ? places_code(file) : SQLITE_OK;
  return code == SQLITE_OK ? PASS(xShmLock, offset, count, flags) : code;
}
static void shared_barrier(sqlite3_file *file) { PASS(xShmBarrier); }
static int unmap_shared(sqlite3_file *file, int removes) {
  forget_index(file);
  return PASS(xShmUnmap, removes);
}

// The second version: no file is mapped, since nothing would look at what is read.
static const sqlite3_io_methods methods = {
    2, close_file, read_file, write_file, truncate_file, sync_file, size_of_file, lock_file, unlock_file, is_reserved,
    control_file, sector_size, characteristics, map_shared, lock_shared, shared_barrier, unmap_shared, 0, 0,
};

int is_checked_file(sqlite3_file *file) { return file && file->pMethods == &methods; }

// MARK: names

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *outcome) {
  (void)vfs;
  // Asked for each time: tests put a disk of their own there.
  sqlite3_vfs *below = sqlite3_vfs_find(NULL);
  memset(file, 0, sizeof(checked_file));
  if (!(REAL(file) = sqlite3_malloc(below->szOsFile))) return SQLITE_NOMEM;
  memset(REAL(file), 0, (size_t)below->szOsFile);
  int code = below->xOpen(below, path, REAL(file), flags, outcome);
  if (code != SQLITE_OK) {
    if (REAL(file)->pMethods) PASS(xClose);
    sqlite3_free(REAL(file));
    return code;
  }
  FILE_OF(file)->kind = flags & SQLITE_OPEN_MAIN_DB ? database_file : flags & SQLITE_OPEN_WAL ? log_file : other_file;
  FILE_OF(file)->has_checksums = expected;
  FILE_OF(file)->path = path;
  FILE_OF(file)->own = FILE_OF(file)->kind == other_file ? (file_identity){0, 0} : identity_at(path, NULL);
  file->pMethods = &methods;
  if (FILE_OF(file)->kind == log_file) note_log(file);
  return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
  (void)vfs;
  sqlite3_vfs *below = sqlite3_vfs_find(NULL);
  return below->xDelete(below, path, syncs_folder);
}
static int access_file(sqlite3_vfs *vfs, const char *path, int flags, int *found) {
  (void)vfs;
  sqlite3_vfs *below = sqlite3_vfs_find(NULL);
  return below->xAccess(below, path, flags, found);
}
static int full_path(sqlite3_vfs *vfs, const char *path, int room, char *full) {
  (void)vfs;
  sqlite3_vfs *below = sqlite3_vfs_find(NULL);
  return below->xFullPathname(below, path, room, full);
}

static sqlite3_vfs checked;

static void install(void) {
  // What is not named here is the system's, which keeps nothing of its own for these.
  checked = *sqlite3_vfs_find(NULL);
  checked.zName = "page-checksums";
  checked.pNext = NULL;
  checked.szOsFile = (int)sizeof(checked_file);
  checked.xOpen = open_file;
  checked.xDelete = delete_file;
  checked.xAccess = access_file;
  checked.xFullPathname = full_path;
  sqlite3_vfs_register(&checked, 0);
}

const char *page_checksums_vfs(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  return "page-checksums";
}
