/// A measurement of a frame's values, drawn as an image.
public enum FrameScope: String, CaseIterable, Hashable, Sendable {
  /// A histogram of luma: values from left to right, the height of a bar as the square root of the number.
  case histogram
  /// Histograms of red, green and blue, drawn over each other in these colours.
  case rgbHistogram
  /// The luma values in each column of the frame: columns from left to right, values from bottom to top, brighter where more
  /// pixels are.
  case waveform
  /// The chroma values: Cb from left to right, Cr from bottom to top, brighter where more pixels are. Grey is in the middle.
  case vectorscope
}
