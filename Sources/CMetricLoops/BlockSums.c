#include "MetricLoops.h"

#include <string.h>

#include "clones.h"
#include "fetch.h"

#define QD_INLINE static inline __attribute__((always_inline))

// Planes need not be aligned.
typedef uint16_t sample_16 __attribute__((aligned(1), may_alias));

// Block by block, for any depth.
#define QD_PLAIN_BLOCK(SAMPLE, SUM)                                                                                   \
  SUM a = 0, b = 0, squares = 0, products = 0;                                                                        \
  for (int y = 0; y < 4; y++) {                                                                                       \
    const SAMPLE *p = (const SAMPLE *)(const void *)(pair.a + y * pair.a_stride) + 4 * i;                             \
    const SAMPLE *q = (const SAMPLE *)(const void *)(pair.b + y * pair.b_stride) + 4 * i;                             \
    for (int x = 0; x < 4; x++) {                                                                                     \
      SUM s = p[x], t = q[x];                                                                                         \
      a += s;                                                                                                         \
      b += t;                                                                                                         \
      squares += s * s + t * t;                                                                                       \
      products += s * t;                                                                                              \
    }                                                                                                                 \
  }

#define QD_STORE_DEEP                                                                                                 \
  sums.a[i] = (double)a;                                                                                              \
  sums.b[i] = (double)b;                                                                                              \
  sums.squares[i] = (double)squares;                                                                                  \
  sums.products[i] = (double)products;                                                                                \
  error += (uint64_t)squares - 2 * (uint64_t)products;

// Fetches the next row of blocks into the cache: rows are too short for the processor to do so by itself, and most of the time
// would go into waiting. Fetching never fails, also below the last row.
#define QD_FETCH_BELOW(OFFSET)                                                                                        \
  __builtin_prefetch(pair.a + (y + 4) * pair.a_stride + (ptrdiff_t)(OFFSET));                                         \
  __builtin_prefetch(pair.b + (y + 4) * pair.b_stride + (ptrdiff_t)(OFFSET));

// Compilers do not find the instruction that all of this lives on (a[2 i] × b[2 i] + a[2 i + 1] × b[2 i + 1]), so it is named
// for vectors of 32 and of 16 bytes.
#define QD_VECTOR_BYTES 16
#define QD_NAME(NAME) NAME##_128
#define QD_TARGET
#ifdef __SSE2__
#define QD_PRODUCTS(A, B) __builtin_ia32_pmaddwd128(A, B)
#else
typedef int16_t four_shorts __attribute__((vector_size(8)));
typedef int32_t four_ints __attribute__((vector_size(16)));
#define QD_HALF(V, FIRST)                                                                                             \
  __builtin_convertvector(__builtin_shufflevector(V, V, FIRST, FIRST + 2, FIRST + 4, FIRST + 6), four_ints)
#define QD_PRODUCTS(A, B) (QD_HALF(A, 0) * QD_HALF(B, 0) + QD_HALF(A, 1) * QD_HALF(B, 1))
#endif
#include "BlockSums.template.h"
#undef QD_VECTOR_BYTES
#undef QD_NAME
#undef QD_TARGET
#undef QD_PRODUCTS

#ifdef __x86_64__
#define QD_VECTOR_BYTES 32
#define QD_NAME(NAME) NAME##_256
#define QD_TARGET __attribute__((target("avx2")))
#define QD_PRODUCTS(A, B) __builtin_ia32_pmaddwd256(A, B)
#include "BlockSums.template.h"
#define QD_CALL_BEST(NAME, ...)                                                                                       \
  return __builtin_cpu_supports("avx2") ? NAME##_256(__VA_ARGS__) : NAME##_128(__VA_ARGS__)
#else
#define QD_CALL_BEST(NAME, ...) return NAME##_128(__VA_ARGS__)
#endif

uint64_t qd_block_sums_8(qd_plane_pair pair, size_t blocks, qd_block_sums sums) {
  QD_CALL_BEST(block_sums_8, pair, blocks, sums);
}

uint64_t qd_block_sums_12(qd_plane_pair pair, size_t blocks, qd_deep_block_sums sums) {
  QD_CALL_BEST(block_sums_12, pair, blocks, sums);
}

