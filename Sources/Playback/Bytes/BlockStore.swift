import Glibc

/// Blocks of a source's bytes within a budget, in an unnamed file or in memory. Not thread-safe.
///
/// Each block is filled from its beginning.
final class BlockStore {
  /// The size of a block in bytes.
  static let blockSize = 64 << 10

  private struct Block {
    var slot: Int
    /// The number of bytes from the block's beginning that are kept.
    var count = 0
    /// The number of the latest use.
    var use = 0
  }

  /// The storage of blocks, by slot.
  private enum Storage {
    case file(Descriptor)
    case memory([UnsafeMutableRawBufferPointer])
  }

  private var storage: Storage
  private var blocks: [Int64: Block] = [:]
  private var slotCount = 0
  private var uses = 0
  /// The maximum number of blocks.
  let capacity: Int

  /// - Parameters:
  ///   - folder: where an unnamed file for the blocks is made; nil to keep them in memory.
  ///   - bytes: the budget of a file.
  ///   - memory: the budget if there is no file.
  init(folder: String?, bytes: Int, memory: Int) {
    if let folder, let file = Descriptor.unnamedFile(in: folder) {
      storage = .file(file)
      capacity = max(8, bytes / Self.blockSize)
    } else {
      storage = .memory([])
      capacity = max(8, memory / Self.blockSize)
    }
  }

  deinit {
    if case .memory(let slots) = storage { for slot in slots { slot.deallocate() } }
  }

  static func number(at offset: Int64) -> Int64 { offset / Int64(blockSize) }

  // MARK: - Reading

  /// Returns the number of kept bytes from an offset on, up to the end of its block.
  func keptCount(at offset: Int64) -> Int {
    max(0, (blocks[Self.number(at: offset)]?.count ?? 0) - Int(offset % Int64(Self.blockSize)))
  }

  /// Returns the end of the kept bytes that follow an offset without a gap; the offset itself if there are none.
  func keptEnd(from offset: Int64) -> Int64 {
    var end = offset
    while case let count = keptCount(at: end), count > 0 { end += Int64(count) }
    return end
  }

  /// Returns the offset from which bytes must be fetched so that the one at `offset`, which is not kept, can be.
  func fetchStart(for offset: Int64) -> Int64 {
    let number = Self.number(at: offset)
    return number * Int64(Self.blockSize) + Int64(blocks[number]?.count ?? 0)
  }

  /// The ranges of offsets that are kept, in order.
  var keptRanges: [Range<Int64>] {
    var ranges: [Range<Int64>] = []
    for number in blocks.keys.sorted() {
      guard let count = blocks[number]?.count, count > 0 else { continue }
      let start = number * Int64(Self.blockSize)
      ranges.join(start..<start + Int64(count))
    }
    return ranges
  }

  /// Copies kept bytes from an offset on; returns their number, 0 if there are none or they cannot be read.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let number = Self.number(at: offset), start = Int(offset % Int64(Self.blockSize))
    let count = min(keptCount(at: offset), buffer.count)
    guard count > 0, let slot = blocks[number]?.slot, let base = buffer.baseAddress else { return 0 }
    uses += 1
    blocks[number]?.use = uses
    switch storage {
    case .file(let file):
      let got = pread(file.number, base, count, off_t(slot * Self.blockSize + start))
      return max(0, got)
    case .memory(let slots):
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: slots[slot][start..<start + count]))
      return count
    }
  }

  // MARK: - Writing

  /// Keeps bytes that begin where their block's kept bytes end, or at the beginning of a block.
  ///
  /// - Parameter rank: ranks the blocks that may be removed to make room, by their number and latest use: lowest first;
  ///   nil for a block that must stay.
  /// - Returns: the number of bytes kept; fewer if there is no room, they do not fit the block, or the disk is full.
  func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int64, evicting rank: (_ block: Int64, _ use: Int) -> Int64?
  ) -> Int {
    var done = 0
    while done < bytes.count {
      let place = offset + Int64(done), number = Self.number(at: place), start = Int(place % Int64(Self.blockSize))
      guard makeBlock(number, rank), let block = blocks[number], block.count >= start else { break }
      let count = min(Self.blockSize - start, bytes.count - done)
      guard put(UnsafeRawBufferPointer(rebasing: bytes[done..<done + count]), slot: block.slot, at: start) else { break }
      uses += 1
      blocks[number]?.count = max(block.count, start + count)
      blocks[number]?.use = uses
      done += count
    }
    return done
  }

  private func put(_ bytes: UnsafeRawBufferPointer, slot: Int, at start: Int) -> Bool {
    switch storage {
    case .file(let file):
      return pwrite(file.number, bytes.baseAddress, bytes.count, off_t(slot * Self.blockSize + start)) == bytes.count
    case .memory(let slots):
      UnsafeMutableRawBufferPointer(rebasing: slots[slot][start...]).copyMemory(from: bytes)
      return true
    }
  }

  /// Ensures that a block exists. Returns false if there is no room.
  private func makeBlock(_ number: Int64, _ rank: (_ block: Int64, _ use: Int) -> Int64?) -> Bool {
    if blocks[number] != nil { return true }
    if slotCount < capacity {
      if case .memory(var slots) = storage {
        storage = .memory([])
        slots.append(.allocate(byteCount: Self.blockSize, alignment: 64))
        storage = .memory(slots)
      }
      blocks[number] = Block(slot: slotCount)
      slotCount += 1
      return true
    }
    var victim: (number: Int64, rank: Int64)?
    for (other, block) in blocks {
      guard let place = rank(other, block.use), place < victim?.rank ?? .max else { continue }
      victim = (other, place)
    }
    guard let victim, let slot = blocks.removeValue(forKey: victim.number)?.slot else { return false }
    blocks[number] = Block(slot: slot)
    return true
  }
}
