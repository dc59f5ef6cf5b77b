/// Finds devices of one ascending list in another; both are gone through once.
public struct SortedJoin {
  @usableFromInline let devices: [UInt64]
  @usableFromInline var next = 0

  @inlinable public init(_ devices: [UInt64]) { self.devices = devices }

  /// The device's index, or nil. Devices must be asked for in ascending order.
  @inlinable public mutating func index(of device: UInt64) -> Int? {
    while next < devices.count, devices[next] < device { next += 1 }
    return next < devices.count && devices[next] == device ? next : nil
  }

  /// Marks a device that the other list does not have.
  public static let none: Int32 = -1

  /// Of each device its index in the other list, or `none`. Reuses the capacity of `indexes`.
  public static func indexes(of devices: [UInt64], in others: [UInt64], into indexes: inout [Int32]) {
    indexes.removeAll(keepingCapacity: true)
    indexes.append(addingCapacity: devices.count) { indexes in
      var next = 0
      for device in devices {
        while next < others.count, others[next] < device { next += 1 }
        let isFound = next < others.count && others[next] == device
        indexes.append(isFound ? Int32(truncatingIfNeeded: next) : none)
      }
    }
  }
}

extension [UInt64] {
  /// The index of one device in an ascending list.
  public func index(ofDevice device: UInt64) -> Int? {
    let index = firstPlace { $0 >= device }
    return index < count && self[index] == device ? index : nil
  }
}