QD_CLONES uint64_t qd_block_sums_16(qd_plane_pair pair, size_t blocks, qd_deep_block_sums sums) {
  uint64_t error = 0;
  for (size_t i = 0; i < blocks; i++) {
    QD_PLAIN_BLOCK(sample_16, uint64_t)
    QD_STORE_DEEP
  }
  return error;
}

#define QD_SUM(FIELD) (upper.FIELD[i] + upper.FIELD[i + 1] + lower.FIELD[i] + lower.FIELD[i + 1])

// The quotients are stored first and added up in a loop of their own, a few at a time, so that both become vector code.
enum { strip = 256, adders = 8 };

QD_INLINE double sum_of(const float *values, size_t count) {
  double sums[adders] = {0};
  size_t i = 0;
  for (; i + adders <= count; i += adders) {
    for (size_t k = 0; k < adders; k++) sums[k] += values[i + k];
  }
  double sum = 0;
  for (; i < count; i++) sum += values[i];
  for (size_t k = 0; k < adders; k++) sum += sums[k];
  return sum;
}

#define QD_WINDOWS(TYPE, ADD)                                                                                         \
  float values[strip];                                                                                                \
  for (size_t begin = 0; begin < count; begin += strip) {                                                             \
    size_t part = count - begin < strip ? count - begin : strip;                                                      \
    for (size_t k = 0; k < part; k++) {                                                                               \
      size_t i = begin + k;                                                                                           \
      TYPE a = QD_SUM(a), b = QD_SUM(b), squares = QD_SUM(squares), products = QD_SUM(products);                      \
      TYPE means = a * b, powers = a * a + b * b;                                                                     \
      TYPE covariance = products * 64 - means, variances = squares * 64 - powers;                                     \
      float above = (float)(2 * means + c1) * (float)(2 * covariance + c2);                                           \
      float below = (float)(powers + c1) * (float)(variances + c2);                                                   \
      values[k] = above / below;                                                                                      \
    }                                                                                                                 \
    ADD                                                                                                               \
    if (map) memcpy(map + begin, values, part * sizeof *values);                                                      \
  }

QD_CLONES double qd_windows_8(qd_block_sums upper, qd_block_sums lower, size_t count, float *map) {
  const int32_t c1 = 416, c2 = 235963;
  double sum = 0;
  QD_WINDOWS(int32_t, sum += sum_of(values, part);)
  return sum;
}

// Whole numbers below 2^53 are exact in 64-bit floating point, and so are these. FFmpeg adds up a row in 32 bits, which shows in
// the last decimal now and then.
QD_CLONES double qd_windows_deep(
    qd_deep_block_sums upper, qd_deep_block_sums lower, size_t count, double c1, double c2, float *map) {
  float sum = 0;
  QD_WINDOWS(double, for (size_t k = 0; k < part; k++) sum += values[k];)
  return sum;
}

// So many squares of 8 bits fit into 32 bits.
enum { most_squares = 32768 };

QD_CLONES uint64_t qd_squared_error_8(qd_plane_pair pair, size_t width, size_t height) {
  uint64_t error = 0;
  for (size_t y = 0; y < height; y++) {
    const uint8_t *p = pair.a + (ptrdiff_t)y * pair.a_stride, *q = pair.b + (ptrdiff_t)y * pair.b_stride;
    QD_FETCH_NEXT(p, width)
    QD_FETCH_NEXT(q, width)
    for (size_t begin = 0; begin < width; begin += most_squares) {
      size_t end = width - begin < most_squares ? width : begin + most_squares;
      uint32_t sum = 0;
      for (size_t x = begin; x < end; x++) {
        int32_t d = p[x] - q[x];
        sum += (uint32_t)(d * d);
      }
      error += sum;
    }
  }
  return error;
}

QD_CLONES uint64_t qd_squared_error_16(qd_plane_pair pair, size_t width, size_t height) {
  uint64_t error = 0;
  for (size_t y = 0; y < height; y++) {
    const sample_16 *p = (const void *)(pair.a + (ptrdiff_t)y * pair.a_stride);
    const sample_16 *q = (const void *)(pair.b + (ptrdiff_t)y * pair.b_stride);
    QD_FETCH_NEXT(p, 2 * width)
    QD_FETCH_NEXT(q, 2 * width)
    for (size_t x = 0; x < width; x++) {
      int64_t d = (int64_t)p[x] - q[x];
      error += (uint64_t)(d * d);
    }
  }
  return error;
}
