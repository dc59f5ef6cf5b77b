#include <charconv>

#include "parser.hpp"

using Step = csj_parser::Step;

static bool blank(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }
static bool closes_scalar(uint8_t byte) {
  return blank(byte) || byte == ',' || byte == '}' || byte == ']' || byte == ':';
}
static bool digit(uint8_t byte) { return static_cast<uint8_t>(byte - '0') <= 9; }

static int hex(const uint8_t *at) {
  int code = 0;
  for (int i = 0; i < 4; i++) {
    uint8_t byte = at[i], lower = byte | 0x20;
    int nibble = digit(byte) ? byte - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    if (nibble < 0) return -1;
    code = code << 4 | nibble;
  }
  return code;
}

static uint8_t *encode(uint32_t code, uint8_t *to) {
  if (code < 0x80) {
    *to++ = static_cast<uint8_t>(code);
  } else if (code < 0x800) {
    *to++ = static_cast<uint8_t>(0xC0 | code >> 6);
    *to++ = static_cast<uint8_t>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *to++ = static_cast<uint8_t>(0xE0 | code >> 12);
    *to++ = static_cast<uint8_t>(0x80 | (code >> 6 & 0x3F));
    *to++ = static_cast<uint8_t>(0x80 | (code & 0x3F));
  } else {
    *to++ = static_cast<uint8_t>(0xF0 | code >> 18);
    *to++ = static_cast<uint8_t>(0x80 | (code >> 12 & 0x3F));
    *to++ = static_cast<uint8_t>(0x80 | (code >> 6 & 0x3F));
    *to++ = static_cast<uint8_t>(0x80 | (code & 0x3F));
  }
  return to;
}

static int plain_escape(uint8_t byte) {
  switch (byte) {
    case '"': case '\\': case '/': return byte;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return -1;
  }
}

/// The code point of `\uXXXX` (and its low surrogate) at `at`, which moves behind it; -1 where there is none.
static int32_t unicode_escape(const uint8_t *&at, const uint8_t *end) {
  if (end - at < 4) return -1;
  int32_t code = hex(at);
  at += 4;
  if (code < 0xD800 || code > 0xDFFF) return code;
  if (code > 0xDBFF || end - at < 6 || at[0] != '\\' || at[1] != 'u') return -1;
  int32_t low = hex(at + 2);
  if (low < 0xDC00 || low > 0xDFFF) return -1;
  at += 6;
  return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
}

bool csj_parser::unescape(csj_cell &cell) {
  uint8_t *start = unescaped.data + unescaped_used, *to = start;
  const uint8_t *at = cell.text, *end = at + cell.length;
  while (at < end) {
    if (*at != '\\') {
      *to++ = *at++;
      continue;
    }
    if (++at == end) return false;
    uint8_t kind = *at++;
    int32_t code = kind == 'u' ? unicode_escape(at, end) : plain_escape(kind);
    if (code < 0) return false;
    to = encode(static_cast<uint32_t>(code), to);
  }
  cell.text = start;
  cell.length = static_cast<uint32_t>(to - start);
  cell.kind = csj_text_kind(start, cell.length);
  unescaped_used += cell.length;
  return true;
}

/// The text between this quote and the last one before the next token: stage 1 marks whatever else stands there.
Step csj_parser::string(csj_cell &cell, csj_row &row) {
  size_t begin = tokens[token] + 1, end = tokens[token + 1] - 1;
  while (end >= begin && blank(text[end])) end--;
  if (end < begin || text[end] != '"') return broken(csj_malformed);
  if (!final && end + 1 >= size) return Step::more;
  cell.text = text + begin;
  cell.length = static_cast<uint32_t>(end - begin);
  cell.kind = csj_string;
  token++;
  after = end + 1;
  if (escapes && memchr(cell.text, '\\', cell.length) && !unescape(cell) && row.status == csj_ok)
    row.status = csj_bad_escape;
  return Step::done;
}

/// A scalar ends before white space, punctuation or the end of the body; at a window's end it may go on.
Step csj_parser::scalar_end(const uint8_t *at) {
  const uint8_t *end = text + size;
  if (at == end && !final) return Step::more;
  if (at < end && !closes_scalar(*at)) return broken(csj_malformed);
  token++;
  after = static_cast<size_t>(at - text);
  return Step::done;
}

