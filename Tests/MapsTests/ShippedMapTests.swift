import Foundation
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

  /// The page names every shipped map and every key, and its example is a map.
  @Test func thePageTellsAll() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/maps.md"), encoding: .utf8)
    for word in ShippedMap.all.map(\.name) + SourceReader.keys.filter({ $0 != "find" }) {
      #expect(page.contains("`\(word)`"), "\(word)")
    }
    let example = try #require(page.split(separator: "```toml\n").last?.split(separator: "```").first)
    #expect(try EventMap(toml: String(example), path: "docs/maps.md").fieldNames.contains("release"))
  }
}
