#include "FrameDifference.h"

#include <string.h>

#include "clones.h"

#define QD_INLINE static inline __attribute__((always_inline))

typedef uint8_t sample_8;
// Frames need not be aligned.
typedef uint16_t sample_16 __attribute__((aligned(1), may_alias));

// Folded columns: an array of sums, or one or two of whole samples, of which the second begins after the padded first one.
static size_t padded(size_t count) { return (count + 63) / 64 * 64; }
size_t qd_fold_size(size_t count) { return padded(count) * sizeof(int32_t); }

// Sums of a few rows fit into 16 bits where samples have 8: vectors hold twice as many.
enum { most_rows_8 = 128, strip = 512 };

#define QD_ROWS(SAMPLE)                                                                                               \
  const SAMPLE *restrict a = (const SAMPLE *)(const void *)(pair.a + (ptrdiff_t)y * pair.a_stride);                   \
  const SAMPLE *restrict b = (const SAMPLE *)(const void *)(pair.b + (ptrdiff_t)y * pair.b_stride);

#define QD_FOLD_GREATEST(NAME, SAMPLE, FOLDED)                                                                        \
  QD_INLINE void NAME##_distance(qd_row_pair pair, size_t count, FOLDED *restrict most) {                             \
    for (size_t y = 0; y < pair.rows; y++) {                                                                          \
      QD_ROWS(SAMPLE)                                                                                                 \
      for (size_t i = 0; i < count; i++) {                                                                            \
        FOLDED high = a[i] > b[i] ? a[i] : b[i], low = a[i] > b[i] ? b[i] : a[i];                                     \
        FOLDED distance = (FOLDED)(high - low);                                                                       \
        most[i] = distance > most[i] ? distance : most[i];                                                            \
      }                                                                                                               \
    }                                                                                                                 \
  }                                                                                                                   \
  QD_INLINE void NAME##_difference(                                                                                   \
      qd_row_pair pair, size_t count, FOLDED *restrict above, FOLDED *restrict below) {                               \
    for (size_t y = 0; y < pair.rows; y++) {                                                                          \
      QD_ROWS(SAMPLE)                                                                                                 \
      for (size_t i = 0; i < count; i++) {                                                                            \
        FOLDED high = a[i] > b[i] ? a[i] : b[i];                                                                      \
        FOLDED over = (FOLDED)(high - b[i]), under = (FOLDED)(high - a[i]);                                           \
        above[i] = over > above[i] ? over : above[i];                                                                 \
        below[i] = under > below[i] ? under : below[i];                                                               \
      }                                                                                                               \
    }                                                                                                                 \
  }

QD_FOLD_GREATEST(greatest_8, sample_8, uint8_t)
QD_FOLD_GREATEST(greatest_16, sample_16, uint16_t)

// Adds up one strip of columns of a few rows.
#define QD_SUM_8(NAME, DIFFERENCE)                                                                                    \
  QD_INLINE void NAME(qd_row_pair pair, size_t count, int32_t *restrict sums) {                                       \
    for (size_t begin = 0; begin < count; begin += strip) {                                                           \
      size_t length = count - begin < strip ? count - begin : strip;                                                  \
      for (size_t first = 0; first < pair.rows; first += most_rows_8) {                                               \
        size_t end = pair.rows - first < most_rows_8 ? pair.rows : first + most_rows_8;                               \
        int16_t some[strip] = {0};                                                                                    \
        for (size_t y = first; y < end; y++) {                                                                        \
          const uint8_t *restrict a = pair.a + (ptrdiff_t)y * pair.a_stride + begin;                                  \
          const uint8_t *restrict b = pair.b + (ptrdiff_t)y * pair.b_stride + begin;                                  \
          for (size_t i = 0; i < length; i++) some[i] = (int16_t)(some[i] + (DIFFERENCE));                            \
        }                                                                                                             \
        for (size_t i = 0; i < length; i++) sums[begin + i] += some[i];                                               \
      }                                                                                                               \
    }                                                                                                                 \
  }

QD_SUM_8(sum_distances_8, (a[i] > b[i] ? a[i] : b[i]) - (a[i] > b[i] ? b[i] : a[i]))
QD_SUM_8(sum_differences_8, a[i] - b[i])