Step csj_parser::number(csj_cell &cell) {
  const uint8_t *start = text + tokens[token], *end = text + size, *at = start;
  bool negative = *at == '-';
  at += negative;
  if (at == end) return out_of_tokens();
  if (!digit(*at)) return broken(csj_malformed);
  const uint8_t *digits = at;
  uint64_t magnitude = 0;
  bool overflow = false;
  for (; at < end && digit(*at); at++) {
    uint64_t next;
    overflow |= __builtin_mul_overflow(magnitude, 10u, &next);
    overflow |= __builtin_add_overflow(next, static_cast<uint64_t>(*at - '0'), &magnitude);
  }
  if (*digits == '0' && at - digits > 1) return broken(csj_malformed);
  bool decimal = at < end && (*at == '.' || (*at | 0x20) == 'e');
  if (decimal) {
    if (*at == '.') {
      if (++at == end) return out_of_tokens();
      if (!digit(*at)) return broken(csj_malformed);
      while (at < end && digit(*at)) at++;
    }
    if (at < end && (*at | 0x20) == 'e') {
      at++;
      if (at < end && (*at == '+' || *at == '-')) at++;
      if (at == end) return out_of_tokens();
      if (!digit(*at)) return broken(csj_malformed);
      while (at < end && digit(*at)) at++;
    }
    double value = 0;
    auto [rest, error] =
        std::from_chars(reinterpret_cast<const char *>(start), reinterpret_cast<const char *>(at), value);
    cell.kind = error == std::errc{} ? csj_decimal : csj_big;
    cell.decimal = value;
  } else {
    overflow |= magnitude > static_cast<uint64_t>(INT64_MAX) + negative;
    cell.kind = overflow ? csj_big : csj_integer;
    cell.integer = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  }
  return scalar_end(at);
}

Step csj_parser::atom(const char *word, size_t count) {
  const uint8_t *start = text + tokens[token];
  size_t left = size - tokens[token];
  if (left < count && memcmp(start, word, left) == 0) return out_of_tokens();
  if (left < count || memcmp(start, word, count) != 0) return broken(csj_malformed);
  return scalar_end(start + count);
}

Step csj_parser::scalar(csj_cell &cell, csj_row &row, bool &null) {
  switch (peek()) {
    case '"': return string(cell, row);
    case 't':
      cell.kind = csj_boolean;
      cell.integer = 1;
      return atom("true", 4);
    case 'f':
      cell.kind = csj_boolean;
      cell.integer = 0;
      return atom("false", 5);
    case 'n':
      null = true;
      return atom("null", 4);
    default: return peek() == '-' || digit(peek()) ? number(cell) : broken(csj_malformed);
  }
}

Step csj_parser::colon() {
  if (ended()) return out_of_tokens();
  if (peek() != ':') return broken(csj_malformed);
  consume();
  return ended() ? out_of_tokens() : Step::done;
}

Step csj_parser::key() {
  csj_cell name;
  csj_row unused{};
  if (ended()) return out_of_tokens();
  if (peek() != '"') return broken(csj_malformed);
  if (auto step = string(name, unused); step != Step::done) return step;
  return unused.status ? broken(csj_malformed) : colon();
}

/// Checks and passes an object or array whose content nobody asked for.
Step csj_parser::skip(csj_row &row) {
  constexpr size_t deepest = 1024;
  uint64_t objects[deepest / 64];
  csj_cell ignored;
  bool null;
  for (size_t depth = 0;;) {
    if (ended()) return out_of_tokens();
    uint8_t first = peek();
    if (first == '{' || first == '[') {
      if (depth == deepest) return broken(csj_too_deep);
      if (depth + 1 >= depth_limit && row.status == csj_ok) row.status = csj_too_deep;
      uint64_t bit = 1ull << (depth % 64);
      objects[depth / 64] = (objects[depth / 64] & ~bit) | (first == '{' ? bit : 0);
      depth++;
      consume();
      if (ended()) return out_of_tokens();
      if (peek() != first + 2) {
        if (first == '[') continue;
        if (auto step = key(); step != Step::done) return step;
        continue;
      }
    } else if (auto step = scalar(ignored, row, null); step != Step::done) {
      return step;
    }
    for (bool open = true; open;) {
      if (depth == 0) return Step::done;
      if (ended()) return out_of_tokens();
      bool object = objects[(depth - 1) / 64] >> ((depth - 1) % 64) & 1;
      uint8_t mark = peek();
      if (mark == (object ? '}' : ']')) {
        consume();
        depth--;
        continue;
      }
      if (mark != ',') return broken(csj_malformed);
      consume();
      open = false;
      if (!object) continue;
      if (auto step = key(); step != Step::done) return step;
    }
  }
}

Step csj_parser::value(csj_cell &cell, csj_row &row, bool &null) {
  uint8_t first = peek();
  if (first != '{' && first != '[') return scalar(cell, row, null);
  cell.kind = first == '{' ? csj_object : csj_array;
  cell.text = text + tokens[token];
  auto step = skip(row);
  if (step == Step::done) cell.length = text + tokens[token - 1] + 1 - cell.text;
  return step;
}

