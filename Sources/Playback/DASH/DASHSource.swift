import Libav
import Synchronization
import Transport

/// A presentation of DASH, whose tracks are read like streams of HTTP Live Streaming. Safe to use from any thread.
final class DASHSource: Sendable {
  private struct State {
    var manifest: DASHManifest
    /// When it was loaded, in seconds since 1970.
    var loadedAt: Double
  }

  /// The address of the manifest, after redirects.
  let url: NetworkURL
  private let state: Mutex<State>

  /// - Throws: `PlaybackError` if the manifest is malformed or has nothing to play.
  init(_ bytes: [UInt8], at url: NetworkURL) throws(PlaybackError) {
    self.url = url
    state = Mutex(State(manifest: try DASHManifest(bytes, at: url), loadedAt: DASHText.now))
  }

  /// Returns true if a text is a manifest.
  static func isManifest(_ bytes: some Sequence<UInt8>) -> Bool {
    String(decoding: Array(bytes.prefix(2000)), as: UTF8.self).contains("<MPD")
  }

  /// Returns the playlist to open: that of all tracks, or of the only one.
  func root(_ loader: HLSLoader, _ interrupter: Interrupter) throws(PlaybackError) -> [UInt8] {
    let manifest = state.withLock { $0.manifest }
    switch manifest.root {
    case .multivariant(let bytes): return bytes
    case .media(let track): return try playlist(of: track, manifest, loader, interrupter)
    }
  }

  /// Returns the playlist of the track that has an address; nil for other addresses. Loads the manifest of a live presentation again
  /// when it is due.
  func playlist(at address: NetworkURL, _ loader: HLSLoader, _ interrupter: Interrupter) throws(PlaybackError) -> [UInt8]? {
    var manifest = state.withLock { $0.manifest }
    let isRoot = address == url
    guard let track = manifest.track(at: address) ?? (isRoot ? 0 : nil) else { return nil }
    let now = DASHText.now
    if manifest.isLive, state.withLock({ now - $0.loadedAt >= manifest.updatePeriod }) {
      let bytes = try loader.contents(of: .init(url), "manifest", limit: HLSLimits.playlistBytes, interrupter)
      manifest = try DASHManifest(bytes, at: url)
      state.withLock { $0 = State(manifest: manifest, loadedAt: now) }
    }
    guard manifest.tracks.indices.contains(track) else { throw PlaybackError(.playlist, "has lost a track") }
    return try playlist(of: track, manifest, loader, interrupter)
  }

  private func playlist(
    of track: Int, _ manifest: DASHManifest, _ loader: HLSLoader, _ interrupter: Interrupter
  ) throws(PlaybackError) -> [UInt8] {
    try manifest.playlist(ofTrack: track) { url, range throws(PlaybackError) in
      try loader.contents(of: .init(url, range: range), "index", limit: 4 << 20, interrupter)
    }
  }
}
