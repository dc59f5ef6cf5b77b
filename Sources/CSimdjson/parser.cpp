#include "parser.hpp"

#include <algorithm>
#include <new>

using State = csj_parser::State;
using Step = csj_parser::Step;

static constexpr size_t window_width = 256 * 1024;

Step csj_parser::open_body() {
  if (ended()) {
    if (!final) return Step::more;
    state = State::done;
    return Step::done;
  }
  if (peek() == '[') {
    consume();
    state = State::firstItem;
    return Step::done;
  }
  top = {};
  ordinal = 0;
  top.begin = base + tokens[token];
  consume();
  state = State::firstMember;
  return Step::done;
}

Step csj_parser::close_array() {
  consume();
  state = enclosed ? State::memberSeparator : State::tail;
  return Step::done;
}

Step csj_parser::close_object(csj_row &row, csj_cell *cells, bool &produced) {
  consume();
  top.end = base + after;
  state = State::tail;
  if (enclosed) return Step::done;
  // The last member may hold what the members before it did not.
  if (auto status = worst_blemish(0, top.end); top.status == csj_ok) top.status = status;
  row = top;
  memcpy(cells, top_cells, sizeof(top_cells));
  produced = true;
  return Step::done;
}

Step csj_parser::top_member() {
  bool plain = plain_member(top, top_cells), events = !plain;
  auto step = plain ? Step::done : member(top, top_cells, events);
  if (step != Step::done) return step;
  if (events) consume();
  enclosed |= events;
  state = events ? State::firstItem : State::memberSeparator;
  if (auto status = worst_blemish(0, base + after); top.status == csj_ok) top.status = status;
  return step;
}

/// One step through a body that is one JSON value. Every step can start anew at `position` in a later window.
Step csj_parser::advance(csj_row &row, csj_cell *cells, bool &produced) {
  if (state == State::start) {
    if (!ended() && peek() != '[' && peek() != '{') {
      auto step = item(row, cells);
      if (step != Step::done) return step;
      produced = true;
      state = State::tail;
      return step;
    }
    return open_body();
  }
  if (state == State::tail) {
    if (!ended()) return broken(csj_trailing);
    if (!final) return Step::more;
    state = State::done;
    return Step::done;
  }
  if (ended()) return out_of_tokens();
  uint8_t mark = peek();
  switch (state) {
    case State::firstItem:
      if (mark == ']') return close_array();
      [[fallthrough]];
    case State::item: {
      auto step = item(row, cells);
      if (step != Step::done) return step;
      if (auto status = worst_blemish(row.begin, row.end)) row.status = status;
      produced = true;
      state = State::separator;
      return step;
    }
    case State::separator:
      if (mark == ']') return close_array();
      if (mark != ',') return broken(csj_malformed);
      consume();
      state = State::item;
      return Step::done;
    case State::firstMember:
      if (mark == '}') return close_object(row, cells, produced);
      [[fallthrough]];
    case State::member: return top_member();
    default:
      if (mark == '}') return close_object(row, cells, produced);
      if (mark != ',') return broken(csj_malformed);
      consume();
      state = State::member;
      return Step::done;
  }
}

/// The next window starts where the step that did not fit began; a step that fills its window gets a wider one.
bool csj_parser::refill() {
  bool between = state == State::start || state == State::tail;
  if (loaded && between) position = base + (ended() ? size : tokens[token]);
  bool stuck = loaded && position == base;
  if (stuck && width >= event_limit) {
    problem = csj_too_large;
    return false;
  }
  width = stuck ? width * 2 : window_width;
  if (top.present && !keep_top()) {
    problem = csj_out_of_memory;
    return false;
  }
  loaded = true;
  return load();
}

size_t csj_parser::next_values(csj_row *rows, csj_cell *cells, size_t capacity) {
  size_t count = 0;
  bool is_broken = !loaded && state != State::done && !refill();
  while (count < capacity && state != State::done) {
    bool produced = false;
    auto step = Step::broken;
    if (!is_broken) step = advance(rows[count], cells + count * CSJ_SLOTS, produced);
    if (step == Step::more) {
      if (count > 0) return count;
      is_broken = !refill();
      continue;
    }
    if (step == Step::done) {
      position = base + after;
      count += produced;
      continue;
    }
    rows[count] = {};
    rows[count].begin = rows[count].end = position;
    rows[count].status = problem;
    rows[count].breaks = true;
    state = State::done;
    count++;
  }
  return count;
}

size_t csj_next(csj_parser *parser, csj_row *rows, csj_cell *cells, size_t capacity) {
  bool lines = parser->state == State::lines;
  size_t count =
      lines ? parser->next_lines(rows, cells, capacity) : parser->next_values(rows, cells, capacity);
  for (size_t i = 0; i < count; i++) {
    // A mended window may be a few bytes longer than what was sent.
    rows[i].begin = parser->origin + std::min<size_t>(rows[i].begin, parser->length);
    rows[i].end = parser->origin + std::min<size_t>(rows[i].end, parser->length);
  }
  return count;
}

/// Whether the first line is a whole object by its looks and more follows: then a break in one line ends with it.
static bool looks_like_lines(const uint8_t *body, size_t length) {
  size_t begin = 0;
  while (begin < length && (body[begin] == ' ' || (body[begin] >= '\t' && body[begin] <= '\r'))) begin++;
  if (begin == length || body[begin] != '{') return false;
  auto newline = static_cast<const uint8_t *>(memchr(body + begin, '\n', length - begin));
  if (!newline) return false;
  size_t end = static_cast<size_t>(newline - body), rest = end;
  while (end > begin && (body[end] == '\n' || body[end] == '\r' || body[end] == ' ')) end--;
  while (rest < length && (body[rest] == ' ' || (body[rest] >= '\t' && body[rest] <= '\r'))) rest++;
  return body[end] == '}' && end > begin && rest < length;
}

void csj_begin(csj_parser *parser, const uint8_t *body, size_t length, csj_format format) {
  bool marked = length >= 3 && memcmp(body, "\xEF\xBB\xBF", 3) == 0;
  parser->origin = marked ? 3 : 0;
  body += parser->origin;
  length -= parser->origin;
  bool lines = format == csj_lines || (format == csj_sniff && looks_like_lines(body, length));
  parser->body = body;
  parser->length = length;
  parser->state = lines ? State::lines : State::start;
  parser->enclosed = parser->loaded = false;
  parser->position = parser->base = parser->line = 0;
  parser->window_end = parser->single_until = 0;
  parser->width = window_width;
  parser->top = {};
  parser->ignored_count = 0;
  if (length == 0) parser->state = State::done;
}

bool csj_envelope(const csj_parser *parser, csj_row *row, csj_cell *cells) {
  if (!parser->enclosed) return false;
  *row = parser->top;
  memcpy(cells, parser->top_cells, sizeof(parser->top_cells));
  return true;
}

csj_word csj_ignored(const csj_parser *parser, size_t number) {
  if (number >= parser->ignored_count) return {nullptr, 0, 0};
  return {parser->ignored_names[number], parser->ignored_lengths[number], 0};
}

csj_parser *csj_parser_create(const csj_words *keys, size_t event_limit, size_t depth_limit) {
  return new (std::nothrow) csj_parser(keys, event_limit, depth_limit);
}

void csj_parser_destroy(csj_parser *parser) { delete parser; }
