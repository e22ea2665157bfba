// Sums over the samples of two planes, of which fidelity metrics are made.
//
// In C because compilers turn such loops into vector code at once, for the processor that the program finds itself on.
#ifndef QUADRILLE_METRICLOOPS_H
#define QUADRILLE_METRICLOOPS_H

#include <stddef.h>
#include <stdint.h>

// The samples of two planes: bytes, or 16-bit words in little-endian byte order at any address. Strides are in bytes.
typedef struct {
  const uint8_t *a, *b;
  ptrdiff_t a_stride, b_stride;
} qd_plane_pair;

// The sum of (a − b)² over `width` × `height` samples.
uint64_t qd_squared_error_8(qd_plane_pair pair, size_t width, size_t height);
uint64_t qd_squared_error_16(qd_plane_pair pair, size_t width, size_t height);

// Sums over each of some blocks of 4×4 samples that lie side by side: of a, of b, of a² + b², of a × b.
typedef struct {
  int32_t *a, *b, *squares, *products;
} qd_block_sums;
typedef struct {
  double *a, *b, *squares, *products;
} qd_deep_block_sums;

// Fills the sums of `blocks` blocks and returns the sum of (a − b)² over all of them. For samples of 8 bits, at most 12 bits, and
// at most 16 bits. Sums of samples with more bits are wrong, but do no harm.
uint64_t qd_block_sums_8(qd_plane_pair pair, size_t blocks, qd_block_sums sums);
uint64_t qd_block_sums_12(qd_plane_pair pair, size_t blocks, qd_deep_block_sums sums);
uint64_t qd_block_sums_16(qd_plane_pair pair, size_t blocks, qd_deep_block_sums sums);

// The sum of the SSIM of `count` windows of 8×8 samples: window i lies on blocks i and i + 1 of both rows. All is computed in
// whole numbers, and the quotient in 32-bit floating point. If `map` is not null, each window's SSIM is stored there. The sum has
// 64 bits.
double qd_windows_8(qd_block_sums upper, qd_block_sums lower, size_t count, float *map);
// For samples of more than 8 bits. The sum has 32 bits, and windows are added in their order. `c1` and `c2` are the constants of
// SSIM for sums over 64 samples.
double qd_windows_deep(
    qd_deep_block_sums upper, qd_deep_block_sums lower, size_t count, double c1, double c2, float *map);

// A plane of samples of one or two bytes. The stride is in bytes.
typedef struct {
  const uint8_t *samples;
  ptrdiff_t stride;
} qd_metric_plane;

// The sum of |12 s − 2 (left + right + above + below) − the four diagonal neighbours| over all samples s. The plane must go on
// for one sample in all directions.
uint64_t qd_texture_8(qd_metric_plane plane, size_t width, size_t height);
uint64_t qd_texture_16(qd_metric_plane plane, size_t width, size_t height);

// The same for each 2×2 samples, from 6×6 samples. `width` and `height` count samples and are even; the plane must go on for two
// samples in all directions.
uint64_t qd_halved_texture_8(qd_metric_plane plane, size_t width, size_t height);
uint64_t qd_halved_texture_16(qd_metric_plane plane, size_t width, size_t height);

// The sum of |s − the sample before|; `planes` are the latest one and the one before.
uint64_t qd_change_8(const qd_metric_plane *planes, size_t width, size_t height);
uint64_t qd_change_16(const qd_metric_plane *planes, size_t width, size_t height);

// The sum of |s − 2 × the sample before + the one before that|; there are three planes.
uint64_t qd_acceleration_8(const qd_metric_plane *planes, size_t width, size_t height);
uint64_t qd_acceleration_16(const qd_metric_plane *planes, size_t width, size_t height);

// The same two for sums of 2×2 samples. `width` and `height` are even.
uint64_t qd_halved_change_8(const qd_metric_plane *planes, size_t width, size_t height);
uint64_t qd_halved_change_16(const qd_metric_plane *planes, size_t width, size_t height);
uint64_t qd_halved_acceleration_8(const qd_metric_plane *planes, size_t width, size_t height);
uint64_t qd_halved_acceleration_16(const qd_metric_plane *planes, size_t width, size_t height);

// Writes samples as floating point numbers, times `scale`.
void qd_widen_8(const uint8_t *samples, size_t count, float scale, float *output);
void qd_widen_16(const uint8_t *samples, size_t count, float scale, float *output);

// Writes one row of five products, each weighed over `taps` rows: of a, b, a², b², a × b. Rows are `stride` numbers apart.
// `output` has room for five rows of `count` numbers.
void qd_weigh_rows(
    const float *a, const float *b, size_t stride, size_t count, const float *weights, size_t taps, float *output);

// The sums over a row of the luminance, contrast and structure terms of SSIM. `rows` are five rows, each `stride` numbers after
// the one before, as `qd_weigh_rows` leaves them, with `taps` − 1 numbers more than `count`, and are weighed along the row first.
typedef struct {
  double luminance, contrast, structure;
} qd_ssim_terms;
qd_ssim_terms qd_terms_of_row(
    const float *rows, size_t stride, size_t count, const float *weights, size_t taps, float c1, float c2);

// Weighs `taps` rows, whose addresses are given, into one.
void qd_blend_rows(const float *const *rows, size_t count, const float *weights, size_t taps, float *output);

// Weighs `taps` numbers for each second number of a row: output i begins at 2 × i.
void qd_blend_columns(const float *row, size_t count, const float *weights, size_t taps, float *output);

#endif