#define QD_SUM_16(NAME, DIFFERENCE)                                                                                   \
  QD_INLINE void NAME(qd_row_pair pair, size_t count, int32_t *restrict sums) {                                       \
    for (size_t y = 0; y < pair.rows; y++) {                                                                          \
      QD_ROWS(sample_16)                                                                                              \
      for (size_t i = 0; i < count; i++) sums[i] += (DIFFERENCE);                                                     \
    }                                                                                                                 \
  }

QD_SUM_16(sum_distances_16, (a[i] > b[i] ? a[i] : b[i]) - (a[i] > b[i] ? b[i] : a[i]))
QD_SUM_16(sum_differences_16, a[i] - b[i])

#define QD_FOLD(BITS, FOLDED)                                                                                         \
  QD_CLONES void qd_fold_##BITS(qd_row_pair pair, size_t count, qd_measure measure, void *folded) {                   \
    memset(folded, 0, qd_fold_size(count));                                                                           \
    switch (measure) {                                                                                                \
    case qd_greatest_distance: greatest_##BITS##_distance(pair, count, folded); break;                                \
    case qd_greatest_difference:                                                                                      \
      greatest_##BITS##_difference(pair, count, folded, (FOLDED *)folded + padded(count));                            \
      break;                                                                                                          \
    case qd_mean_distance: sum_distances_##BITS(pair, count, folded); break;                                          \
    case qd_mean_difference: sum_differences_##BITS(pair, count, folded); break;                                      \
    }                                                                                                                 \
  }

QD_FOLD(8, uint8_t)
QD_FOLD(16, uint16_t)

// The greatest of a block's samples, which are `step` apart.
#define QD_GREATEST_OF(NAME, FOLDED)                                                                                  \
  QD_INLINE FOLDED NAME(const FOLDED *samples, size_t step, qd_block block) {                                         \
    FOLDED most = samples[block.first * step];                                                                        \
    for (size_t i = block.first + 1; i < block.end; i++) most = samples[i * step] > most ? samples[i * step] : most;  \
    return most;                                                                                                      \
  }

QD_GREATEST_OF(greatest_of_8, uint8_t)
QD_GREATEST_OF(greatest_of_16, uint16_t)

#define QD_REDUCE(BITS, FOLDED)                                                                                       \
  QD_INLINE void reduce_##BITS(                                                                                       \
      const void *folded, size_t count, qd_measure measure, size_t rows, qd_blocks blocks, size_t step, float scale,  \
      float *restrict output) {                                                                                       \
    ptrdiff_t origin = (ptrdiff_t)blocks.offset - (ptrdiff_t)blocks.start;                                            \
    const FOLDED *above = (const FOLDED *)folded + origin, *below = above + padded(count);                            \
    const int32_t *sums = (const int32_t *)folded + origin;                                                           \
    switch (measure) {                                                                                                \
    case qd_greatest_distance:                                                                                        \
      if (blocks.are_single) {                                                                                        \
        const FOLDED *restrict first = above + blocks.blocks[0].first * step;                                         \
        for (size_t x = 0; x < blocks.count; x++) output[x] = (float)first[x * step] * scale;                         \
        return;                                                                                                       \
      }                                                                                                               \
      for (size_t x = 0; x < blocks.count; x++) {                                                                     \
        output[x] = (float)greatest_of_##BITS(above, step, blocks.blocks[x]) * scale;                                 \
      }                                                                                                               \
      return;                                                                                                         \
    case qd_greatest_difference:                                                                                      \
      if (blocks.are_single) {                                                                                        \
        const FOLDED *restrict first = above + blocks.blocks[0].first * step, *restrict other = first + padded(count); \
        for (size_t x = 0; x < blocks.count; x++) {                                                                   \
          int32_t over = first[x * step], under = other[x * step];                                                    \
          output[x] = (float)(over >= under ? over : -under) * scale;                                                 \
        }                                                                                                             \
        return;                                                                                                       \
      }                                                                                                               \
      for (size_t x = 0; x < blocks.count; x++) {                                                                     \
        int32_t over = greatest_of_##BITS(above, step, blocks.blocks[x]);                                             \
        int32_t under = greatest_of_##BITS(below, step, blocks.blocks[x]);                                            \
        output[x] = (float)(over >= under ? over : -under) * scale;                                                   \
      }                                                                                                               \
      return;                                                                                                         \
    case qd_mean_distance:                                                                                            \
    case qd_mean_difference:                                                                                          \
      if (blocks.are_single) {                                                                                        \
        const int32_t *restrict first = sums + blocks.blocks[0].first * step;                                         \
        for (size_t x = 0; x < blocks.count; x++) output[x] = (float)first[x * step] / (float)rows * scale;           \
        return;                                                                                                       \
      }                                                                                                               \
      for (size_t x = 0; x < blocks.count; x++) {                                                                     \
        qd_block block = blocks.blocks[x];                                                                            \
        int64_t sum = 0;                                                                                              \
        for (size_t i = block.first; i < block.end; i++) sum += sums[i * step];                                       \
        output[x] = (float)((double)sum / (double)((block.end - block.first) * rows) * scale);                        \
      }                                                                                                               \
      return;                                                                                                         \
    }                                                                                                                 \
  }                                                                                                                   \
  QD_CLONES void qd_reduce_##BITS(                                                                                    \
      const void *folded, size_t count, qd_measure measure, size_t rows, qd_blocks blocks, float scale,               \
      float *output) {                                                                                                \
    if (blocks.step == 1) {                                                                                           \
      reduce_##BITS(folded, count, measure, rows, blocks, 1, scale, output);                                          \
    } else {                                                                                                          \
      reduce_##BITS(folded, count, measure, rows, blocks, blocks.step, scale, output);                                \
    }                                                                                                                 \
  }

