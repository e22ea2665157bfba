// Fits cells of a terminal to samples: for each cell, the shape and the two colours with the smallest squared error.
//
// In C because compilers turn such loops into vector code at once, for the processor that the program finds itself on.
#ifndef QUADRILLE_CELLFIT_H
#define QUADRILLE_CELLFIT_H

#include <stddef.h>
#include <stdint.h>

// A cell: a shape, and the colours of its ink and of the rest as B, G, R.
typedef struct {
  // 0 for one colour, that of the background; `foreground` is then the same.
  uint8_t shape;
  uint8_t foreground[3], background[3];
  // The mean of the upper half less that of the cell, as B, G, R.
  int8_t upper[3];
  uint8_t unused[2];
} qd_cell;

enum {
  // The samples of a cell.
  qd_cell_width = 4,
  qd_cell_height = 8,
  // The families of shapes. Blocks are always tried.
  qd_fit_sextants = 1,
  qd_fit_octants = 2,
  // Shapes: a quadrant's mask below 8 (bit 0 upper left, bit 1 upper right, bit 2 lower left); then 1, 2, 3, 5, 6, 7 eighths
  // from below, and as many from the left; then a sextant's mask below 32, and an octant's below 128, row by row.
  qd_shape_lower = 8,
  qd_shape_left = 14,
  qd_shape_sextant = 32,
  qd_shape_octant = 128,
};

// Returns 1 for masks of octants whose ink is the rest, because no other glyph is common.
int qd_octant_is_inverted(unsigned mask);

// Returns 1 for masks of octants that other shapes draw as well.
int qd_octant_is_redundant(unsigned mask);

// Fits `count` cells side by side. Their samples are 8 rows of 4 × `count` pixels, `stride` bytes apart: R, G, B, or B, G, R and
// a byte that is ignored.
void qd_fit_rgb(const uint8_t *samples, ptrdiff_t stride, size_t count, unsigned families, qd_cell *output);
void qd_fit_bgr0(const uint8_t *samples, ptrdiff_t stride, size_t count, unsigned families, qd_cell *output);

#endif
