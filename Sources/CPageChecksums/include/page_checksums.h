// A checksum at the end of every page of a database file, between SQLite and the system: written with the page, held against it
// when it is read. docs/decisions/0017-page-checksums.md has the form and the reasons.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Bytes at the end of a page that SQLite leaves alone.
enum { page_checksum_length = 8 };
/// Operations of `sqlite3_file_control`.
enum {
  page_checksums_are_on = 0x55706b01,  // an int that becomes 1 where the file has checksums
  page_checksums_renew = 0x55706b02,   // takes every page as it is; nobody else may write meanwhile
};

/// Codes of SQLite's errors, among its SQLITE_READONLY, when an index or a log that nobody else finds keeps from writing.
enum { page_checksums_index_code = 8 | 32 << 8, page_checksums_log_code = 8 | 33 << 8 };

/// Which file of a connection's database is not the one any more that others find by its name: it was moved, deleted or replaced.
enum { page_checksums_none, page_checksums_database, page_checksums_log, page_checksums_index };
/// - Parameter size: becomes the length of the database file; -1 where that cannot be told.
int page_checksums_misplaced(void *connection, int64_t *size);

/// The name to open databases by. May be called again and again.
const char *page_checksums_vfs(void);

/// Of this thread: the page that was not what its checksum says, since this was last asked; 0 for none, negative for a frame of
/// the log.
int64_t page_checksums_take_damaged(void);
/// Of this thread: whether a file that it makes has checksums before its first page tells.
void page_checksums_expect(int whether);
/// Of this thread: reads pages whatever their checksums say.
void page_checksums_ignore(int whether);

/// Puts the checksum at the end of a page.
/// - Parameter number: from 1.
void page_checksum_put(void *page, size_t size, uint64_t number);
/// Whether another program wrote the page, which ends with what SQLite has instead of a checksum; where it is new, with zeros.
int page_checksum_is_missing(const void *page, size_t size, int counting_zeros);
/// Whether a page ends with its checksum.
int page_checksum_holds(const void *page, size_t size, uint64_t number);
