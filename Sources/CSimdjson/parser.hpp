#pragma once
#include <cstdlib>
#include <memory>

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include "csimdjson.h"
#include "words.hpp"

/// Bytes that grow by malloc and say when they could not.
struct Bytes {
  uint8_t *data = nullptr;
  size_t capacity = 0;
  ~Bytes() { free(data); }
  bool reserve(size_t wanted) {
    if (wanted <= capacity) return true;
    free(data);
    data = static_cast<uint8_t *>(malloc(wanted));
    capacity = data ? wanted : 0;
    return data != nullptr;
  }
};

/// A byte that the repair of a broken window replaced, and why.
struct Blemish {
  uint32_t offset;
  csj_status status;
};

struct csj_parser {
  enum class State : uint8_t { start, lines, firstItem, item, separator, firstMember, member, memberSeparator, tail, done };
  /// What became of one step: done, the window ended in its middle, or the input is broken there.
  enum class Step : uint8_t { done, more, broken };

  const csj_words *keys;
  size_t event_limit, depth_limit;
  std::unique_ptr<simdjson::internal::dom_parser_implementation> stage1;

  const uint8_t *body = nullptr;
  size_t length = 0, origin = 0;  // behind a byte order mark
  csj_format format = csj_json;
  State state = State::done;
  bool enclosed = false;    // the array is the `events` of an object
  size_t position = 0;      // where the next step starts
  uint64_t line = 0;
  size_t window_end = 0, single_until = 0;  // of lines
  bool loaded = false;

  // The window: the part of the body whose structure is known.
  const uint8_t *text = nullptr;
  size_t size = 0, base = 0, width = 0;
  bool final = false, escapes = false;
  const uint32_t *tokens = nullptr;
  uint32_t token = 0;
  uint32_t limit = 0;  // tokens from here on are another line's; a last token stands at the window's end
  size_t after = 0;    // behind the last token read
  csj_status problem = csj_ok;
  Bytes copy, unescaped, kept;
  size_t unescaped_used = 0;
  Blemish *blemishes = nullptr;
  size_t blemish_count = 0, blemish_capacity = 0, blemish_next = 0;

  // Clients send their fields in one order: the key that stood at each place of the event before.
  uint16_t guesses[CSJ_SLOTS] = {};
  size_t ordinal = 0;

  // Names of fields that were ignored, each once.
  char ignored_names[CSJ_IGNORED][CSJ_IGNORED_BYTES];
  uint8_t ignored_lengths[CSJ_IGNORED];
  size_t ignored_count = 0;

  // The fields of a body that is one object.
  csj_row top{};
  csj_cell top_cells[CSJ_SLOTS];

  csj_parser(const csj_words *keys, size_t event_limit, size_t depth_limit)
      : keys(keys), event_limit(event_limit), depth_limit(depth_limit) {}
  ~csj_parser() { free(blemishes); }

  // window.cpp
  bool load();
  bool load_lines(size_t end);
  simdjson::error_code index(const uint8_t *start, size_t count);
  bool adopt(const uint8_t *start, size_t count);
  bool copy_window(size_t count);
  bool repair();
  bool blemish(size_t offset, csj_status status);
  csj_status worst_blemish(size_t begin, size_t end);
  bool keep_top();

  // walk.cpp
  Step broken(csj_status status) {
    problem = status;
    return Step::broken;
  }
  Step out_of_tokens() { return final ? broken(csj_truncated) : Step::more; }
  bool ended() const { return tokens[token] >= limit; }
  uint8_t peek() const { return text[tokens[token]]; }
  void consume() { after = tokens[token++] + 1; }
  Step string(csj_cell &cell, csj_row &row);
  bool unescape(csj_cell &cell);
  Step colon();
  Step key();
  Step number(csj_cell &cell);
  Step scalar_end(const uint8_t *at);
  Step atom(const char *word, size_t count);
  Step skip(csj_row &row);
  Step scalar(csj_cell &cell, csj_row &row, bool &null);
  Step value(csj_cell &cell, csj_row &row, bool &null);
  void note_ignored(const csj_cell &name);
  Step member(csj_row &row, csj_cell *cells, bool &events);
  bool plain_member(csj_row &row, csj_cell *cells);
  Step object(csj_row &row, csj_cell *cells);
  Step item(csj_row &row, csj_cell *cells);

  // parser.cpp
  size_t next_values(csj_row *rows, csj_cell *cells, size_t capacity);
  size_t next_lines(csj_row *rows, csj_cell *cells, size_t capacity);
  bool open_lines(csj_row &row, bool &produced);
  void next_line(csj_row &row, csj_cell *cells, size_t end);
  Step advance(csj_row &row, csj_cell *cells, bool &produced);
  bool refill();
  Step open_body();
  Step close_array();
  Step close_object(csj_row &row, csj_cell *cells, bool &produced);
  Step top_member();
};
