// Sums of blocks in vectors of QD_VECTOR_BYTES bytes; included once for each size.

static QD_TARGET uint64_t QD_NAME(block_sums_8)(qd_plane_pair pair, size_t blocks, qd_block_sums sums) {
  enum { lanes = QD_VECTOR_BYTES / 4 };
  typedef int16_t shorts __attribute__((vector_size(QD_VECTOR_BYTES)));
  typedef uint16_t words __attribute__((vector_size(QD_VECTOR_BYTES)));
  typedef int32_t ints __attribute__((vector_size(QD_VECTOR_BYTES)));
  const shorts ones = (shorts){0} + 1;
  uint64_t error = 0;
  size_t i = 0;
  for (; i + lanes <= blocks; i += lanes) {
    // The bytes of a 32-bit lane are one row of a block. Even and odd ones become the two words of that lane.
    shorts a = {0}, b = {0};
    ints products = {0}, errors = {0};
    for (int y = 0; y < 4; y++) {
      words p, q;
      QD_FETCH_BELOW(4 * i)
      memcpy(&p, pair.a + y * pair.a_stride + 4 * i, sizeof p);
      memcpy(&q, pair.b + y * pair.b_stride + 4 * i, sizeof q);
      shorts p0 = (shorts)(p & 255), p1 = (shorts)(p >> 8), q0 = (shorts)(q & 255), q1 = (shorts)(q >> 8);
      shorts d0 = p0 - q0, d1 = p1 - q1;
      a += p0 + p1;
      b += q0 + q1;
      products += QD_PRODUCTS(p0, q0) + QD_PRODUCTS(p1, q1);
      errors += QD_PRODUCTS(d0, d0) + QD_PRODUCTS(d1, d1);
    }
    ints squares = errors + 2 * products, sum_a = QD_PRODUCTS(a, ones), sum_b = QD_PRODUCTS(b, ones);
    memcpy(sums.a + i, &sum_a, sizeof sum_a);
    memcpy(sums.b + i, &sum_b, sizeof sum_b);
    memcpy(sums.squares + i, &squares, sizeof squares);
    memcpy(sums.products + i, &products, sizeof products);
    uint32_t sum = 0;
    for (int k = 0; k < lanes; k++) sum += (uint32_t)errors[k];
    error += sum;
  }
  for (; i < blocks; i++) {
    QD_PLAIN_BLOCK(uint8_t, int32_t)
    sums.a[i] = a;
    sums.b[i] = b;
    sums.squares[i] = squares;
    sums.products[i] = products;
    error += (uint64_t)(squares - 2 * products);
  }
  return error;
}

static QD_TARGET uint64_t QD_NAME(block_sums_12)(qd_plane_pair pair, size_t blocks, qd_deep_block_sums sums) {
  enum { lanes = QD_VECTOR_BYTES / 4, half = lanes / 2 };
  typedef int16_t shorts __attribute__((vector_size(QD_VECTOR_BYTES)));
  typedef int32_t ints __attribute__((vector_size(QD_VECTOR_BYTES)));
  const shorts ones = (shorts){0} + 1;
  uint64_t error = 0;
  size_t i = 0;
  for (; i + half <= blocks; i += half) {
    // Two lanes are one row of a block.
    shorts a = {0}, b = {0};
    ints products = {0}, errors = {0};
    for (int y = 0; y < 4; y++) {
      shorts p, q;
      QD_FETCH_BELOW(8 * i)
      memcpy(&p, pair.a + y * pair.a_stride + 8 * i, sizeof p);
      memcpy(&q, pair.b + y * pair.b_stride + 8 * i, sizeof q);
      shorts d = p - q;
      a += p;
      b += q;
      products += QD_PRODUCTS(p, q);
      errors += QD_PRODUCTS(d, d);
    }
    ints sum_a = QD_PRODUCTS(a, ones), sum_b = QD_PRODUCTS(b, ones);
    for (size_t k = 0; k < half; k++) {
      int32_t product = products[2 * k] + products[2 * k + 1], own = errors[2 * k] + errors[2 * k + 1];
      sums.a[i + k] = (double)(sum_a[2 * k] + sum_a[2 * k + 1]);
      sums.b[i + k] = (double)(sum_b[2 * k] + sum_b[2 * k + 1]);
      sums.products[i + k] = (double)product;
      sums.squares[i + k] = (double)(own + 2 * product);
      error += (uint32_t)own;
    }
  }
  for (; i < blocks; i++) {
    QD_PLAIN_BLOCK(sample_16, uint32_t)
    QD_STORE_DEEP
  }
  return error;
}
