#include "parser.hpp"

using State = csj_parser::State;
using Step = csj_parser::Step;

static constexpr size_t window_width = 256 * 1024;

static size_t line_end(const uint8_t *body, size_t from, size_t length) {
  auto newline = static_cast<const uint8_t *>(memchr(body + from, '\n', length - from));
  return newline ? static_cast<size_t>(newline - body) + 1 : length;
}

/// The end of the whole lines that fit into one window, at least of one line.
static size_t lines_end(const uint8_t *body, size_t from, size_t length) {
  if (length - from <= window_width) return length;
  auto newline = static_cast<const uint8_t *>(memrchr(body + from, '\n', window_width));
  return newline ? static_cast<size_t>(newline - body) + 1 : line_end(body, from + window_width, length);
}

/// Indexes the next lines: many at once, or one by one where stage 1 refused the many. A line that cannot be indexed
/// becomes a row that says why.
bool csj_parser::open_lines(csj_row &row, bool &produced) {
  bool single = position < single_until;
  size_t end = single ? line_end(body, position, length) : lines_end(body, position, length);
  size_t first = single ? end : line_end(body, position, end);
  bool small = first - position <= event_limit;
  if (small && load_lines(end)) {
    window_end = end;
    return true;
  }
  if (small && first < end) {
    single_until = end;
    return open_lines(row, produced);
  }
  row = {};
  row.begin = position;
  row.end = first;
  row.line = ++line;
  row.status = small ? problem : csj_too_large;
  produced = true;
  position = first;
  return false;
}

void csj_parser::next_line(csj_row &row, csj_cell *cells, size_t end) {
  limit = static_cast<uint32_t>(end - base);
  auto step = item(row, cells);
  if (step == Step::broken) row.status = problem;
  if (step == Step::done && !ended()) row.status = csj_trailing;
  while (!ended()) token++;
  row.begin = position;
  row.end = end;
  row.line = line;
}

size_t csj_parser::next_lines(csj_row *rows, csj_cell *cells, size_t capacity) {
  size_t count = 0;
  while (count < capacity) {
    if (position >= length) {
      state = State::done;
      break;
    }
    if (position >= window_end) {
      if (count > 0) break;
      bool produced = false;
      bool opened = open_lines(rows[count], produced);
      count += produced;
      if (!opened) continue;
    }
    size_t end = line_end(body, position, window_end);
    line++;
    limit = static_cast<uint32_t>(end - base);
    if (!ended()) {
      next_line(rows[count], cells + count * CSJ_SLOTS, end);
      count++;
    }
    position = end;
  }
  return count;
}
