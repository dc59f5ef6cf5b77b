#pragma once
#include <sqlite3.h>

#include "page_checksums.h"

/// Which file a name leads to; number 0 where that could not be told.
typedef struct {
  uint64_t device, number;
} file_identity;
struct index_place;

/// A file as SQLite has it: every call goes to the real one, pages by way of their checksums.
typedef struct {
  sqlite3_file base;
  sqlite3_file *real;
  enum { other_file, database_file, log_file } kind;
  /// Of a database, as its first page says or until then as was expected.
  int has_checksums;
  int page_size;
  /// For a page with its checksum, and how long it is.
  unsigned char *room;
  int room_size;
  /// Of a log: where the head of a frame was just written, and from which frame on heads are not yet what their pages say.
  sqlite3_int64 head_at, stale_from;
  /// The name that it was opened by, which lasts as long as the file is open, and what it led to then.
  const char *path;
  file_identity own;
  /// Of a database with a log.
  struct index_place *index;
  sqlite3_file *log;
} checked_file;

#define FILE_OF(file) ((checked_file *)(file))
#define REAL(file) (FILE_OF(file)->real)
#define PASS(call, ...) REAL(file)->pMethods->call(REAL(file), ##__VA_ARGS__)

/// Notes the page for `page_checksums_take_damaged`.
int page_is_damaged(sqlite3_int64 number);
int checksums_are_ignored(void);
int is_checked_file(sqlite3_file *file);

// pages.c
int read_page(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset);
int write_page(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset);
/// Adds checksums to pages that have none.
int complete_pages(sqlite3_file *file);
int renew_pages(sqlite3_file *file);
int learn_header(sqlite3_file *file);

// log.c
int check_frame(sqlite3_file *file, const unsigned char *page, int count, sqlite3_int64 offset);
void note_frame(sqlite3_file *file, int count, sqlite3_int64 offset);

// places.c
file_identity identity_at(const char *path, int64_t *size);
/// Before the first use of a database's index, and after the last.
void note_index(sqlite3_file *file);
void forget_index(sqlite3_file *file);
/// Before a log is used, and after.
void note_log(sqlite3_file *log);
void forget_log(sqlite3_file *log);
/// SQLite's code where nothing may be written by way of a database's log and index any more.
int places_code(sqlite3_file *file);
