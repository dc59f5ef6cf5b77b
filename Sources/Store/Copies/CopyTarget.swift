/// Where a continuous copy lies: named objects, each of them whole or not there.
public protocol CopyTarget: AnyObject {
  /// As it was given.
  var address: String { get }
  /// Whether what was put there can be listed, read and removed again.
  var isReadable: Bool { get }
  /// Of how many objects the beginnings may be read to go on with a copy; with more, a new one is less work.
  var mostToReread: Int { get }

  /// Readies the place for a generation, and answers what to know it by.
  ///
  /// - Parameters:
  ///   - known: what it was known by when a generation went there last; nil where none ever did. Then it is made.
  ///   - generation: that one.
  func prepare(_ known: String?, _ generation: String?) throws(StoreError) -> String
  func put(_ name: String, _ bytes: [UInt8]) throws(StoreError)
  /// In any order.
  func names() throws(StoreError) -> [String]
  /// The first bytes of an object, or all; nil where there is none of the name.
  func get(_ name: String, first count: Int?) throws(StoreError) -> [UInt8]?
  func remove(_ name: String) throws(StoreError)
}

extension CopyTarget {
  public func prepare(_ known: String?, _ generation: String?) throws(StoreError) -> String { "" }
}

extension StoreError {
  /// - Parameter address: of the target.
  public static func copy(_ problem: CopyProblem, _ address: String) -> StoreError {
    StoreError(.copy(problem), path: address)
  }
}