QD_REDUCE(8, uint8_t)
QD_REDUCE(16, uint16_t)

QD_CLONES void qd_keep_greater(float *restrict values, const float *restrict others, size_t count) {
  for (size_t i = 0; i < count; i++) {
    float value = values[i], other = others[i];
    values[i] = __builtin_fabsf(other) > __builtin_fabsf(value) ? other : value;
  }
}

QD_INLINE uint8_t as_byte(float value, float factor, int offset) {
  value *= factor;
  value += value < 0 ? -0.5f : 0.5f;
  value = value < -256 ? -256 : value;
  value = value > 256 ? 256 : value;
  int byte = (int)value + offset;
  byte = byte < 0 ? 0 : byte;
  return (uint8_t)(byte > 255 ? 255 : byte);
}

QD_CLONES void qd_write_grey(const float *restrict values, size_t count, float factor, int offset, uint8_t *restrict output) {
  for (size_t i = 0; i < count; i++, output += 3) {
    uint8_t grey = as_byte(values[i], factor, offset);
    output[0] = grey;
    output[1] = grey;
    output[2] = grey;
  }
}

QD_CLONES void qd_write_colours(
    const float *restrict values, size_t count, float factor, const uint8_t *restrict table, uint8_t *restrict output) {
  for (size_t i = 0; i < count; i++, output += 3) memcpy(output, table + 3 * as_byte(values[i], factor, 0), 3);
}

QD_CLONES void qd_write_rgb(const float *const *values, size_t count, float factor, int offset, uint8_t *restrict output) {
  const float *restrict red = values[0], *restrict green = values[1], *restrict blue = values[2];
  for (size_t i = 0; i < count; i++, output += 3) {
    output[0] = as_byte(red[i], factor, offset);
    output[1] = as_byte(green[i], factor, offset);
    output[2] = as_byte(blue[i], factor, offset);
  }
}

// BT.709's weights; their sum is 65536.
#define QD_LUMA(BITS, SAMPLE)                                                                                         \
  QD_CLONES void qd_luma_##BITS(qd_rgb_row row, size_t count, uint16_t *restrict output) {                            \
    const SAMPLE *red = (const void *)row.red, *green = (const void *)row.green, *blue = (const void *)row.blue;      \
    uint32_t half = 1u << (row.bits - 1), most = (1u << row.bits) - 1;                                                \
    for (size_t i = 0; i < count; i++) {                                                                              \
      /* Samples may have more bits than they should. */                                                              \
      uint32_t r = red[i * row.step] & most, g = green[i * row.step] & most, b = blue[i * row.step] & most;           \
      output[i] = (uint16_t)((r * 13933 + g * 46871 + b * 4732 + half) >> row.bits);                                  \
    }                                                                                                                 \
  }

