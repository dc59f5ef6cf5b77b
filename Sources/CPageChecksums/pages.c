// Pages of the database file. Those of its log have no checksum of ours, so that the log is what any SQLite writes and recovers:
// they get theirs as a checkpoint brings them into the file.
#include <string.h>

#include "file.h"

enum { header = 100, checksum = page_checksum_length };
/// "Uptk", and the schema from which on every file of ours has checksums.
enum { application = 0x5570746b, first_schema = 7 };

static uint32_t number_at(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static int is_page(int count, sqlite3_int64 offset) {
  return count >= 512 && !(count & (count - 1)) && offset % count == 0;
}

/// Where SQLite locks: a page that nobody writes.
static int is_lock_page(int count, sqlite3_int64 offset) { return offset == 0x40000000 / count * (sqlite3_int64)count; }

/// What the first bytes of a file say of its pages.
static int learn(sqlite3_file *file, const unsigned char *bytes) {
  if (memcmp(bytes, "SQLite format 3", 16)) return SQLITE_OK;
  int size = bytes[16] << 8 | bytes[17];
  FILE_OF(file)->page_size = size == 1 ? 65536 : size;
  FILE_OF(file)->has_checksums = bytes[20] == checksum;
  // A header that denies them is damaged itself.
  int must_have = number_at(bytes + 68) == application && number_at(bytes + 60) >= first_schema;
  return must_have && !FILE_OF(file)->has_checksums && !checksums_are_ignored() ? page_is_damaged(1) : SQLITE_OK;
}

int learn_header(sqlite3_file *file) {
  unsigned char bytes[header];
  int code = PASS(xRead, bytes, header, 0);
  // A file that begins: what is expected of it holds.
  if (code == SQLITE_IOERR_SHORT_READ) return SQLITE_OK;
  return code == SQLITE_OK ? learn(file, bytes) : code;
}

/// What SQLite has instead of the checksum of a page that was read, and writes into its log; a page that is new ends with zeros.
/// Where another program moves the log into the file, pages end so there, and count as they are. Damage does not make it.
static const unsigned char unchecked[checksum] = "unsummed";
static const unsigned char nothing[checksum];

int page_checksum_is_missing(const void *page, size_t size, int counting_zeros) {
  const unsigned char *trailer = (const unsigned char *)page + size - checksum;
  return !memcmp(trailer, unchecked, checksum) || (counting_zeros && !memcmp(trailer, nothing, checksum));
}

static int is(const unsigned char *trailer, const unsigned char *one) { return !memcmp(trailer, one, checksum); }

/// Whether new pages may end with zeros. The first page is written whenever there is a new one: another program that moved that
/// into the file has written the first as well.
static int may_have_none(sqlite3_file *file, int *may) {
  unsigned char trailer[checksum];
  int code = PASS(xRead, trailer, checksum, FILE_OF(file)->page_size - checksum);
  *may = code == SQLITE_OK && (is(trailer, unchecked) || is(trailer, nothing));
  return code;
}

/// Takes the checksum off a page that was read: SQLite never sees one.
static int check(sqlite3_file *file, unsigned char *page, int size, sqlite3_int64 offset) {
  sqlite3_int64 number = offset / size + 1;
  unsigned char *trailer = page + size - checksum;
  int holds = is(trailer, unchecked) || page_checksum_holds(page, (size_t)size, (uint64_t)number), code = SQLITE_OK;
  if (!holds && is(trailer, nothing)) code = may_have_none(file, &holds);
  memcpy(trailer, unchecked, checksum);
  return code != SQLITE_OK ? code : holds || checksums_are_ignored() ? SQLITE_OK : page_is_damaged(number);
}

int read_page(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int code = PASS(xRead, bytes, count, offset);
  if (code == SQLITE_OK && offset == 0 && count >= header && (code = learn(file, bytes)) != SQLITE_OK) return code;
  int is_checked = FILE_OF(file)->has_checksums && count == FILE_OF(file)->page_size && is_page(count, offset);
  if (!is_checked || is_lock_page(count, offset)) return code;
  // SQLite takes what is cut off for zeros.
  if (code == SQLITE_IOERR_SHORT_READ && !checksums_are_ignored()) return page_is_damaged(offset / count + 1);
  return code == SQLITE_OK ? check(file, bytes, count, offset) : code;
}

/// Room for a page, kept with the file.
static unsigned char *room(sqlite3_file *file, int size) {
  if (FILE_OF(file)->room_size < size) {
    sqlite3_free(FILE_OF(file)->room);
    FILE_OF(file)->room = sqlite3_malloc(size);
    FILE_OF(file)->room_size = FILE_OF(file)->room ? size : 0;
  }
  return FILE_OF(file)->room;
}

static int complete_others(sqlite3_file *file, int even_where_there_is_one);

/// Once the first page has a checksum the others must: a file that another program wrote anew (`VACUUM INTO`) has none.
static int before_first_page(sqlite3_file *file) {
  int may = 0, code = may_have_none(file, &may);
  if (code == SQLITE_IOERR_SHORT_READ) return SQLITE_OK;
  return code == SQLITE_OK && may ? complete_others(file, 0) : code;
}

int write_page(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  if (!is_page(count, offset)) return PASS(xWrite, bytes, count, offset);
  // Another connection may have written the file anew, with checksums.
  int code = offset ? learn_header(file) : learn(file, bytes);
  if (code != SQLITE_OK) return code;
  if (!FILE_OF(file)->has_checksums) return PASS(xWrite, bytes, count, offset);
  if (offset == 0 && (code = before_first_page(file)) != SQLITE_OK) return code;
  unsigned char *page = room(file, count);
  if (!page) return SQLITE_IOERR_NOMEM;
  memcpy(page, bytes, (size_t)count);
  page_checksum_put(page, (size_t)count, (uint64_t)(offset / count + 1));
  return PASS(xWrite, page, count, offset);
}

// MARK: whole files

static int add(sqlite3_file *file, sqlite3_int64 number, int even_where_there_is_one) {
  int size = FILE_OF(file)->page_size, code;
  sqlite3_int64 offset = (number - 1) * size;
  unsigned char *page = room(file, size);
  if (!page) return SQLITE_IOERR_NOMEM;
  if (is_lock_page(size, offset)) return SQLITE_OK;
  if ((code = PASS(xRead, page, checksum, offset + size - checksum)) != SQLITE_OK) return code;
  if (!even_where_there_is_one && !is(page, unchecked) && !is(page, nothing)) return SQLITE_OK;
  if ((code = PASS(xRead, page, size, offset)) != SQLITE_OK) return code;
  page_checksum_put(page, (size_t)size, (uint64_t)number);
  return PASS(xWrite, page + size - checksum, checksum, offset + size - checksum);
}

static int complete_others(sqlite3_file *file, int even_where_there_is_one) {
  sqlite3_int64 size;
  int code = PASS(xFileSize, &size);
  sqlite3_int64 count = size / FILE_OF(file)->page_size;
  for (sqlite3_int64 number = 2; code == SQLITE_OK && number <= count; number++)
    code = add(file, number, even_where_there_is_one);
  return code == SQLITE_OK ? PASS(xSync, SQLITE_SYNC_NORMAL) : code;
}

/// The first page last: until then it says that others may have none.
static int add_to_all(sqlite3_file *file, int even_where_there_is_one) {
  int code = complete_others(file, even_where_there_is_one);
  if (code == SQLITE_OK) code = add(file, 1, even_where_there_is_one);
  return code == SQLITE_OK ? PASS(xSync, SQLITE_SYNC_NORMAL) : code;
}

int complete_pages(sqlite3_file *file) {
  int code = learn_header(file), may;
  if (code != SQLITE_OK || !FILE_OF(file)->has_checksums || FILE_OF(file)->page_size == 0) return code;
  code = may_have_none(file, &may);
  return code == SQLITE_OK && may ? add_to_all(file, 0) : code;
}

int renew_pages(sqlite3_file *file) {
  int code = learn_header(file);
  return code == SQLITE_OK && FILE_OF(file)->has_checksums ? add_to_all(file, 1) : code;
}
