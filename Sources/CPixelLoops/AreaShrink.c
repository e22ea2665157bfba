#include "AreaShrink.h"

#include <string.h>

#include "clones.h"

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

size_t qd_taps(const qd_share *shares, size_t parts) {
  size_t most = 0;
  for (size_t i = 0; i < parts; i++) {
    size_t samples = (size_t)shares[i].last - shares[i].first + 1;
    if (samples > most) most = samples;
  }
  return (most + 3) / 4 * 4;
}

void qd_weigh(const qd_share *shares, size_t parts, size_t taps, float *weights) {
  memset(weights, 0, parts * taps * sizeof *weights);
  for (size_t i = 0; i < parts; i++, weights += taps) {
    qd_share share = shares[i];
    size_t last = (size_t)share.last - share.first;
    for (size_t k = 1; k < last; k++) weights[k] = share.inverse_size;
    weights[0] = share.first_weight * share.inverse_size;
    if (last > 0) weights[last] = share.last_weight * share.inverse_size;
  }
}

// Sixteen columns at a time: compilers make of these types whatever vectors the processor has.
enum { lanes = 16 };
typedef uint8_t samples_8 __attribute__((vector_size(lanes), aligned(1)));
typedef uint16_t samples_16 __attribute__((vector_size(2 * lanes), aligned(2)));
typedef uint16_t sums_8 __attribute__((vector_size(2 * lanes)));
typedef uint32_t sums_16 __attribute__((vector_size(4 * lanes)));
typedef float means __attribute__((vector_size(4 * lanes)));
typedef float stored_means __attribute__((vector_size(4 * lanes), aligned(4)));
typedef float four __attribute__((vector_size(16)));
typedef float stored_four __attribute__((vector_size(16), aligned(4)));
typedef float eight __attribute__((vector_size(32)));
#define QD_INLINE static inline __attribute__((always_inline))

// The mean of the rows of a share, times `scale`, column by column. Rows that count fully are added up in whole numbers,
// which hold `MOST` of them: in narrow ones more fit into a vector.
//
// The rows below are fetched into the cache meanwhile: processors do so by themselves for long rows only, and most of
// the time would go into waiting.
#define QD_MEAN_OF_ROWS(NAME, SAMPLE, SAMPLES, SUMS, MOST)                                                             \
  QD_INLINE void NAME(                                                                                                \
      const uint8_t *input, ptrdiff_t stride, size_t count, qd_share share, float scale, float *restrict output) {    \
    enum { line = 64 / sizeof(SAMPLE), most_fetched = 64 };                                                           \
    const uint8_t *row = input + (ptrdiff_t)share.first * stride, *end = input + (ptrdiff_t)share.last * stride;      \
    ptrdiff_t between = share.last > share.first ? (ptrdiff_t)(share.last - share.first) - 1 : 0;                     \
    float whole = share.inverse_size * scale, first = share.first_weight * whole, last = share.last_weight * whole;   \
    size_t i = 0;                                                                                                     \
    for (; i + lanes <= count; i += lanes) {                                                                          \
      const uint8_t *p = row + i * sizeof(SAMPLE), *z = end + i * sizeof(SAMPLE);                                     \
      if (i % line == 0) {                                                                                            \
        for (ptrdiff_t k = 1; k <= between + 1 && k <= most_fetched; k++) __builtin_prefetch(z + k * stride);         \
      }                                                                                                               \
      means mean = __builtin_convertvector(*(const SAMPLES *)(const void *)p, means) * first;                         \
      for (ptrdiff_t left = between; left > 0; left -= MOST) {                                                        \
        SUMS sum = {0};                                                                                               \
        for (ptrdiff_t k = left < MOST ? left : MOST; k > 0; k--) {                                                   \
          p += stride;                                                                                                \
          sum += __builtin_convertvector(*(const SAMPLES *)(const void *)p, SUMS);                                    \
        }                                                                                                             \
        mean += __builtin_convertvector(sum, means) * whole;                                                          \
      }                                                                                                               \
      mean += __builtin_convertvector(*(const SAMPLES *)(const void *)z, means) * last;                               \
      *(stored_means *)(void *)(output + i) = mean;                                                                   \
    }                                                                                                                 \
    for (; i < count; i++) {                                                                                          \
      const uint8_t *p = row + i * sizeof(SAMPLE), *z = end + i * sizeof(SAMPLE);                                     \
      float mean = (float)*(const SAMPLE *)(const void *)p * first + (float)*(const SAMPLE *)(const void *)z * last;  \
      uint32_t sum = 0;                                                                                               \
      for (ptrdiff_t k = 0; k < between; k++) sum += *(const SAMPLE *)(const void *)(p += stride);                    \
      output[i] = mean + (float)sum * whole;                                                                          \
    }                                                                                                                 \
  }

QD_MEAN_OF_ROWS(mean_of_rows_8, uint8_t, samples_8, sums_8, 257)
QD_MEAN_OF_ROWS(mean_of_rows_16, uint16_t, samples_16, sums_16, 65536)

#define QD_LOAD(VALUES) (*(const stored_four *)(const void *)(VALUES))
#define QD_BOTH(A, B) __builtin_shufflevector(A, B, 0, 1, 2, 3, 4, 5, 6, 7)

