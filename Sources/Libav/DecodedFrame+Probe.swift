import CFFmpeg
import Pixels

extension DecodedFrame {
  /// Returns the pixel at a displayed position, with its code values and its colour.
  ///
  /// Of an interlaced frame, chroma is that of the field that the line belongs to, as when a field is shown. Only reads the
  /// frame, so several threads may do so at the same time, as long as none changes it.
  ///
  /// - Parameters:
  ///   - x: the position in fractions of the displayed frame's width, from 0 at the left edge up to 1.
  ///   - y: in fractions of its height, from the top.
  ///   - orientation: as the frame is displayed.
  /// - Returns: nil outside the frame, and for formats whose values are not whole numbers.
  /// - Throws: `AVError` if memory runs out or the pixel format is unknown.
  public func probe(x: Double, y: Double, orientation: Orientation) throws -> ProbedPixel? {
    guard !isEmpty, x >= 0, y >= 0, x < 1, y < 1 else { return nil }
    let displayed = orientation.swapsSides ? PixelSize(width: size.height, height: size.width) : size
    let place = orientation.sourcePixel(
      x: Int(x * Double(displayed.width)), y: Int(y * Double(displayed.height)), displayed: displayed)
    return try probe(column: place.x, row: place.y)
  }

  private func probe(column: Int, row: Int) throws -> ProbedPixel? {
    guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(rawValue: pointer.pointee.format)),
      descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_HWACCEL) == 0
    else { return nil }
    let format = descriptor.pointee
    let count = Int(format.nb_components)
    func value(_ component: Int) -> Int { Int(self.value(component, column: column, row: row, descriptor)) }
    let code: ProbedPixel.Code
    var alpha = format.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 ? value(count - 1) : nil
    if format.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0 {
      // The palette has native words of ARGB.
      guard let palette = pointer.pointee.data.1 else { return nil }
      let color = UnsafeRawPointer(palette).loadUnaligned(fromByteOffset: 4 * (value(0) & 255), as: UInt32.self)
      code = .rgb(red: Int(color >> 16 & 255), green: Int(color >> 8 & 255), blue: Int(color & 255))
      alpha = Int(color >> 24)
    } else if format.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 {
      code = .rgb(red: value(0), green: value(1), blue: value(2))
    } else {
      code = .yCbCr(y: value(0), cb: count >= 3 ? value(1) : nil, cr: count >= 3 ? value(2) : nil)
    }
    return ProbedPixel(
      x: column, y: row, code: code, alpha: alpha, bitDepth: bitDepth, shown: try shownColor(column: column, row: row))
  }

  /// Returns the value of a component that covers a pixel.
  private func value(
    _ component: Int, column: Int, row: Int, _ descriptor: UnsafePointer<AVPixFmtDescriptor>
  ) -> UInt32 {
    let frame = pointer.pointee
    let format = descriptor.pointee
    let isChroma = (component == 1 || component == 2) && format.nb_components >= 3
    let x = isChroma ? column >> Int(format.log2_chroma_w) : column
    var y = row
    if isChroma, format.log2_chroma_h > 0 {
      // Lines of a field alternate with those of the other.
      y = isInterlaced ? ((row / 2) >> Int(format.log2_chroma_h)) * 2 + row % 2 : row >> Int(format.log2_chroma_h)
      let rows = (Int(frame.height) + (1 << Int(format.log2_chroma_h)) - 1) >> Int(format.log2_chroma_h)
      if y >= rows { y = max(0, y - 2) }
    }
    var planes: [UnsafePointer<UInt8>?] = [frame.data.0, frame.data.1, frame.data.2, frame.data.3].map { plane in
      plane.map { UnsafePointer($0) }
    }
    let strides = [frame.linesize.0, frame.linesize.1, frame.linesize.2, frame.linesize.3]
    var value: UInt32 = 0
    av_read_image_line2(&value, &planes, strides, descriptor, Int32(x), Int32(y), Int32(component), 1, 0, 4)
    return value
  }

  /// Returns the colour of a pixel as the scaler shows it, of the lines it belongs to.
  private func shownColor(column: Int, row: Int) throws -> (red: UInt8, green: UInt8, blue: UInt8) {
    var request = ScaleRequest(size: size)
    request.keepsOpacity = true
    if isInterlaced { request.fields = row % 2 == 0 ? .top : .bottom }
    var source = try ScalerSource(pointer, request: request)
    let line = min(isInterlaced ? row / 2 : row, source.size.height - 1)
    let corner = source.crop(around: (column, line))
    request.size = source.size
    // Its own scaler: that of the renderer belongs to the lane's thread.
    return try Scaler().scale(source, of: self, to: request)[column - corner.x, line - corner.y]
  }
}