QD_LUMA(8, sample_8)
QD_LUMA(16, sample_16)

#define QD_GATHER(NAME, SAMPLE, OUTPUT)                                                                               \
  QD_CLONES void NAME(qd_spread_row row, size_t count, uint8_t *output) {                                             \
    const SAMPLE *restrict from = (const void *)row.samples;                                                          \
    OUTPUT *restrict to = (void *)output;                                                                             \
    size_t step = row.step;                                                                                           \
    for (size_t i = 0; i < count; i++) to[i] = (OUTPUT)((uint32_t)from[i * step] >> row.right << row.left);           \
  }

QD_GATHER(qd_gather_8_to_8, sample_8, sample_8)
QD_GATHER(qd_gather_8_to_16, sample_8, sample_16)
QD_GATHER(qd_gather_16_to_16, sample_16, sample_16)

QD_INLINE uint16_t as_sample(float value) {
  value = value < 0 ? 0 : value;
  value = value > 65535 ? 65535 : value;
  return (uint16_t)(int32_t)(value + 0.5f);
}

QD_CLONES void qd_change_luma(
    uint16_t *restrict y, size_t count, const uint16_t *restrict u, const uint16_t *restrict v, size_t chroma_count, int shift,
    qd_matrix_change change) {
  if (shift == 0) {
    for (size_t x = 0; x < count; x++) {
      y[x] = as_sample((float)y[x] + change.y_u * ((float)u[x] - 32768) + change.y_v * ((float)v[x] - 32768));
    }
    return;
  }
  float part = 1 / (float)(1 << shift);
  size_t mask = ((size_t)1 << shift) - 1;
  for (size_t x = 0; x < count; x++) {
    size_t i = x >> shift, j = i + 1 < chroma_count ? i + 1 : i;
    float share = (float)(x & mask) * part;
    float at_i = change.y_u * ((float)u[i] - 32768) + change.y_v * ((float)v[i] - 32768);
    float at_j = change.y_u * ((float)u[j] - 32768) + change.y_v * ((float)v[j] - 32768);
    y[x] = as_sample((float)y[x] + at_i + (at_j - at_i) * share);
  }
}

QD_CLONES void qd_change_chroma(uint16_t *restrict u, uint16_t *restrict v, size_t count, qd_matrix_change change) {
  for (size_t x = 0; x < count; x++) {
    float from_u = (float)u[x] - 32768, from_v = (float)v[x] - 32768;
    u[x] = as_sample(change.u_u * from_u + change.u_v * from_v + 32768);
    v[x] = as_sample(change.v_u * from_u + change.v_v * from_v + 32768);
  }
}

void qd_high_bytes(const uint16_t *restrict samples, size_t count, uint8_t *restrict output) {
  for (size_t i = 0; i < count; i++) output[i] = (uint8_t)(samples[i] >> 8);
}

QD_INLINE void turn(
    const uint8_t *input, ptrdiff_t across, ptrdiff_t down, size_t size, uint8_t *output, ptrdiff_t stride, size_t width,
    size_t height) {
  for (size_t y = 0; y < height; y++) {
    const uint8_t *from = input + (ptrdiff_t)y * down;
    uint8_t *to = output + (ptrdiff_t)y * stride;
    for (size_t x = 0; x < width; x++, from += across, to += size) memcpy(to, from, size);
  }
}

void qd_turn(
    const uint8_t *input, ptrdiff_t across, ptrdiff_t down, size_t size, uint8_t *output, ptrdiff_t stride, size_t width,
    size_t height) {
  switch (size) {
  case 1: turn(input, across, down, 1, output, stride, width, height); break;
  case 2: turn(input, across, down, 2, output, stride, width, height); break;
  case 3: turn(input, across, down, 3, output, stride, width, height); break;
  default: turn(input, across, down, size, output, stride, width, height);
  }
}