// The sums of neighbours, first of `A` and then of `B`, in each half.
#define QD_SUMS_OF_PAIRS(A, B)                                                                                         \
  (__builtin_shufflevector(A, B, 0, 2, 8, 10, 4, 6, 12, 14) + __builtin_shufflevector(A, B, 1, 3, 9, 11, 5, 7, 13, 15))

// Values of each of two rows times the weights of a pixel, added up four by four.
QD_INLINE void weigh(const float *a, const float *b, const float *weights, size_t taps, eight *sum) {
  *sum = QD_BOTH(QD_LOAD(a), QD_LOAD(b)) * QD_BOTH(QD_LOAD(weights), QD_LOAD(weights));
  for (size_t k = 4; k < taps; k += 4) {
    *sum += QD_BOTH(QD_LOAD(a + k), QD_LOAD(b + k)) * QD_BOTH(QD_LOAD(weights + k), QD_LOAD(weights + k));
  }
}

// Each pixel's mean of the columns in its share, for two rows that share the weights.
QD_INLINE void mean_of_columns(
    const float *a, const float *b, qd_columns columns, size_t taps, uint16_t *to_a, uint16_t *to_b) {
  typedef int32_t whole_eight __attribute__((vector_size(32)));
  typedef uint16_t narrow_eight __attribute__((vector_size(16)));
  const eight most = (eight){0} + 65535;
  const float *weights = columns.weights;
  size_t x = 0;
  for (; x + 4 <= columns.count; x += 4) {
    eight t[4];
    for (int k = 0; k < 4; k++, weights += taps) {
      size_t first = columns.shares[x + k].first;
      weigh(a + first, b + first, weights, taps, t + k);
    }
    eight low = QD_SUMS_OF_PAIRS(t[0], t[1]), high = QD_SUMS_OF_PAIRS(t[2], t[3]);
    eight mean = QD_SUMS_OF_PAIRS(low, high) + 0.5f;
    mean = __builtin_elementwise_min(mean, most);
    narrow_eight pixels = __builtin_convertvector(__builtin_convertvector(mean, whole_eight), narrow_eight);
    memcpy(to_a + x, &pixels, sizeof pixels / 2);
    memcpy(to_b + x, (const char *)&pixels + sizeof pixels / 2, sizeof pixels / 2);
  }
  for (; x < columns.count; x++, weights += taps) {
    size_t first = columns.shares[x].first;
    eight t;
    weigh(a + first, b + first, weights, taps, &t);
    float mean_a = t[0] + t[1] + (t[2] + t[3]) + 0.5f, mean_b = t[4] + t[5] + (t[6] + t[7]) + 0.5f;
    to_a[x] = (uint16_t)(mean_a < most[0] ? mean_a : most[0]);
    to_b[x] = (uint16_t)(mean_b < most[0] ? mean_b : most[0]);
  }
}

#define QD_SHRINK(NAME, MEAN_OF_ROWS)                                                                                 \
  QD_CLONES void NAME(                                                                                                \
      qd_plane plane, qd_columns columns, const qd_share *rows, size_t row_count, uint16_t *const *outputs,           \
      float *scratch) {                                                                                               \
    size_t count = plane.samples * plane.step, taps = columns.taps;                                                   \
    /* Taps without weight may lie beyond the row. */                                                                 \
    size_t padded = plane.samples + taps;                                                                             \
    memset(scratch, 0, 2 * padded * plane.step * sizeof *scratch);                                                    \
    float scale = (float)(1 << (16 - plane.bits));                                                                    \
    for (size_t y = 0; y < row_count; y += 2) {                                                                       \
      /* Of an odd number of rows, the last one is its own partner. */                                                \
      size_t partner = y + 1 < row_count ? y + 1 : y;                                                                 \
      for (size_t n = 0; n < 2; n++) {                                                                                \
        float *own = scratch + padded * plane.step * n;                                                               \
        /* Interleaved samples are first put behind the places that they go to. */                                    \
        float *restrict values = plane.step == 1 ? own : scratch + 2 * padded * plane.step;                           \
        MEAN_OF_ROWS(plane.bytes, plane.stride, count, rows[n ? partner : y], scale, values);                         \
        if (plane.step == 1) continue;                                                                                \
        float *restrict even = own, *restrict odd = own + padded;                                                     \
        for (size_t i = 0; i < plane.samples; i++) even[i] = values[2 * i], odd[i] = values[2 * i + 1];               \
      }                                                                                                               \
      for (size_t k = 0; k < plane.step; k++) {                                                                       \
        const float *a = scratch + padded * k, *b = scratch + padded * (plane.step + k);                              \
        uint16_t *to_a = outputs[k] + y * columns.count, *to_b = outputs[k] + partner * columns.count;                \
        switch (taps) {                                                                                               \
        case 4: mean_of_columns(a, b, columns, 4, to_a, to_b); break;                                                 \
        case 8: mean_of_columns(a, b, columns, 8, to_a, to_b); break;                                                 \
        case 12: mean_of_columns(a, b, columns, 12, to_a, to_b); break;                                               \
        default: mean_of_columns(a, b, columns, taps, to_a, to_b);                                                    \
        }                                                                                                             \
      }                                                                                                               \
    }                                                                                                                 \
  }

QD_SHRINK(qd_shrink_8, mean_of_rows_8)
QD_SHRINK(qd_shrink_16, mean_of_rows_16)

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
