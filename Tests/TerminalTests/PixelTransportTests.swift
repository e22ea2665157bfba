import CellGraphics
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Terminal
@testable import TerminalHarness

@Suite(.timeLimit(.minutes(20))) struct PixelTransportTests {
  private final class Pane {}

  private func noise(_ width: Int, _ height: Int, _ random: inout SeededGenerator) -> PixelImage {
    // Few values, so that there are runs.
    PixelImage(size: PixelSize(width: width, height: height)) { bytes in
      for index in bytes.indices { bytes[index] = [0, 0, 60, 255].randomElement(using: &random) ?? 0 }
    }
  }

  private func layer(_ image: PixelImage, cells: CellRect, cell: PixelSize, at place: PixelRect) -> FrameLayer {
    FrameLayer(image: image, cells: cells, imageRect: place, blitter: .pixels(cell))
  }

  // MARK: Pictures

  @Test func aPictureIsWhatCellsShowOfALayer() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<60 {
      let cell = PixelSize(width: .random(in: 2...7, using: &random), height: .random(in: 3...9, using: &random))
      let cells = CellRect(x: .random(in: 0...3, using: &random), y: .random(in: 0...3, using: &random), width: 9, height: 7)
      let image = noise(.random(in: 1...40, using: &random), .random(in: 1...40, using: &random), &random)
      let isScaled = Bool.random(using: &random)
      let place = PixelRect(
        x: .random(in: 0...12, using: &random), y: .random(in: 0...12, using: &random), width: isScaled ? 17 : image.width,
        height: isScaled ? 23 : image.height)
      guard let picture = PixelPicture(id: ObjectIdentifier(Pane()), layer: layer(image, cells: cells, cell: cell, at: place), isResting: true)
      else { continue }
      let whole = picture.pixels(of: picture.cells)
      #expect(whole.size == picture.size(of: picture.cells.size))
      for y in 0..<whole.height {
        for x in 0..<whole.width {
          // In pixels of the layer's cells.
          let (u, v) = ((picture.cells.x - cells.x) * cell.width + x - place.x, (picture.cells.y - cells.y) * cell.height + y - place.y)
          let isInside = (0..<place.width).contains(u) && (0..<place.height).contains(v)
          let expected = isInside
            ? image[(2 * u + 1) * image.width / (2 * place.width), (2 * v + 1) * image.height / (2 * place.height)] : (0, 0, 0)
          if whole[x, y] != expected {
            Issue.record("\(x), \(y)")
            return
          }
        }
      }
      // Parts of it are cut out of the whole.
      let part = CellRect(x: picture.cells.maxX - 1, y: picture.cells.y, width: 1, height: picture.cells.height)
      let cut = picture.pixels(of: part)
      #expect((0..<cut.height).allSatisfy { y in (0..<cut.width).allSatisfy { cut[$0, y] == whole[whole.width - cut.width + $0, y] } })
    }
  }

  @Test func holesAreTheCellsThatNothingCovers() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<50 {
      var grid = CellGrid(columns: 12, rows: 9)
      let rect = CellRect(x: 2, y: 1, width: 8, height: 7)
      grid.fill(rect, with: .hole)
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        grid.fill(CellRect(x: .random(in: 0...11, using: &random), y: .random(in: 0...8, using: &random), width: 3, height: 2), with: .blank)
      }
      var covered = CellGrid(columns: 12, rows: 9)
      for part in grid.holes(in: rect) {
        for row in part.y..<part.maxY {
          for column in part.x..<part.maxX {
            #expect(!covered[column: column, row: row].isHole)
            covered[column: column, row: row] = .hole
          }
        }
      }
      #expect(covered == grid)
      if grid.holes(in: rect) == [rect] { #expect((0..<9).allSatisfy { row in (2..<10).allSatisfy { !rect.contains(x: $0, y: row) || grid[column: $0, row: row].isHole } }) }
    }
  }

  // MARK: Formats

  private func decoded(_ image: PixelImage, _ palette: SixelPalette, size: PixelSize? = nil, enlargement: Int = 1) throws -> TerminalPicture {
    var bytes: [UInt8] = []
    SixelEncoder.encode(image, size: size ?? image.size, enlargement: enlargement, palette, into: &bytes)
    let start = try #require(bytes.firstIndex(of: UInt8(ascii: "q")))
    return try #require(SixelDecoder.image(bytes[(start + 1)..<(bytes.count - 2)]))
  }

  private func psnr(_ image: PixelImage, _ palette: SixelPalette) throws -> Double {
    try decoded(image, palette).psnr(TerminalPicture(width: image.width, height: image.height, bytes: image.withBytes { Array($0) }))
  }

  @Test(arguments: [false, true]) func sixelsAreThePixels(isResting: Bool) throws {
    var random = SeededGenerator(seed: 7)
    for enlargement in [1, 1, 1, 2, 3] {
      for _ in 0..<12 {
        // There are 27 colours, so each has one of the palette's to itself.
        let image = noise(.random(in: 1...70, using: &random), .random(in: 1...30, using: &random), &random)
        let size = PixelSize(
          width: image.width * enlargement - .random(in: 0..<enlargement, using: &random),
          height: image.height * enlargement - .random(in: 0..<enlargement, using: &random))
        let palette = isResting ? SixelPalette(resting: image) : SixelPalette(moving: image)
        let decoded = try decoded(image, palette, size: size, enlargement: enlargement)
        #expect(decoded.width == size.width && decoded.height == size.height)
        for y in 0..<size.height {
          for x in 0..<size.width {
            let color = image[x / enlargement, y / enlargement]
            let shown = decoded.bytes[3 * (y * size.width + x)..<3 * (y * size.width + x) + 3]
            // Colours are written as percentages.
            if zip(shown, [color.red, color.green, color.blue]).contains(where: { abs(Int($0) - Int($1)) > 1 }) {
              Issue.record("\(x), \(y): \(shown) for \(color)")
              return
            }
          }
        }
      }
    }
  }

  private func ramps(_ blue: Int) -> PixelImage {
    PixelImage(size: PixelSize(width: 120, height: 90)) { bytes in
      for n in 0..<120 * 90 {
        (bytes[3 * n], bytes[3 * n + 1], bytes[3 * n + 2]) = (UInt8(n % 120 * 2), UInt8(n / 120 * 2), UInt8(blue + n % 120 / 2))
      }
    }
  }

  @Test func palettesFitTheImage() throws {
    #expect(try psnr(ramps(40), SixelPalette(moving: ramps(40))) > 25 && psnr(ramps(40), SixelPalette(resting: ramps(40))) > 33)
    let flat = PixelImage(size: PixelSize(width: 7, height: 13)) { bytes in for n in bytes.indices { bytes[n] = [120, 33, 201][n % 3] } }
    #expect(try psnr(flat, SixelPalette(resting: flat)) > 45)
  }

  /// Colours for moving frames stay while they fit, and show whatever else comes in the nearest one.
  @Test func palettesAreHeldWhileTheyFit() throws {
    let palette = SixelPalette(moving: ramps(40))
    #expect(palette.fits(ramps(40)) && palette.fits(ramps(44)) && !palette.fits(ramps(150)))
    #expect(try psnr(ramps(150), palette) > 6)
    let transport = PixelTransport(.sixel, graphics(), codec: codec, savesBytes: false)
    let pane = Pane(), cells = CellRect(x: 0, y: 0, width: 30, height: 12)
    func definition(_ blue: Int) throws -> String {
      let layer = layer(ramps(blue), cells: cells, cell: PixelSize(width: 4, height: 8), at: PixelRect(size: ramps(blue).size))
      let picture = try #require(PixelPicture(id: ObjectIdentifier(pane), layer: layer, isResting: false))
      var grid = CellGrid(columns: 40, rows: 14), bytes: [UInt8] = []
      grid.fill(picture.cells, with: .hole)
      _ = transport.encode([picture], grid, budget: nil, into: &bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      return String(text[(text.range(of: "#0;2;")?.lowerBound ?? text.startIndex)...].prefix { $0 != "?" }.prefix(400))
    }
    let first = try definition(40)
    #expect(try definition(43) == first && definition(150) != first)
  }

  @Test func base64IsFoundations() {
    for count in 0...40 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
      var text: [UInt8] = []
      bytes.withUnsafeBufferPointer { Base64.append($0, to: &text) }
      #expect(text == Array(Data(bytes).base64EncodedString().utf8))
    }
  }

  // MARK: Updates

  private let codec = PixelTransport.Codec(
    png: { Array(repeating: 1, count: $0.size.area) }, jpeg: { Array(repeating: 2, count: $0.size.area / 4) })

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func grid(_ layers: [FrameLayer]) -> CellGrid {
    var grid = CellGrid(columns: 30, rows: 12)
    for layer in layers { layer.blitter?.makeRoom(for: layer, in: &grid) }
    return grid
  }

  private func graphics(_ media: Set<TerminalGraphics.Medium> = [.direct]) -> TerminalGraphics {
    var graphics = TerminalGraphics()
    (graphics.kittyMedia, graphics.hasSixel) = (media, true)
    return graphics
  }

  @Test func onlyChangesAreSentAndFormerImagesRemoved() throws {
    var random = SeededGenerator(seed: 9)
    let transport = PixelTransport(.kitty, graphics(), codec: codec, savesBytes: true)
    let pane = Pane()
    let cells = CellRect(x: 2, y: 1, width: 10, height: 5)
    func update(_ image: PixelImage?, at cells: CellRect = cells) throws -> String {
      let layers = image.map { [layer($0, cells: cells, cell: PixelSize(width: 4, height: 8), at: PixelRect(size: $0.size))] } ?? []
      let pictures = layers.compactMap { PixelPicture(id: ObjectIdentifier(pane), layer: $0, isResting: false) }
      var bytes: [UInt8] = []
      let outcome = transport.encode(pictures, grid(layers), budget: nil, into: &bytes)
      #expect(outcome.bytes == bytes.count && !outcome.isLeft && outcome.reduced.isEmpty)
      return text(bytes)
    }
    let (first, second) = (noise(40, 40, &random), noise(40, 40, &random))
    let start = try update(first)
    #expect(start.hasPrefix("\u{1B}_Ga=d,d=A") && start.contains("\u{1B}[2;3H\u{1B}_Ga=T") && start.contains("c=10,r=5,C=1,q=2"))
    #expect(try update(first) == "")
    let next = try update(second)
    #expect(next.contains("a=T") && next.hasSuffix("\u{1B}_Ga=d,d=I,i=1363410945,q=2\u{1B}\\"))
    #expect(try update(second, at: CellRect(x: 3, y: 1, width: 10, height: 5)).contains("\u{1B}[2;4H"))
    #expect(try update(nil) == "\u{1B}_Ga=d,d=I,i=1363410947,q=2\u{1B}\\")
    transport.invalidate()
    #expect(try update(nil) == text(transport.removal))
  }

  @Test func detailFollowsTheBudget() throws {
    var random = SeededGenerator(seed: 11)
    for format in [GraphicsProtocol.kitty, .sixel] {
      let transport = PixelTransport(format, graphics(), codec: codec, savesBytes: true)
      let pane = Pane()
      let image = noise(80, 80, &random)
      let layer = layer(image, cells: CellRect(x: 0, y: 0, width: 20, height: 10), cell: PixelSize(width: 4, height: 8), at: PixelRect(size: image.size))
      func update(_ budget: Int?, isResting: Bool) throws -> PixelTransport.Outcome {
        var bytes: [UInt8] = []
        let picture = try #require(PixelPicture(id: ObjectIdentifier(pane), layer: layer, isResting: isResting))
        return transport.encode([picture], grid([layer]), budget: budget, into: &bytes)
      }
      #expect(try update(0, isResting: false).isLeft)
      let coarse = try update(1000, isResting: false)
      #expect(!coarse.isLeft && coarse.reduced == [ObjectIdentifier(pane)])
      #expect(try update(1000, isResting: false).bytes == 0)
      // At rest, the rest follows in parts.
      var updates = 0
      while try !update(4000, isResting: true).reduced.isEmpty, updates < 300 { updates += 1 }
      #expect((1..<300).contains(updates))
      #expect(try update(4000, isResting: true).bytes == 0)
    }
  }

  @Test func aTerminalOnThisMachineGetsAllDetail() throws {
    var random = SeededGenerator(seed: 12)
    let transport = PixelTransport(.sixel, graphics(), codec: codec, savesBytes: false)
    let image = noise(80, 80, &random)
    let layer = layer(image, cells: CellRect(x: 0, y: 0, width: 20, height: 10), cell: PixelSize(width: 4, height: 8), at: PixelRect(size: image.size))
    let picture = try #require(PixelPicture(id: ObjectIdentifier(Pane()), layer: layer, isResting: true))
    var bytes: [UInt8] = []
    #expect(transport.encode([picture], grid([layer]), budget: 0, into: &bytes).isLeft)
    let outcome = transport.encode([picture], grid([layer]), budget: 500, into: &bytes)
    #expect(!outcome.isLeft && outcome.reduced.isEmpty && bytes.count > 5000)
  }

  @Test func reductionFollowsWhatWasSent() {
    var sizes = ImageSizes()
    #expect(sizes.reduction(of: 10_000, to: 10_000) == 1 && sizes.reduction(of: 10_000, to: 2500) == 2 && sizes.pixels(in: 500) == 500)
    sizes.learn(5000, of: 10_000, at: 1)
    #expect(sizes.reduction(of: 10_000, to: 5000) == 1 && sizes.reduction(of: 10_000, to: 1250) == 2 && sizes.pixels(in: 500) == 1000)
    sizes.learn(2000, of: 10_000, at: 2)
    #expect(sizes.reduction(of: 10_000, to: 1250) == 3 && sizes.reduction(of: 10_000, to: 2000) == 2)
    #expect(sizes.reduction(of: 1_000_000, to: 1) == 16)
  }

  @Test func sixelsAreNoLargerThanTheTerminalTakes() throws {
    var random = SeededGenerator(seed: 13)
    var graphics = graphics()
    graphics.maxSixel = PixelSize(width: 30, height: 40)
    let transport = PixelTransport(.sixel, graphics, codec: codec, savesBytes: true)
    let image = noise(80, 80, &random)
    let layer = layer(image, cells: CellRect(x: 0, y: 0, width: 20, height: 10), cell: PixelSize(width: 4, height: 8), at: PixelRect(size: image.size))
    let picture = try #require(PixelPicture(id: ObjectIdentifier(Pane()), layer: layer, isResting: false))
    var bytes: [UInt8] = []
    _ = transport.encode([picture], grid([layer]), budget: nil, into: &bytes)
    #expect(text(bytes).ranges(of: "\u{1B}P0;1;0q\"1;1;").count == 6)
    #expect(text(bytes).contains("\"1;1;28;40") && text(bytes).contains("\"1;1;24;40"))
  }

  @Test func objectsAreRemovedWithTheTransport() throws {
    var random = SeededGenerator(seed: 15)
    func objects() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "/dev/shm").filter { $0.contains("quadrille-\(getpid())-") }
    }
    var transport: PixelTransport? = PixelTransport(.kitty, graphics([.direct, .sharedMemory]), codec: codec, savesBytes: true)
    for _ in 0..<40 {
      let image = noise(40, 40, &random)
      let layer = layer(image, cells: CellRect(x: 0, y: 0, width: 10, height: 5), cell: PixelSize(width: 4, height: 8), at: PixelRect(size: image.size))
      var bytes: [UInt8] = []
      let picture = try #require(PixelPicture(id: ObjectIdentifier(Pane()), layer: layer, isResting: false))
      _ = transport?.encode([picture], grid([layer]), budget: 100, into: &bytes)
    }
    // A terminal that does not read them does not fill the memory.
    #expect(try (1...32).contains(objects().count))
    transport = nil
    #expect(try objects().isEmpty)
  }

  // MARK: Replies

  private func probe(_ environment: [String: String] = [:]) throws -> TerminalProbe {
    let environment = ["TERM": "xterm-256color"].merging(environment) { $1 }
    return TerminalProbe(
      TerminalCapabilities(environment: environment, terminfo: try .load("xterm-256color"), codeset: "UTF-8"), at: 0)
  }

  /// The capabilities after a terminal's replies.
  private func graphics(after replies: String, _ environment: [String: String] = [:]) throws -> TerminalGraphics {
    var (probe, parser) = (try probe(environment), InputParser())
    for case .reply(let reply) in parser.feed(Array(replies.utf8), at: 1) { probe.receive(reply, at: 2) }
    return probe.capabilities.graphics
  }

  @Test func protocolsAreDetectedByReplies() throws {
    let query = String(decoding: try probe().query, as: UTF8.self)
    #expect(query.contains("\u{1B}_Gi=1,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\") && query.hasSuffix("\u{1B}[c"))
    #expect(try !String(decoding: probe(["TMUX": "x"]).query, as: UTF8.self).contains("\u{1B}_G"))
    let kitty = try graphics(after: "\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}[6;20;10t\u{1B}_Gi=1;OK\u{1B}\\\u{1B}_Gi=2;OK\u{1B}\\\u{1B}[?62c")
    #expect(kitty.protocols == [.kitty] && kitty.kittyMedium == .sharedMemory)
    #expect(kitty.cell == PixelSize(width: 10, height: 20))
    let file = try graphics(after: "\u{1B}_Gi=1;OK\u{1B}\\\u{1B}_Gi=2;EBADF:no\u{1B}\\\u{1B}_Gi=3;OK\u{1B}\\\u{1B}[?62c")
    #expect(file.kittyMedium == .file)
    #expect(try graphics(after: "\u{1B}[?2;0;1000;900S\u{1B}[?62;4;22c").protocols == [.sixel])
    #expect(try graphics(after: "\u{1B}[?2;0;1000;900S").maxSixel == PixelSize(width: 1000, height: 900))
    #expect(try graphics(after: "\u{1B}[?4;22c").protocols == [])
    #expect(try graphics(after: "\u{1B}P>|WezTerm 2024\u{1B}\\\u{1B}[?65;4c").protocols == [.iterm, .sixel])
    #expect(try graphics(after: "\u{1B}P>|xterm.js(5.5.0)\u{1B}\\\u{1B}[?62;4;9c").protocols == [.iterm, .sixel])
    #expect(try graphics(after: "\u{1B}P>|xterm.js(5.5.0)\u{1B}\\\u{1B}[?1;2c").protocols == [])
    #expect(try graphics(after: "", ["TERM_FEATURES": "T3CwLrMSc7UUw9Ts3BFGsSyHNoSxF"]).protocols == [.iterm])
    #expect(try graphics(after: "", ["TERM_FEATURES": "T3FoLr"]).protocols == [])
    #expect(try graphics(after: "", ["TERM_PROGRAM": "iTerm.app", "TMUX": "x"]).protocols == [])
  }

  @Test func oddRepliesMeanNothing() throws {
    for reply in [
      "\u{1B}[6;0;0t", "\u{1B}[6;99999;10t", "\u{1B}[6;20t", "\u{1B}[4;20;10t", "\u{1B}[?2;1;0S", "\u{1B}[?2;0;0;0S",
      "\u{1B}_Gi=1;ENOTSUPPORTED\u{1B}\\", "\u{1B}_Gi=9;OK\u{1B}\\", "\u{1B}_G;OK\u{1B}\\", "\u{1B}_Gi=;OK\u{1B}\\", "\u{1B}_G\u{1B}\\",
      "\u{1B}_Gi=1\u{1B}\\", "\u{1B}_Gi=99999999999999999999;OK\u{1B}\\", "\u{1B}_OK\u{1B}\\", "\u{1B}_Gi=1;OKOK\u{1B}\\",
      "\u{1B}_Gi=1;" + String(repeating: "O", count: 10_000) + "\u{1B}\\",
    ] {
      #expect(try graphics(after: reply) == TerminalGraphics(), "\(reply.debugDescription)")
    }
    // A multiplexer's own reply is not the terminal's.
    #expect(try graphics(after: "\u{1B}_Gi=1;OK\u{1B}\\", ["TMUX": "x"]).protocols == [])
  }
}
