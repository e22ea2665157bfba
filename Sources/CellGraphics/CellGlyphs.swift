import Pixels

/// The glyphs of cells that images are drawn with.
public enum CellGlyphs {
  /// Returns the glyphs of shapes and of their inverses, as far as they have any; those of half blocks for nil.
  ///
  /// - Parameter shapes: shapes besides blocks, which are left out if there are others.
  public static func all(_ shapes: CellShapes?) -> [Unicode.Scalar] {
    let table = ShapeTable.shared
    return CellShape.all.filter { belongs($0, to: shapes) }.flatMap { shape in
      [table.glyphs[Int(shape.index)], table.inverses[Int(shape.index)]].filter { $0 > 0x20 }.compactMap(Unicode.Scalar.init)
    }
  }

  private static func belongs(_ shape: CellShape, to shapes: CellShapes?) -> Bool {
    switch shape.form {
    case nil: false
    case .blank: shapes == nil
    case .quadrants(let mask): shapes == nil ? mask == 3 : shapes == CellShapes.blocks
    case .lower, .left: shapes == CellShapes.blocks
    case .sextants: shapes?.contains(.sextants) == true
    case .octants: shapes?.contains(.octants) == true
    }
  }
}
