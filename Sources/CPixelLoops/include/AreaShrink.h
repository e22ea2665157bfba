// Shrinks planes of samples by averaging, and turns the small image into RGB.
//
// In C because compilers turn such loops into vector code at once, for the processor that the program finds itself on.
#ifndef QUADRILLE_AREASHRINK_H
#define QUADRILLE_AREASHRINK_H

#include <stddef.h>
#include <stdint.h>

// One axis of a plane: `parts` pixels of equal size are laid over the first `span` of `samples` samples.
typedef struct {
  size_t samples;
  double span;
  size_t parts;
} qd_axis;

// A pixel's share of an axis: the weights (0…1) of its first and its last sample; those between count fully. And one
// through the sum of all weights.
typedef struct {
  uint32_t first, last;
  float first_weight, last_weight, inverse_size;
} qd_share;

// Fills `shares` with the shares of all parts of an axis.
void qd_divide(qd_axis axis, qd_share *shares);

// How many samples are weighed for each part at the most, rounded up to whole vectors.
size_t qd_taps(const qd_share *shares, size_t parts);

// Fills `taps` weights for each part, of the samples from its first one on: their sum is 1, and those beyond its share are 0.
void qd_weigh(const qd_share *shares, size_t parts, size_t taps, float *weights);

// A plane of samples. A row holds `step` (1 or 2) samples of `bits` bits for each of `samples` columns, interleaved.
typedef struct {
  const uint8_t *bytes;
  ptrdiff_t stride;
  size_t samples, step;
  int bits;
} qd_plane;

// The columns of pixels: their shares of a row, and what `qd_weigh` makes of them.
typedef struct {
  const qd_share *shares;
  const float *weights;
  size_t count, taps;
} qd_columns;

// Averages the samples in each pixel's share of columns and rows, all of which come from `qd_divide`, into `step`
// outputs of `columns.count` × `row_count` values from 0 to 65535: samples are scaled to that. `scratch` has room for
// 3 * `step` * (`samples` + `taps`) values. Samples of 16 bits are in native byte order, `stride` is in bytes.
void qd_shrink_8(
    qd_plane plane, qd_columns columns, const qd_share *rows, size_t row_count, uint16_t *const *outputs, float *scratch);
void qd_shrink_16(
    qd_plane plane, qd_columns columns, const qd_share *rows, size_t row_count, uint16_t *const *outputs, float *scratch);

// What makes R, G and B (0…255) of Y, U and V (0…65535): factors, and what is taken away from Y first.
typedef struct {
  float black, y, red_v, green_u, green_v, blue_u;
} qd_yuv_matrix;

// Writes `count` pixels as bytes B, G, R, 0 (on little-endian machines, which all of this is for). Without colour planes
// they are grey.
void qd_yuv_to_bgr0(
    const uint16_t *y, const uint16_t *u, const uint16_t *v, size_t count, qd_yuv_matrix matrix, uint8_t *output);

#endif
