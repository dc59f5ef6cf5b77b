import HTTP
import Store
import Testing

@testable import Warehouse

struct WarehouseAddressTests {
  @Test func readsAllHostsOfACluster() throws {
    let address = try WarehouseAddress("clickhouse://ship:s3:cret@ch1/uptake,ch2:8124,[::1]:9")
    #expect(address.hosts.map(\.description) == ["http://ch1:8123/", "http://ch2:8124/", "http://[::1]:9/"])
    #expect((address.user, address.password, address.database) == ("ship", "s3:cret", "uptake"))
    #expect(address.description == "clickhouse://ship@ch1:8123/uptake,ch2:8124,[::1]:9")
    let plain = try WarehouseAddress("clickhouses://ch1/uptake")
    #expect((plain.user, plain.password) == ("default", nil))
    #expect(plain.hosts.map(\.description) == ["https://ch1:8443/"])
  }

  @Test(arguments: [
    "clickhouse://ch1", "clickhouse://ch1/", "clickhouse:///uptake", "http://ch1/uptake", "clickhouse://ch1/up-take",
    "clickhouse://ch1/uptake/more", "clickhouse://ch1/uptake,", "clickhouse://ch 1/uptake", "clickhouse://ch1:0/uptake",
  ])
  func refusesWhatIsNone(_ text: String) {
    #expect(throws: StoreError.self) { try WarehouseAddress(text) }
  }
}
