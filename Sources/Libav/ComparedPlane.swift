import CPixelLoops
import Pixels

/// A plane of two frames with equal layouts, and the blocks of its samples that become output pixels.
struct ComparedPlane {
  private struct Component {
    /// The component's place in the layout.
    var number: Int
    var layout: SampleLayout.Component
    var columns: [qd_block]
    /// True if each block is one sample, and that after the one of the block before.
    var areSingle: Bool
  }

  /// The samples of a row that belong to any block.
  let samples: Range<Int>
  private let index: Int
  private let components: [Component]
  private let rows: [qd_block]
  private let isWide: Bool
  /// The factor for values of 0…255.
  private let scale: Float

  private init?(_ index: Int, _ layout: SampleLayout, across: SampleBlocks, down: SampleBlocks) {
    self.index = index
    components = layout.components.enumerated().filter { $1.plane == index }.map { number, component in
      let columns = across.shared(component.chromaShift.across)
      return Component(number: number, layout: component, columns: columns, areSingle: SampleBlocks.areSingle(columns))
    }
    guard let first = components.first else { return nil }
    rows = down.shared(first.layout.chromaShift.down)
    isWide = layout.isWide
    scale = 1 / Float(1 << (layout.bits - 8))
    let starts = components.map { Int($0.columns.first?.first ?? 0) * $0.layout.step + $0.layout.offset }
    let ends = components.map { (Int($0.columns.last?.end ?? 1) - 1) * $0.layout.step + $0.layout.offset + 1 }
    samples = (starts.min() ?? 0)..<(ends.max() ?? 1)
  }

  /// Returns the planes of a layout.
  static func all(of layout: SampleLayout, across: SampleBlocks, down: SampleBlocks) -> [ComparedPlane] {
    Set(layout.components.map(\.plane)).sorted().compactMap { ComparedPlane($0, layout, across: across, down: down) }
  }

  /// Reduces the differences in the blocks of one row to a value for each output pixel and component, 0…255 or less than 0.
  ///
  /// - Parameter memory: room for the plane's `samples`, as `qd_fold_size` says.
  func reduce(
    _ a: SamplePlanes, _ b: SamplePlanes, row: Int, _ measure: qd_measure, _ memory: UnsafeMutableRawPointer,
    into values: inout [[Float]]
  ) {
    guard let first = a.bytes[index], let second = b.bytes[index] else { return }
    let block = rows[row]
    let left = samples.lowerBound * (isWide ? 2 : 1)
    let pair = qd_row_pair(
      a: first + Int(block.first) * a.strides[index] + left, b: second + Int(block.first) * b.strides[index] + left,
      a_stride: a.strides[index], b_stride: b.strides[index], rows: Int(block.end - block.first))
    (isWide ? qd_fold_16 : qd_fold_8)(pair, samples.count, measure, memory)
    for component in components {
      component.columns.withUnsafeBufferPointer { columns in
        let blocks = qd_blocks(
          blocks: columns.baseAddress, count: columns.count, step: component.layout.step, offset: component.layout.offset,
          start: samples.lowerBound, are_single: component.areSingle ? 1 : 0)
        (isWide ? qd_reduce_16 : qd_reduce_8)(
          memory, samples.count, measure, pair.rows, blocks, scale, &values[component.number])
      }
    }
  }
}
