#pragma once
#include "csimdjson.h"

/// Open addressing over an index eight times as wide as there are words, so that a probe rarely goes on.
struct csj_words {
  struct Entry {
    uint64_t head, tail;
    const uint8_t *text;
    uint32_t length;
    uint16_t value;
  };
  Entry *entries;
  uint16_t *index;
  uint8_t *text;
  uint64_t mask;

  static uint64_t head(const uint8_t *text, size_t length) {
    return length < 8 ? csj_load_short(text, length) : csj_load(text);
  }
  static uint64_t tail(const uint8_t *text, size_t length) { return length < 8 ? 0 : csj_load(text + length - 8); }
  static uint64_t hash(uint64_t head, uint64_t tail, size_t length) {
    return csj_mix(head ^ length, 0x9E3779B97F4A7C15u ^ tail);
  }

  /// `guess` is the place of the word that stood here last time, and becomes that of this one.
  int32_t find(const uint8_t *word, size_t length, uint16_t &guess) const {
    if (length > 32) return -1;
    auto first = head(word, length), last = tail(word, length);
    const Entry &expected = entries[guess];
    if (length <= 16 && expected.head == first && expected.tail == last && expected.length == length)
      return expected.value;
    for (auto slot = hash(first, last, length) & mask; index[slot] != 0; slot = (slot + 1) & mask) {
      const Entry &entry = entries[index[slot] - 1];
      if (!same(entry, first, last, word, length)) continue;
      guess = static_cast<uint16_t>(index[slot] - 1);
      return entry.value;
    }
    return -1;
  }
  static bool same(const Entry &entry, uint64_t head, uint64_t tail, const uint8_t *word, size_t length) {
    return entry.head == head && entry.tail == tail && entry.length == length &&
           (length <= 16 || memcmp(entry.text, word, length) == 0);
  }

  int32_t find(const uint8_t *word, size_t length) const {
    uint16_t guess = 0;
    return find(word, length, guess);
  }
};
