import Ingest
import Testing

@testable import Maps

/// Every shipped map reads, and reads what its source writes.
@Suite struct ShippedMapTests {
  @Test(arguments: ShippedMap.all.map(\.name)) func isAMap(_ name: String) throws {
    let shipped = try #require(ShippedMap.named(name))
    let map = try EventMap(name)
    #expect(map.fieldNames.contains("at") && map.fieldNames.contains("release"))
    #expect(shipped.text.contains("about = \"\(shipped.about)\""))
    #expect(shipped.text.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") && $0.count <= 160 })
  }
}
