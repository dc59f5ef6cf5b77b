// Pages in the log: a frame's head holds a checksum over all frames before it and its page, which SQLite looks at after a crash
// only. Here it is held against every page that is read. The format: https://www.sqlite.org/fileformat2.html#walformat
#include <string.h>

#include "file.h"

enum { log_head = 32, frame_head = 24, sum_in_log_head = 24, sum_in_frame_head = 16 };

typedef struct {
  uint32_t one, two;
} sums;

static uint32_t word(const unsigned char *bytes, int is_big) {
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  return is_big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) ? value : __builtin_bswap32(value);
}

static sums sums_at(const unsigned char *bytes) { return (sums){word(bytes, 1), word(bytes + 4, 1)}; }

static sums add(sums sum, const unsigned char *bytes, int count, int is_big) {
  for (int at = 0; at < count; at += 8) {
    sum.one += word(bytes + at, is_big) + sum.two;
    sum.two += word(bytes + at + 4, is_big) + sum.one;
  }
  return sum;
}

static int holds(sums before, const unsigned char *head, const unsigned char *page, int count, int is_big) {
  sums found = add(add(before, head, 8, is_big), page, count, is_big), said = sums_at(head + sum_in_frame_head);
  return found.one == said.one && found.two == said.two;
}

static int is_page(int count, sqlite3_int64 offset) {
  sqlite3_int64 first = log_head + frame_head;
  return count >= 512 && !(count & (count - 1)) && offset >= first && (offset - first) % (count + frame_head) == 0;
}

int check_frame(sqlite3_file *file, const unsigned char *page, int count, sqlite3_int64 offset) {
  sqlite3_int64 head_at = offset - frame_head, stale = FILE_OF(file)->stale_from;
  if (!is_page(count, offset) || (stale && head_at >= stale) || checksums_are_ignored()) return SQLITE_OK;
  sqlite3_int64 before_at =
      head_at == log_head ? sum_in_log_head : head_at - count - frame_head + sum_in_frame_head;
  unsigned char before[8], head[frame_head];
  int code = PASS(xRead, before, sizeof before, before_at);
  if (code == SQLITE_OK) code = PASS(xRead, head, frame_head, head_at);
  if (code != SQLITE_OK) return code;
  int is_sound = holds(sums_at(before), head, page, count, 0) || holds(sums_at(before), head, page, count, 1);
  return is_sound ? SQLITE_OK : page_is_damaged(-((offset - log_head) / (count + frame_head) + 1));
}

/// A transaction that writes a page twice puts the second over the first, and sets the heads right when it ends.
void note_frame(sqlite3_file *file, int count, sqlite3_int64 offset) {
  checked_file *log = FILE_OF(file);
  if (offset == 0) log->stale_from = 0;
  if (count == frame_head) {
    if (offset <= log->stale_from) log->stale_from = 0;
    log->head_at = offset;
    return;
  }
  sqlite3_int64 head_at = offset - frame_head;
  if (is_page(count, offset) && log->head_at != head_at && (!log->stale_from || head_at < log->stale_from))
    log->stale_from = head_at;
  log->head_at = 0;
}