/// Once all are kept, an ignored field costs one comparison of numbers.
void csj_parser::note_ignored(const csj_cell &name) {
  if (name.length == 0 || name.length > CSJ_IGNORED_BYTES) return;
  for (size_t i = 0; i < ignored_count; i++)
    if (ignored_lengths[i] == name.length && memcmp(ignored_names[i], name.text, name.length) == 0) return;
  memcpy(ignored_names[ignored_count], name.text, name.length);
  ignored_lengths[ignored_count++] = static_cast<uint8_t>(name.length);
}

/// One `"key": value`. `events` comes in as whether an array of events is welcome and goes out as whether it starts here.
Step csj_parser::member(csj_row &row, csj_cell *cells, bool &events) {
  csj_cell name, ignored;
  bool welcome = events, null = false;
  events = false;
  if (ended()) return out_of_tokens();
  if (peek() != '"') return broken(csj_malformed);
  if (auto step = string(name, row); step != Step::done) return step;
  if (auto step = colon(); step != Step::done) return step;
  int32_t found = keys->find(name.text, name.length, guesses[ordinal++ % CSJ_SLOTS]);
  if (found == CSJ_EVENTS && welcome && peek() == '[') {
    events = true;
    return Step::done;
  }
  if (found < 0 || (found & 0x7F) >= CSJ_SLOTS) {
    if (ignored_count < CSJ_IGNORED && row.status == csj_ok) note_ignored(name);
    auto step = value(ignored, row, null);
    row.ignored += step == Step::done;
    return step;
  }
  uint32_t bit = 1u << (found & 31);
  bool weak = found & CSJ_WEAK, counts = !weak || !(row.strong & bit);
  auto step = value(counts ? cells[found & 31] : ignored, row, null);
  if (counts && step == Step::done) {
    row.present = null ? row.present & ~static_cast<uint64_t>(bit) : row.present | bit;
    if (!weak) row.strong |= bit;
  }
  return step;
}

/// What nearly every member is: a known key, then a plain string or a number, all of it in this window. False, with
/// nothing read, leaves anything else to `member`.
bool csj_parser::plain_member(csj_row &row, csj_cell *cells) {
  const uint32_t *next = tokens + token;
  uint32_t key = next[0], colon = next[1], value = next[2], end = next[3];
  if ((colon >= limit) | (value >= limit) | (end >= limit)) return false;
  if ((text[key] != '"') | (text[colon] != ':') | (text[colon - 1] != '"') | (colon - 1 == key)) return false;
  bool quoted = text[value] == '"' && text[end - 1] == '"' && end - 1 > value;
  if (!quoted && !digit(text[value])) return false;
  if (quoted && escapes && memchr(text + value + 1, '\\', end - value - 2)) return false;
  uint16_t &guess = guesses[ordinal % CSJ_SLOTS];
  int32_t found = keys->find(text + key + 1, colon - key - 2, guess);
  if (found < 0 || found >= CSJ_SLOTS) return false;
  csj_cell &cell = cells[found];
  if (quoted) {
    cell.text = text + value + 1;
    cell.length = end - value - 2;
    cell.kind = csj_string;
    token += 3;
  } else {
    token += 2;
    if (number(cell) != Step::done) {
      token -= 2;
      return false;
    }
  }
  ordinal++;
  row.present |= 1ull << found;
  row.strong |= 1u << found;
  return true;
}

Step csj_parser::object(csj_row &row, csj_cell *cells) {
  consume();
  if (ended()) return out_of_tokens();
  if (peek() == '}') {
    consume();
    return Step::done;
  }
  for (;;) {
    bool events = false;
    if (ended()) return out_of_tokens();
    if (!plain_member(row, cells))
      if (auto step = member(row, cells, events); step != Step::done) return step;
    if (ended()) return out_of_tokens();
    uint8_t mark = peek();
    consume();
    if (mark == '}') return Step::done;
    if (mark != ',') return broken(csj_malformed);
  }
}

Step csj_parser::item(csj_row &row, csj_cell *cells) {
  row = {};
  ordinal = 0;
  if (ended()) return out_of_tokens();
  row.begin = base + tokens[token];
  if (peek() == '{') {
    auto step = object(row, cells);
    row.end = base + after;
    return step;
  }
  csj_cell ignored;
  bool null;
  auto step = value(ignored, row, null);
  row.end = base + after;
  if (row.status == csj_ok) row.status = csj_not_object;
  return step;
}
