#include <cstdlib>

#include "words.hpp"

static size_t buckets(size_t count) {
  size_t width = 8;
  while (width < count * 8) width *= 2;
  return width;
}

csj_words *csj_words_create(const csj_word *words, size_t count) {
  size_t bytes = 0, width = buckets(count);
  for (size_t i = 0; i < count; i++) bytes += words[i].length;
  auto table = static_cast<csj_words *>(calloc(1, sizeof(csj_words)));
  if (!table) return nullptr;
  table->entries = static_cast<csj_words::Entry *>(calloc(count + 1, sizeof(csj_words::Entry)));
  table->index = static_cast<uint16_t *>(calloc(width, sizeof(uint16_t)));
  table->text = static_cast<uint8_t *>(malloc(bytes + 1));
  table->mask = width - 1;
  if (count >= UINT16_MAX || !table->entries || !table->index || !table->text) {
    csj_words_destroy(table);
    return nullptr;
  }
  uint8_t *text = table->text;
  for (size_t i = 0; i < count; i++) {
    memcpy(text, words[i].text, words[i].length);
    auto head = csj_words::head(text, words[i].length), tail = csj_words::tail(text, words[i].length);
    auto slot = csj_words::hash(head, tail, words[i].length) & table->mask;
    while (table->index[slot] != 0) slot = (slot + 1) & table->mask;
    table->index[slot] = static_cast<uint16_t>(i + 1);
    table->entries[i] = {head, tail, text, static_cast<uint32_t>(words[i].length), words[i].value};
    text += words[i].length;
  }
  return table;
}

void csj_words_destroy(csj_words *table) {
  if (!table) return;
  free(table->entries);
  free(table->index);
  free(table->text);
  free(table);
}

int32_t csj_words_find(const csj_words *words, const uint8_t *text, size_t length) { return words->find(text, length); }
