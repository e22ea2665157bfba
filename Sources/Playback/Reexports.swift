// Re-exports the modules whose types occur in public declarations, so that `import Playback` is enough.

@_exported import struct Pixels.CellShape
@_exported import struct Pixels.CellShapes
@_exported import struct Pixels.ComparisonConversions
@_exported import struct Pixels.DifferenceRequest
@_exported import struct Pixels.FrameDifference
@_exported import struct Pixels.FittedCell
@_exported import struct Pixels.FittedCells
@_exported import enum Pixels.Gravity
@_exported import enum Pixels.MagnificationFilter
@_exported import struct Pixels.Orientation
@_exported import enum Pixels.FrameFields
@_exported import struct Pixels.FrameGeometry
@_exported import enum Pixels.FramePlane
@_exported import enum Pixels.FrameScope
@_exported import struct Pixels.FrameRegion
@_exported import struct Pixels.PixelImage
@_exported import struct Pixels.PixelRect
@_exported import struct Pixels.PixelSize
@_exported import struct Pixels.ProbedPixel
@_exported import struct Pixels.Ratio
