#include "SixelLoops.h"

#include <string.h>

enum { band_rows = 6, nothing = 0xFFFFFFFFu };

enum { max_run = 0xFFFF };

// The same pixels of a colour in one or more columns.
typedef struct {
  uint32_t next, column;
  uint16_t run;
  uint8_t bits;
} mark;

size_t qd_sixel_scratch(size_t width) { return width * (band_rows * sizeof(mark) + 8); }

// Each mark is at most a colour's number with the return before it (5 bytes), a gap (7), and a run (7).
size_t qd_sixel_band_capacity(size_t width) { return band_rows * width * 20 + 64; }

static uint8_t *write_number(uint8_t *to, size_t value) {
  uint8_t digits[20];
  int count = 0;
  do {
    digits[count++] = (uint8_t)('0' + value % 10);
    value /= 10;
  } while (value > 0);
  while (count > 0) *to++ = digits[--count];
  return to;
}

static uint8_t *write_run(uint8_t *to, size_t count, uint8_t bits) {
  uint8_t character = (uint8_t)('?' + bits);
  if (count > 3) {
    *to++ = '!';
    to = write_number(to, count);
    *to++ = character;
    return to;
  }
  while (count-- > 0) *to++ = character;
  return to;
}

static uint8_t color_of(const qd_sixel_map *map, const uint8_t *rgb) {
  return map->colors[(uint32_t)map->red[rgb[0]] + map->green[rgb[1]] + map->blue[rgb[2]]];
}

double qd_sixel_loss(const qd_sixel_map *map, const uint8_t *rgb, size_t count, size_t step) {
  uint64_t sum = 0, looked = 0;
  for (size_t i = 0; i < count; i += step, looked++) {
    uint8_t color = color_of(map, rgb + 3 * i);
    for (int k = 0; k < 3; k++) {
      int32_t other = color < map->count ? map->palette[color][k] : 0, difference = rgb[3 * i + (size_t)k] - other;
      sum += (uint64_t)(difference * difference);
    }
  }
  return looked > 0 ? (double)sum / (double)looked : 0;
}

// The colours of a row's pixels, each in its place among those of its column.
static void color_row(const qd_sixel_map *map, const uint8_t *rgb, size_t side, size_t width, uint8_t *colors) {
  for (size_t x = 0; x < width; rgb += 3) {
    uint8_t color = color_of(map, rgb);
    size_t end = x + side < width ? x + side : width;
    for (; x < end; x++) colors[8 * x] = color;
  }
}

// The bytes of a word that have a value, as bits.
static uint32_t equal_bytes(uint64_t word, uint8_t value) {
  const uint64_t ones = 0x0101010101010101, low = 0x7F7F7F7F7F7F7F7F;
  uint64_t other = word ^ ones * value;
  uint64_t differs = ((other & low) + low) | other;
  return (uint32_t)((~differs >> 7 & ones) * 0x0102040810204080 >> 56);
}

size_t qd_sixel_band(
    const qd_sixel_map *map, const uint8_t *rgb, size_t source_width, size_t source_height, size_t side, size_t top, size_t rows,
    size_t width, void *scratch, uint8_t *output) {
  mark *marks = scratch;
  // Eight bytes for each column.
  uint8_t *colors = (uint8_t *)(marks + band_rows * width);
  for (size_t row = 0; row < rows; row++) {
    size_t source = (top + row) / side;
    if (source >= source_height) source = source_height - 1;
    color_row(map, rgb + 3 * source_width * source, side, width, colors + row);
  }
  // Each colour's marks are a list from left to right.
  uint32_t first[256], last[256];
  memset(first, 0xFF, sizeof first);
  uint32_t count = 0;
  for (uint32_t x = 0; x < width; x++) {
    uint64_t column;
    memcpy(&column, colors + 8 * x, sizeof column);
    for (uint32_t left = (1u << rows) - 1; left != 0;) {
      uint8_t color = (uint8_t)(column >> 8 * __builtin_ctz(left));
      uint32_t bits = equal_bytes(column, color) & left;
      left &= ~bits;
      if (first[color] == nothing) {
        first[color] = count;
      } else {
        mark *latest = marks + last[color];
        // The same pixels once more: a run.
        if (latest->bits == bits && latest->column + latest->run == x && latest->run < max_run) {
          latest->run++;
          continue;
        }
        latest->next = count;
      }
      marks[count] = (mark){.next = nothing, .column = x, .run = 1, .bits = (uint8_t)bits};
      last[color] = count++;
    }
  }
  uint8_t *to = output;
  // None after the last band: it would begin another one.
  if (top > 0) *to++ = '-';
  int is_first = 1;
  for (int color = 0; color < 256; color++) {
    if (first[color] == nothing) continue;
    if (!is_first) *to++ = '$';
    is_first = 0;
    *to++ = '#';
    to = write_number(to, (size_t)color);
    size_t x = 0;
    for (uint32_t at = first[color]; at != nothing; at = marks[at].next) {
      if (marks[at].column > x) to = write_run(to, marks[at].column - x, 0);
      to = write_run(to, marks[at].run, marks[at].bits);
      x = marks[at].column + marks[at].run;
    }
  }
  return (size_t)(to - output);
}
