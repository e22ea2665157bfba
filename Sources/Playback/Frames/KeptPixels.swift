import Libav
import Pixels

/// The decoded pixels of a frame, kept with an image of it (`RenderRequest.keepsPixels`).
struct KeptPixels: Sendable {
  let pixels: FramePixels
  let orientation: Orientation
}
