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

  /// Of 18.16 and of new ones: the number is that of a question that takes too long.
  @Test(arguments: [
    "Code: 159, e.displayText() = DB::Exception: Watching task /clickhouse/task_queue/ddl/query-0000000067 is executing longer than"
      + " distributed_ddl_task_timeout (=180) seconds. There are 1 unfinished hosts (0 of them are currently active), they are going to"
      + " execute the query in background",
    "Code: 159. DB::Exception: Distributed DDL task /clickhouse/task_queue/ddl/query-0000000067 is not finished on 1 of 4 hosts (…) they"
      + " are going to execute the query in background (distributed_ddl_task_timeout). (TIMEOUT_EXCEEDED)",
  ])
  func aServerThatDoesNotDoWhatAllDoIsNoQuota(_ text: String) throws {
    let found = try problem(text)
    #expect(found.code == "warehouse_unfinished" && found.words.contains("not every server of the cluster"), "\(found)")
  }

  @Test func aQuestionThatTakesTooLongIsOne() throws {
    #expect(try problem("Code: 159, e.displayText() = DB::Exception: Timeout exceeded").code == "warehouse_quota")
  }

  @Test func anotherErrorOfWritingIsNone() throws {
    #expect(try problem("Code: 75. DB::ErrnoException: Cannot write, errno: 5, strerror: …").code == "warehouse_error")
  }
}
