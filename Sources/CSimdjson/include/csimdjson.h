#ifndef CSIMDJSON_H
#define CSIMDJSON_H

// A C face over simdjson: a body of JSON comes in, rows of known fields go out.
//
// simdjson finds the structure (its first stage, in the version that fits the CPU at run time); a walk over that
// structure checks the grammar and fills the rows. Nothing is thrown across this border, nothing reads past the body.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct csj_word {
  const char *text;
  size_t length;
  uint16_t value;
} csj_word;

/// A fixed set of words, each with a value; finding one costs a few nanoseconds.
typedef struct csj_words csj_words;
csj_words *csj_words_create(const csj_word *words, size_t count);
void csj_words_destroy(csj_words *words);
/// The word's value, or -1.
int32_t csj_words_find(const csj_words *words, const uint8_t *text, size_t length);

/// Values of a key table: a slot below CSJ_SLOTS. A weak key never overwrites what a strong key of its slot has set.
enum { CSJ_SLOTS = 32, CSJ_EVENTS = 62, CSJ_WEAK = 128 };
/// How many names of fields that no word of the key table names are kept, of so many bytes at most.
enum { CSJ_IGNORED = 5, CSJ_IGNORED_BYTES = 48 };

typedef enum csj_kind : uint8_t {
  csj_string,
  /// A string that no store can hold, see `csj_text_kind`.
  csj_unstorable,
  csj_integer,
  /// A number with fraction or exponent.
  csj_decimal,
  /// An integer beyond 64 bits.
  csj_big,
  csj_boolean,
  csj_object,
  csj_array,
} csj_kind;

typedef struct csj_cell {
  union {
    /// Unescaped UTF-8 in the body or in the parser's memory: valid until the next call of `csj_next`. An object or an array
    /// is as it stands in the body.
    const uint8_t *text;
    int64_t integer;
    double decimal;
  };
  uint32_t length;
  csj_kind kind;
} csj_cell;

typedef enum csj_status : uint8_t {
  csj_ok,
  csj_not_object,
  csj_invalid_utf8,
  csj_control_character,
  csj_bad_escape,
  csj_too_deep,
  csj_too_large,
  csj_malformed,
  csj_trailing,
  csj_truncated,
  csj_out_of_memory,
} csj_status;

typedef struct csj_row {
  /// Bit n: cell n holds a value that is not null.
  uint64_t present;
  /// Where the event stands in the body.
  uint64_t begin, end;
  /// From 1; counted for lines only.
  uint64_t line;
  /// Fields that no word of the key table names.
  uint32_t ignored;
  /// Bit n: a strong key has set cell n.
  uint32_t strong;
  csj_status status;
  /// Nothing after this row was read.
  bool breaks;
} csj_row;

typedef struct csj_parser csj_parser;
/// `keys` outlives the parser. `event_limit`: bytes that one event may have. `depth_limit`: levels of nesting, ≤ 1024.
csj_parser *csj_parser_create(const csj_words *keys, size_t event_limit, size_t depth_limit);
void csj_parser_destroy(csj_parser *parser);
/// Begins a body, which stays in place until the last `csj_next`. `lines`: one value a line; `sniff`: find out.
typedef enum csj_format : uint8_t { csj_json, csj_lines, csj_sniff } csj_format;
void csj_begin(csj_parser *parser, const uint8_t *body, size_t length, csj_format format);
/// Fills up to `capacity` rows; row i has its cells at `cells + i * CSJ_SLOTS`. 0 rows: the body is at its end.
size_t csj_next(csj_parser *parser, csj_row *rows, csj_cell *cells, size_t capacity);
/// Whether the body was an object with `events`: its own fields are then in `row` and `cells` once all rows are read.
bool csj_envelope(const csj_parser *parser, csj_row *row, csj_cell *cells);
/// The different names of ignored fields of the body as far as it was read, in their order; length 0 behind the last.
csj_word csj_ignored(const csj_parser *parser, size_t number);

/// The rule on which texts can be held: all but those with U+0000, where strings end for SQLite and for C.
static inline csj_kind csj_text_kind(const uint8_t *text, size_t length) {
  return memchr(text, 0, length) ? csj_unstorable : csj_string;
}

bool csj_valid_utf8(const uint8_t *text, size_t length);

/// simdjson's own full parse of one value with 64 spare bytes behind it; for measuring and for checking the walk.
bool csj_simdjson_accepts(const uint8_t *body, size_t length);
/// simdjson's own parse of a body or of its lines and a look at every value; for measuring. The bytes of all strings.
size_t csj_simdjson_walk(const uint8_t *body, size_t length);

static inline uint64_t csj_load(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

static inline uint64_t csj_load_short(const uint8_t *bytes, size_t length) {
  if (length >= 4) {
    uint32_t head, tail;
    memcpy(&head, bytes, 4);
    memcpy(&tail, bytes + length - 4, 4);
    return (uint64_t)head << 32 | tail;
  }
  return length == 0 ? 0 : (uint64_t)bytes[0] << 16 | (uint64_t)bytes[length / 2] << 8 | bytes[length - 1];
}

static inline uint64_t csj_mix(uint64_t left, uint64_t right) {
  __uint128_t product = (__uint128_t)left * right;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/// A fast hash for tables in memory. Not keyed: a table that strangers fill adds a secret to the seed.
static inline uint64_t csj_hash(const uint8_t *bytes, size_t length, uint64_t seed) {
  seed ^= length * 0x9E3779B97F4A7C15u;
  if (length < 8) return csj_mix(seed ^ csj_load_short(bytes, length), 0xD6E8FEB86659FD93u);
  for (size_t offset = 0; offset + 8 < length; offset += 8)
    seed = csj_mix(seed ^ csj_load(bytes + offset), 0xD6E8FEB86659FD93u);
  return csj_mix(seed ^ csj_load(bytes + length - 8), 0xA0761D6478BD642Fu);
}

static inline bool csj_equal(const uint8_t *left, const uint8_t *right, size_t length) {
  if (length < 8) return csj_load_short(left, length) == csj_load_short(right, length);
  for (size_t offset = 0; offset + 8 < length; offset += 8)
    if (csj_load(left + offset) != csj_load(right + offset)) return false;
  return csj_load(left + length - 8) == csj_load(right + length - 8);
}

#ifdef __cplusplus
}
#endif
#endif
