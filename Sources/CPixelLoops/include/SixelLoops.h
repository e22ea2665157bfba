// Writes pixels as sixels: rows of characters, each of which sets up to six pixels, one above the other, to one colour.
//
// In C because it goes through every pixel of every frame.
#ifndef QUADRILLE_SIXELLOOPS_H
#define QUADRILLE_SIXELLOOPS_H

#include <stddef.h>
#include <stdint.h>

enum { qd_sixel_colors = 252 };

// A palette, and what tells the number of a pixel's colour in it: `colors` at the sum of its parts.
typedef struct {
  uint8_t palette[qd_sixel_colors][3];
  size_t count;
  uint16_t red[256], green[256], blue[256];
  uint8_t colors[1 << 15];
} qd_sixel_map;

// The bytes of memory that choosing a palette takes, aligned to 8.
size_t qd_sixel_fit_scratch(void);

// Chooses at most `limit` colours for `count` pixels of R, G and B, told apart by their five highest bits: boxes of them are cut in
// two where they vary most, and each box becomes its mean. Other pixels have no colour in the map.
void qd_sixel_fit(const uint8_t *rgb, size_t count, size_t limit, void *scratch, qd_sixel_map *map);

// Gives all other pixels the nearest of the map's colours.
void qd_sixel_complete(qd_sixel_map *map);

// The mean squared difference, summed over R, G and B, between each `step`-th of some pixels and the map's colour of it.
double qd_sixel_loss(const qd_sixel_map *map, const uint8_t *rgb, size_t count, size_t step);

// The bytes of memory that encoding rows of `width` pixels takes, aligned to 8.
size_t qd_sixel_scratch(size_t width);

// The most bytes that one band of six rows of `width` pixels takes.
size_t qd_sixel_band_capacity(size_t width);

// Writes one band as at most `qd_sixel_band_capacity` bytes, and returns their number. `rgb` has `source_width` pixels of R, G and
// B in each of its `source_height` rows; each is `side` pixels wide and high. The band begins `top` pixels below the first row, and
// has `rows` (1…6) rows of `width` pixels.
size_t qd_sixel_band(
    const qd_sixel_map *map, const uint8_t *rgb, size_t source_width, size_t source_height, size_t side, size_t top, size_t rows,
    size_t width, void *scratch, uint8_t *output);

#endif
