import CPixelLoops
import Pixels

/// The steps through a frame's memory that its turned pixels come from, in bytes.
struct Turn {
  /// The place of the pixel that is displayed at the top left.
  let origin: Int
  /// From one displayed pixel to its right-hand neighbour.
  let across: Int
  /// From one displayed pixel to the one below.
  let down: Int

  init(_ orientation: Orientation, displayed: PixelSize, element: Int, stride: Int) {
    func place(_ x: Int, _ y: Int) -> Int {
      let place = orientation.sourcePixel(x: x, y: y, displayed: displayed)
      return place.y * stride + place.x * element
    }
    origin = place(0, 0)
    across = place(1, 0) - origin
    down = place(0, 1) - origin
  }
}

extension SamplePlanes {
  /// Copies the samples to planes of the same layout and the turned size.
  ///
  /// - Precondition: chroma is alike in both directions if width and height are swapped.
  func turn(_ orientation: Orientation, into output: SamplePlanes) {
    for (plane, component) in Dictionary(grouping: layout.components, by: \.plane).compactMapValues(\.first) {
      guard let input = bytes[plane], let target = output.bytes[plane] else { continue }
      let shift = component.chromaShift
      let size = PixelSize(width: -(-output.size.width >> shift.across), height: -(-output.size.height >> shift.down))
      let element = component.step * (layout.isWide ? 2 : 1)
      let turn = Turn(orientation, displayed: size, element: element, stride: strides[plane])
      qd_turn(
        input + turn.origin, turn.across, turn.down, element, UnsafeMutablePointer(mutating: target), output.strides[plane],
        size.width, size.height)
    }
  }
}
