// What SQLite itself takes to insert rows like those of the event table: multi-row INSERT, no duplicates looked for, one
// synced transaction of 65,536 rows after another. Prints rows a second.
//
//   cc -O2 -o insert bench/insert/insert.c -lsqlite3 && ./insert FILE ROWS [ROWS_PER_STATEMENT]
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { columns = 16, per_transaction = 65536 };

static sqlite3 *db;
static uint64_t state = 88172645463325252u;

static void check(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE) return;
  fprintf(stderr, "insert: %s\n", sqlite3_errmsg(db));
  exit(1);
}

static uint64_t random_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static void bind(sqlite3_stmt *insert, int first, int64_t number) {
  int64_t at = 1750000000000 + number * 37;
  int64_t values[columns] = {number, at, at + 900, (int64_t)random_bits(), number / 5 % 200 + 1, number / 1000 % 3 + 1,
                             number % 5 + 2, number % 4 + 1, 0, 0, 800 + number % 4000, (int64_t)random_bits()};
  for (int column = 0; column < columns; column++) {
    if (column >= 12 || column == 8 || column == 9) sqlite3_bind_null(insert, first + column);
    else sqlite3_bind_int64(insert, first + column, values[column]);
  }
}

int main(int count, char **arguments) {
  if (count < 3) return fprintf(stderr, "usage: insert FILE ROWS [ROWS_PER_STATEMENT]\n"), 2;
  int64_t rows = atoll(arguments[2]);
  int at_once = count > 3 ? atoi(arguments[3]) : 64;
  check(sqlite3_open_v2(arguments[1], &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL));
  check(sqlite3_exec(db,
                     "PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                     "CREATE TABLE event (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, received INTEGER,"
                     "  device INTEGER NOT NULL, context INTEGER NOT NULL, release INTEGER, stage INTEGER NOT NULL,"
                     "  trigger INTEGER NOT NULL, outcome INTEGER, reason INTEGER, duration INTEGER,"
                     "  id_hash INTEGER NOT NULL, push INTEGER, bytes INTEGER, from_release INTEGER, bucket INTEGER)",
                     NULL, NULL, NULL));
  char *sql = malloc((size_t)at_once * 40 + 100);
  strcpy(sql, "INSERT OR FAIL INTO event VALUES ");
  for (int row = 0; row < at_once; row++) strcat(sql, row ? ",(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)" : "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  sqlite3_stmt *insert;
  check(sqlite3_prepare_v2(db, sql, -1, &insert, NULL));
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int64_t number = 0; number < rows;) {
    check(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL));
    for (int row = 0; row < per_transaction && number < rows; row += at_once) {
      for (int place = 0; place < at_once; place++) bind(insert, 1 + place * columns, ++number);
      check(sqlite3_step(insert));
      sqlite3_reset(insert);
    }
    check(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
  printf("%.0f\n", (double)rows / seconds);
  return 0;
}
