import HTTP
import Store
import Testing

@testable import Warehouse

/// What a server's own words become.
struct ServerProblemTests {
  private func problem(_ text: String) throws -> RemoteProblem {
    let address = try WarehouseAddress("clickhouse://uptake@ch1/uptake")
    return ServerProblem(OutboundAnswer(status: 500, body: Array(text.utf8)), address.hosts[0]).problem(address)
  }

  /// Old servers and new ones say by the system's number of an error that nothing can be written, not by one of theirs.
  @Test(arguments: [
    "Code: 75, e.displayText() = DB::ErrnoException: Cannot write to file /x/tmp, errno: 28, strerror: No space left on device",
    "Code: 76. DB::ErrnoException: Cannot open file /x/tmp: , errno: 28, strerror: No space left on device. (CANNOT_OPEN_FILE)",
    "Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space. (NOT_ENOUGH_SPACE)",
  ])
  func aFullDiskIsCalledOne(_ text: String) throws {
    let found = try problem(text)
    #expect(found.code == "warehouse_full" && found.words.contains("the server's disk is full"), "\(found)")
  }

  @Test func anotherErrorOfWritingIsNone() throws {
    #expect(try problem("Code: 75. DB::ErrnoException: Cannot write, errno: 5, strerror: …").code == "warehouse_error")
  }
}
