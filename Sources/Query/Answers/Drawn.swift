/// The points of a curve; in JSON null where the question wanted no curves, so that nobody takes that for a curve without points.
@propertyWrapper
public struct Drawn<Point: Encodable & Sendable>: Encodable, Sendable {
  public var wrappedValue: [Point]
  private let isLeftOut: Bool

  public init(wrappedValue: [Point]) { (self.wrappedValue, isLeftOut) = (wrappedValue, false) }

  private init(leftOut: Void) { (wrappedValue, isLeftOut) = ([], true) }

  /// - Parameter count: of points at most, though a line has two; 0 leaves them out.
  static func of(_ count: Int, _ points: (_ atMost: Int) -> [Point]) -> Self {
    count == 0 ? Self(leftOut: ()) : Self(wrappedValue: points(max(count, 2)))
  }

  /// nil where it is left out.
  public var projectedValue: [Point]? { isLeftOut ? nil : wrappedValue }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if isLeftOut { try container.encodeNil() } else { try container.encode(wrappedValue) }
  }
}
