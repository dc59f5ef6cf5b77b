// Whether what is open is still what others find by its name. A log and its index look like something temporary: whoever deletes
// one parts this process from all that open the database from then on, and both would write over each other.
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "file.h"

file_identity identity_at(const char *path, int64_t *size) {
  struct stat status;
  if (!path || stat(path, &status)) return (file_identity){0, 0};
  if (size) *size = status.st_size;
  return (file_identity){status.st_dev, status.st_ino};
}

static int are_one(file_identity one, file_identity other) {
  return one.device == other.device && one.number == other.number;
}

/// What could not be looked at as it was opened is never said to be elsewhere.
static int is_elsewhere(file_identity known, const char *path, int64_t *size) {
  file_identity found = identity_at(path, size);
  return known.number && !are_one(known, found);
}

// MARK: the index

/// SQLite maps one index for all connections of a process to a database, whatever lies at its name meanwhile.
struct index_place {
  file_identity database, index;
  int users;
  struct index_place *next;
};
static struct index_place *places;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static file_identity index_at(const char *database) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s-shm", database);
  return length < (int)sizeof path ? identity_at(path, NULL) : (file_identity){0, 0};
}

void note_index(sqlite3_file *file) {
  checked_file *database = FILE_OF(file);
  if (database->index || !database->own.number) return;
  pthread_mutex_lock(&guard);
  struct index_place *place = places;
  while (place && !are_one(place->database, database->own)) place = place->next;
  if (!place && (place = calloc(1, sizeof *place))) {
    *place = (struct index_place){database->own, index_at(database->path), 0, places};
    places = place;
  }
  if (place) place->users++;
  pthread_mutex_unlock(&guard);
  database->index = place;
}

void forget_index(sqlite3_file *file) {
  struct index_place *place = FILE_OF(file)->index;
  if (!place) return;
  FILE_OF(file)->index = NULL;
  pthread_mutex_lock(&guard);
  if (--place->users == 0) {
    struct index_place **link = &places;
    while (*link != place) link = &(*link)->next;
    *link = place->next;
    free(place);
  }
  pthread_mutex_unlock(&guard);
}

static int index_is_elsewhere(sqlite3_file *file) {
  struct index_place *place = FILE_OF(file)->index;
  return place && place->index.number && !are_one(place->index, index_at(FILE_OF(file)->path));
}

// MARK: the log

/// The database whose log it is. SQLite closes the log first.
static checked_file *database_of(sqlite3_file *log) {
  sqlite3_file *database = sqlite3_database_file_object(FILE_OF(log)->path);
  return is_checked_file(database) ? FILE_OF(database) : NULL;
}

void note_log(sqlite3_file *log) {
  checked_file *database = database_of(log);
  if (database) database->log = log;
}

void forget_log(sqlite3_file *log) {
  checked_file *database = database_of(log);
  if (database) database->log = NULL;
}

static int log_is_elsewhere(sqlite3_file *database, int64_t *size) {
  sqlite3_file *log = FILE_OF(database)->log;
  return log && is_elsewhere(FILE_OF(log)->own, FILE_OF(log)->path, size);
}

// MARK: all of them

/// What a deleted log holds can still be moved into the database, unless another program has begun one in its place: then the
/// index, which is one for all, tells of that.
int places_code(sqlite3_file *file) {
  int64_t size = 0;
  if (index_is_elsewhere(file)) return page_checksums_index_code;
  return log_is_elsewhere(file, &size) && size > 0 ? page_checksums_log_code : SQLITE_OK;
}

int page_checksums_misplaced(void *connection, int64_t *size) {
  sqlite3_file *database = NULL;
  sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &database);
  *size = -1;
  if (!is_checked_file(database)) return page_checksums_none;
  if (is_elsewhere(FILE_OF(database)->own, FILE_OF(database)->path, size)) return page_checksums_database;
  if (log_is_elsewhere(database, NULL)) return page_checksums_log;
  return index_is_elsewhere(database) ? page_checksums_index : page_checksums_none;
}
