#include "CAreaShrink.h"

#include <string.h>

// The loader picks the version for the processor.
// The thread sanitizer's calls in the loader's choice would come before it is ready.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define QD_NO_CLONES
#endif
#endif
#if defined(__x86_64__) && defined(__linux__) && !defined(QD_NO_CLONES)
#define QD_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define QD_CLONES
#endif

void qd_divide(qd_axis axis, qd_share *shares) {
  for (size_t i = 0; i < axis.parts; i++) {
    double begin = axis.span * (double)i / (double)axis.parts;
    double end = axis.span * (double)(i + 1) / (double)axis.parts;
    size_t first = (size_t)begin, last = (size_t)end;
    if (last >= axis.samples) {
      last = axis.samples - 1;
      if (first > last) first = last;
    }
    double until = end - (double)last;
    shares[i] = (qd_share){.first = (uint32_t)first, .last = (uint32_t)last};
    if (first == last) {
      // All of it lies in one sample.
      shares[i].first_weight = (float)(end - begin);
    } else {
      shares[i].first_weight = (float)((double)(first + 1) - begin);
      shares[i].last_weight = (float)(until < 1 ? until : 1);
    }
    size_t between = last > first ? last - first - 1 : 0;
    shares[i].inverse_size = 1 / (shares[i].first_weight + shares[i].last_weight + (float)between);
  }
}

// Rows are added up with weights of 1/256, which are whole numbers; columns with weights as they are.
enum { row_unit = 256 };

// Rows that count fully are added up in `SUM`, which holds `MOST` of them: in narrow numbers more fit into a vector.
#define QD_SHRINK(NAME, SAMPLE, SUM, MOST)                                                                            \
  /* One pixel's columns of a row of sums. */                                                                         \
  static inline uint16_t NAME##_pixel(const uint32_t *sums, size_t step, qd_share part, float scale) {                \
    const uint32_t *from = sums + (size_t)part.first * step, *end = sums + (size_t)part.last * step;                  \
    uint64_t middle = 0;                                                                                              \
    _Pragma("clang loop vectorize(disable)")                                                                          \
    for (const uint32_t *p = from + step; p < end; p += step) middle += *p;                                           \
    float sum = (float)*from * part.first_weight + (float)*end * part.last_weight + (float)middle;                    \
    float value = sum * scale * part.inverse_size + 0.5f;                                                             \
    return value < 65535 ? (uint16_t)value : 65535;                                                                   \
  }                                                                                                                   \
  QD_CLONES void NAME(                                                                                                \
      const uint8_t *input, ptrdiff_t stride, size_t samples, size_t step, int bits, const qd_share *column_shares,   \
      size_t columns, const qd_share *row_shares, size_t rows, uint16_t *const *outputs, uint32_t *scratch) {         \
    size_t count = samples * step;                                                                                    \
    uint32_t *restrict sums = scratch;                                                                                \
    SUM *restrict whole = (SUM *)(void *)(scratch + count);                                                           \
    for (size_t y = 0; y < rows; y++) {                                                                               \
      qd_share share = row_shares[y];                                                                                 \
      const uint8_t *row = input + (ptrdiff_t)share.first * stride;                                                   \
      const SAMPLE *a = (const SAMPLE *)(const void *)row;                                                            \
      const SAMPLE *z = (const SAMPLE *)(const void *)(input + (ptrdiff_t)share.last * stride);                       \
      size_t between = share.last > share.first ? share.last - share.first - 1 : 0;                                   \
      memset(sums, 0, count * sizeof *sums);                                                                          \
      size_t part = between;                                                                                          \
      row += stride;                                                                                                  \
      for (; part > MOST; part -= MOST) {                                                                             \
        /* More than the narrow sums hold; rare, and so one by one. */                                                \
        for (size_t n = 0; n < MOST; n++, row += stride) {                                                            \
          const SAMPLE *b = (const SAMPLE *)(const void *)row;                                                        \
          for (size_t i = 0; i < count; i++) sums[i] += (uint32_t)b[i] * row_unit;                                    \
        }                                                                                                             \
      }                                                                                                               \
      memset(whole, 0, count * sizeof *whole);                                                                        \
      for (; part >= 8; part -= 8, row += 8 * stride) {                                                               \
        const SAMPLE *r[8];                                                                                           \
        for (int k = 0; k < 8; k++) r[k] = (const SAMPLE *)(const void *)(row + k * stride);                          \
        for (size_t i = 0; i < count; i++) {                                                                          \
          SUM four = (SUM)(r[0][i] + r[1][i] + r[2][i] + r[3][i]);                                                    \
          whole[i] = (SUM)(whole[i] + four + (SUM)(r[4][i] + r[5][i] + r[6][i] + r[7][i]));                           \
        }                                                                                                             \
      }                                                                                                               \
      for (; part > 0; part--, row += stride) {                                                                       \
        const SAMPLE *b = (const SAMPLE *)(const void *)row;                                                          \
        for (size_t i = 0; i < count; i++) whole[i] = (SUM)(whole[i] + b[i]);                                         \
      }                                                                                                               \
      uint32_t first_weight = (uint32_t)(share.first_weight * row_unit + 0.5f);                                       \
      uint32_t last_weight = (uint32_t)(share.last_weight * row_unit + 0.5f);                                         \
      for (size_t i = 0; i < count; i++) {                                                                            \
        sums[i] += (uint32_t)whole[i] * row_unit + a[i] * first_weight + z[i] * last_weight;                          \
      }                                                                                                               \
      double height = (double)(first_weight + last_weight) + (double)row_unit * (double)between;                      \
      float scale = (float)((double)(1 << (16 - bits)) / height);                                                     \
      for (size_t k = 0; k < step; k++) {                                                                             \
        uint16_t *to = outputs[k] + y * columns;                                                                      \
        if (step == 1) {                                                                                              \
          for (size_t x = 0; x < columns; x++) to[x] = NAME##_pixel(sums, 1, column_shares[x], scale);                \
        } else {                                                                                                      \
          for (size_t x = 0; x < columns; x++) to[x] = NAME##_pixel(sums + k, step, column_shares[x], scale);         \
        }                                                                                                             \
      }                                                                                                               \
    }                                                                                                                 \
  }

QD_SHRINK(qd_shrink_8, uint8_t, uint16_t, 257)
QD_SHRINK(qd_shrink_16, uint16_t, uint32_t, 65536)

static inline int32_t clamped(float value) {
  value = value < 0 ? 0 : value;
  value = value > 255 ? 255 : value;
  return (int32_t)(value + 0.5f);
}

QD_CLONES void qd_yuv_to_bgr0(
    const uint16_t *y, const uint16_t *u, const uint16_t *v, size_t count, qd_yuv_matrix matrix, uint8_t *output) {
  uint32_t *restrict to = (uint32_t *)(void *)output;
  const float zero = 32768;
  if (!u || !v) {
    for (size_t i = 0; i < count; i++) to[i] = (uint32_t)clamped(((float)y[i] - matrix.black) * matrix.y) * 0x010101;
    return;
  }
  for (size_t i = 0; i < count; i++) {
    float light = ((float)y[i] - matrix.black) * matrix.y, cb = (float)u[i] - zero, cr = (float)v[i] - zero;
    int32_t red = clamped(light + cr * matrix.red_v);
    int32_t green = clamped(light + cb * matrix.green_u + cr * matrix.green_v);
    int32_t blue = clamped(light + cb * matrix.blue_u);
    to[i] = (uint32_t)(blue | green << 8 | red << 16);
  }
}
