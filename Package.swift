// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target. What a later version of a system's library deprecates still compiles.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning),
]

/// The settings of targets that process pixels and packets by the million, in the build of `scripts/test`: optimised, with all
/// assertions, in a build that is otherwise not. The rest compiles in half the time without.
let optimised: [SwiftSetting] = Context.environment["QUADRILLE_OPTIMISED_ROOMS"] == nil ? []
  : [.unsafeFlags(["-O", "-assert-config", "Debug"])]

func room(_ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict + settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], settings: [SwiftSetting] = []
) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict + settings)
}

/// A program of its own that uses the library as others would.
func example(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: ["Playback"], path: "docs/examples/\(name)", swiftSettings: strict)
}

let package = Package(
  name: "quadrille",
  products: [
    .executable(name: "quadrille", targets: ["quadrille"]),
    .library(name: "Playback", targets: ["Playback"]),
    .library(name: "CellGraphics", targets: ["CellGraphics"]),
    .library(name: "Movies", targets: ["Movies"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
  ],
  targets: [
    .systemLibrary(name: "CFFmpeg", providers: [
      .apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswresample-dev", "libswscale-dev"])
    ]),
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "CFriBidi", providers: [.apt(["libfribidi-dev"])]),
    .systemLibrary(name: "CUchardet", providers: [.apt(["libuchardet-dev"])]),
    .systemLibrary(name: "CUtf8proc", providers: [.apt(["libutf8proc-dev"])]),
    .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CSonic", providers: [.apt(["libsonic-dev"])]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CVTerm", providers: [.apt(["libvterm-dev"])]),

    room("PlainText"),
    .target(name: "CPixelLoops"),
    room("Pixels", ["CPixelLoops"], settings: optimised),
    room("Libav", ["CFFmpeg", "CPixelLoops", "Pixels", "PlainText"], settings: optimised),
    .target(name: "CAlignmentLoops", dependencies: ["CPixelLoops"]),
    room("Alignment", ["CAlignmentLoops", "CPixelLoops", "Pixels"], settings: optimised),
    .target(name: "CMetricLoops", dependencies: ["CPixelLoops"]),
    .target(name: "CVMAF"),
    room("Metrics", ["CMetricLoops", "CVMAF"], settings: optimised),
    .target(name: "CAss"),
    room("Typesetting", ["CAss", "Pixels"], settings: optimised),
    room("DecodePool", settings: optimised),
    room("Transport", ["CCurl", "DecodePool", "PlainText"]),
    .target(name: "CPulse"),
    .target(name: "CALSA"),
    room("Sound", ["CALSA", "CPulse", "DecodePool", "PlainText"], settings: optimised),
    room("Playback", [
      "CSonic", "CUchardet", "CUtf8proc", "Libav", "DecodePool", "Pixels", "PlainText", "Sound", "Transport",
      .product(name: "DequeModule", package: "swift-collections"),
    ], settings: optimised),
    room("Measuring", ["Alignment", "DecodePool", "Libav", "Metrics", "Pixels", "PlainText", "Playback"], settings: optimised),
    room("CellGraphics", ["Pixels"], settings: optimised),
    .target(name: "CTerminalSignals"),
    room("Terminal", ["CFriBidi", "CNcurses", "CPixelLoops", "CTerminalSignals", "CellGraphics", "Pixels"], settings: optimised),
    room("YAML", ["CYAML"]),
    room("Movies", ["Pixels", "PlainText", "Playback", "YAML"]),
    room("QuadrilleApp", [
      "Alignment", "Measuring", "Playback", "DecodePool", "CellGraphics", "Movies", "Terminal", "Pixels", "PlainText", "Typesetting", "YAML",
    ]),
    .executableTarget(
      name: "quadrille",
      dependencies: [
        "QuadrilleApp", "Alignment", "Measuring", "Playback", "CellGraphics", "Movies", "Pixels", "PlainText", "Terminal", "Typesetting",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    room("TestSupport", ["DecodePool", "Playback", "Terminal", "Pixels", "PlainText", "Sound"]),
    room("TerminalHarness", ["CVTerm", "PlainText"], settings: optimised),
    .executableTarget(
      name: "quadrille-bench",
      dependencies: [
        "TerminalHarness", "TestSupport", "Playback", "CellGraphics", "DecodePool", "Movies", "Pixels", "PlainText", "Terminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // The programs in docs/library.md, docs/playback.md and docs/storyboards.md.
    example("PlayClip"),
    example("MakeThumbnails"),
    example("ColorBars"),
    .target(name: "PlaybackGuide", dependencies: ["Playback"], path: "docs/examples/Guide", swiftSettings: strict),
    .target(name: "StoryboardGuide", dependencies: ["Movies", "Playback"], path: "docs/examples/StoryboardGuide", swiftSettings: strict),

    tests("PlainTextTests", ["PlainText"]),
    tests("PixelsTests", ["Pixels", "TestSupport"], settings: optimised),
    tests("LibavTests", ["Libav", "TestSupport"], settings: optimised),
    tests("TypesettingTests", ["Typesetting", "TestSupport"], settings: optimised),
    tests("AlignmentTests", ["Alignment", "TestSupport"], settings: optimised),
    tests("MetricsTests", ["Metrics", "CMetricLoops", "TestSupport"], settings: optimised),
    tests("DecodePoolTests", ["DecodePool", "TestSupport"]),
    tests("TransportTests", ["Transport", "DecodePool", "TestSupport"]),
    tests("SoundTests", ["Sound", "DecodePool", "TestSupport"], settings: optimised),
    tests("PlaybackTests", ["Playback", "Sound", "TestSupport"]),
    tests("CellGraphicsTests", ["CellGraphics", "TestSupport", "TerminalHarness"], settings: optimised),
    tests("TerminalTests", ["Terminal", "TestSupport", "TerminalHarness"]),
    tests("MoviesTests", ["Movies", "PlainText", "Sound", "TestSupport"], exclude: ["Golden"]),
    tests("QuadrilleAppTests", ["QuadrilleApp", "TestSupport"]),
    // Runs the program, which is built with the tests so that it is never an older one.
    tests("ProgramTests", ["quadrille", "TestSupport", "TerminalHarness", "Typesetting"]),
    tests("ExampleTests", ["PlayClip", "MakeThumbnails", "ColorBars", "PlaybackGuide", "StoryboardGuide", "TestSupport"]),
  ]
)
