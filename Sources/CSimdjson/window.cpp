#include "parser.hpp"

using simdjson::error_code;

error_code csj_parser::index(const uint8_t *start, size_t count) {
  constexpr size_t least = 4096;
  size_t wanted = count < least ? least : count;
  if (!stage1) {
    auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(wanted, 1, stage1);
    if (error) return error;
  } else if (stage1->capacity() < wanted) {
    auto error = stage1->allocate(wanted, 1);
    if (error) return error;
  }
  return stage1->stage1(start, count, simdjson::stage1_mode::regular);
}

/// Makes the indexed bytes the window. Sets aside room for its unescaped strings, which are never longer than it.
bool csj_parser::adopt(const uint8_t *start, size_t count) {
  text = start;
  size = count;
  stage1->structural_indexes[stage1->n_structural_indexes] = static_cast<uint32_t>(count);
  tokens = stage1->structural_indexes.get();
  token = 0;
  after = 0;
  limit = static_cast<uint32_t>(count);
  unescaped_used = 0;
  escapes = memchr(start, '\\', count) != nullptr;
  if (escapes && !unescaped.reserve(count)) return false;
  return true;
}

bool csj_parser::copy_window(size_t count) {
  if (!copy.reserve(count + 8)) return false;
  memcpy(copy.data, body + base, count);
  return true;
}

static bool continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/// Bytes of the well-formed UTF-8 sequence at `at`, or 0.
static size_t sequence(const uint8_t *at, size_t left) {
  if (at[0] < 0x80) return 1;
  if (at[0] < 0xC2 || left < 2 || !continuation(at[1])) return 0;
  if (at[0] < 0xE0) return 2;
  if (left < 3 || !continuation(at[2])) return 0;
  if (at[0] < 0xF0) return (at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F) ? 0 : 3;
  if (at[0] > 0xF4 || left < 4 || !continuation(at[3])) return 0;
  return (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F) ? 0 : 4;
}

bool csj_parser::blemish(size_t offset, csj_status status) {
  if (blemish_count == blemish_capacity) {
    size_t capacity = blemish_capacity ? blemish_capacity * 2 : 64;
    auto grown = static_cast<Blemish *>(realloc(blemishes, capacity * sizeof(Blemish)));
    if (!grown) return false;
    blemishes = grown;
    blemish_capacity = capacity;
  }
  blemishes[blemish_count++] = {static_cast<uint32_t>(offset), status};
  return true;
}

/// Replaces what stage 1 refuses inside strings by harmless bytes and remembers the places, so that only the events
/// that hold them are lost.
bool csj_parser::repair() {
  bool quoted = false;
  for (size_t at = 0; at < size;) {
    uint8_t byte = copy.data[at];
    if (byte >= 0x80) {
      size_t step = sequence(copy.data + at, size - at);
      if (step == 0) {
        if (!blemish(at, csj_invalid_utf8)) return false;
        copy.data[at] = '?';
      }
      at += step ? step : 1;
      continue;
    }
    if (quoted && byte < 0x20) {
      if (!blemish(at, csj_control_character)) return false;
      copy.data[at] = ' ';
    }
    if (byte == '"') quoted = !quoted;
    if (byte == '\\' && at + 1 < size && (copy.data[at + 1] == '"' || copy.data[at + 1] == '\\')) at++;
    at++;
  }
  return true;
}

csj_status csj_parser::worst_blemish(size_t begin, size_t end) {
  csj_status status = csj_ok;
  while (blemish_next < blemish_count && blemishes[blemish_next].offset + base < end) {
    if (blemishes[blemish_next].offset + base >= begin) status = blemishes[blemish_next].status;
    blemish_next++;
  }
  return status;
}

/// Indexes the body from `position` on: the whole rest where it fits the window's width, else as much of it as fits.
///
/// A window that ends inside a string, or holds what stage 1 refuses, is mended in a copy first.
bool csj_parser::load() {
  problem = csj_out_of_memory;
  base = position;
  size_t left = length - base;
  final = left <= width;
  size = final ? left : width;
  blemish_count = blemish_next = 0;
  if (!final)
    while (size > 1 && body[base + size] >= 0x80) size--;
  if (final) {
    auto error = index(body + base, size);
    if (error == simdjson::SUCCESS || error == simdjson::EMPTY) {
      if (error) stage1->n_structural_indexes = 0;
      return adopt(body + base, size);
    }
    if (error == simdjson::MEMALLOC) return false;
  }
  if (!copy_window(size)) return false;
  bool repaired = false;
  for (int quotes = 0;;) {
    auto error = index(copy.data, size);
    if (error == simdjson::UNCLOSED_STRING && quotes < 3) {
      copy.data[size++] = '"';
      quotes++;
    } else if ((error == simdjson::UTF8_ERROR || error == simdjson::UNESCAPED_CHARS) && !repaired) {
      if (!repair()) return false;
      repaired = true;
    } else if (error == simdjson::SUCCESS || error == simdjson::EMPTY) {
      if (error) stage1->n_structural_indexes = 0;
      return adopt(copy.data, size);
    } else {
      if (error != simdjson::MEMALLOC) problem = csj_malformed;
      return false;
    }
  }
}

/// Indexes whole lines from `position` up to `end`; false when stage 1 refuses them.
bool csj_parser::load_lines(size_t end) {
  base = position;
  final = true;
  blemish_count = blemish_next = 0;
  auto error = index(body + base, end - base);
  problem = error == simdjson::SUCCESS || error == simdjson::EMPTY ? csj_ok
            : error == simdjson::UTF8_ERROR                        ? csj_invalid_utf8
            : error == simdjson::UNESCAPED_CHARS                   ? csj_control_character
            : error == simdjson::UNCLOSED_STRING                   ? csj_truncated
                                                                   : csj_out_of_memory;
  if (problem) return false;
  if (error == simdjson::EMPTY) stage1->n_structural_indexes = 0;
  if (adopt(body + base, end - base)) return true;
  problem = csj_out_of_memory;
  return false;
}

/// Moves the strings of the body's own object out of the window, which is about to go.
bool csj_parser::keep_top() {
  size_t total = 0, used = 0;
  for (uint64_t left = top.present; left; left &= left - 1) {
    csj_cell &cell = top_cells[__builtin_ctzll(left)];
    if (cell.kind == csj_string) total += cell.length;
  }
  Bytes moved;
  if (!moved.reserve(total + 1)) return false;
  for (uint64_t left = top.present; left; left &= left - 1) {
    csj_cell &cell = top_cells[__builtin_ctzll(left)];
    if (cell.kind != csj_string) continue;
    memcpy(moved.data + used, cell.text, cell.length);
    cell.text = moved.data + used;
    used += cell.length;
  }
  std::swap(kept.data, moved.data);
  std::swap(kept.capacity, moved.capacity);
  return true;
}
