// simdjson on its own terms: what the rows are measured against and checked with.

#include "parser.hpp"

using simdjson::dom::element;
using simdjson::dom::element_type;

bool csj_simdjson_accepts(const uint8_t *body, size_t length) {
  static thread_local simdjson::dom::parser parser;
  return parser.parse(body, length, true).error() == simdjson::SUCCESS;
}

bool csj_valid_utf8(const uint8_t *text, size_t length) {
  return simdjson::validate_utf8(reinterpret_cast<const char *>(text), length);
}

static size_t visit(element value) {
  size_t total = 0;
  switch (value.type()) {
    case element_type::OBJECT:
      for (auto member : simdjson::dom::object(value.get_object().value_unsafe()))
        total += member.key.size() + visit(member.value);
      return total;
    case element_type::ARRAY:
      for (auto item : simdjson::dom::array(value.get_array().value_unsafe())) total += visit(item);
      return total;
    case element_type::STRING: return value.get_string_length().value_unsafe();
    default: return 1;
  }
}

size_t csj_simdjson_walk(const uint8_t *body, size_t length) {
  static thread_local simdjson::dom::parser parser;
  size_t total = 0;
  if (length > 0 && body[0] == '{') {
    simdjson::dom::document_stream stream;
    if (parser.parse_many(body, length, 1 << 18).get(stream)) return 0;
    for (auto document : stream) {
      element root;
      if (!document.get(root)) total += visit(root);
    }
    return total;
  }
  element root;
  if (!parser.parse(body, length, true).get(root)) total = visit(root);
  return total;
}
