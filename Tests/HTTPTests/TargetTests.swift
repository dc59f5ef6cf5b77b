import HTTP
import Testing

struct TargetTests {
  @Test(arguments: [
    ("/", "/", []), ("/a", "/a", ["a"]), ("/a/b", "/a/b", ["a", "b"]), ("/a/", "/a/", ["a", ""]),
    ("/a%20b", "/a b", ["a b"]), ("/1%2F2/x", "/1/2/x", ["1/2", "x"]), ("/%C3%A9", "/é", ["é"]),
    ("/a+b", "/a+b", ["a+b"]),
    ("http://127.0.0.1:8787/v1/events", "/v1/events", ["v1", "events"]), ("HTTPS://a", "/", []),
    ("http://a?b=/c", "/", []),
    ("/a?b=/c", "/a", ["a"]), ("*", "*", []), ("/...", "/...", ["..."]),
  ])
  func decodes(_ raw: String, _ path: String, _ segments: [String]) throws {
    let target = try #require(Target(raw))
    #expect(target.path == path)
    #expect(target.segments == segments)
  }

  @Test(arguments: [
    "", "a", "http:/a/b", "http:///b", "ftp://a/b", "http://a/../b", "/%", "/%4", "/%zz", "/%00", "/%0a", "/%ff",
    "/%c3", "/..", "/a/../b", "/%2e%2e/x", "/.",
    "/a/%2E",
  ])
  func refuses(_ raw: String) { #expect(Target(raw) == nil) }

  @Test func readsQueryItems() throws {
    let target = try #require(Target("/q?a=1&b=x%20y+z&c&=v&a=2&bad=%zz&e=1=2"))
    #expect(target.queryItems.map { "\($0.name)=\($0.value)" } == ["a=1", "b=x y z", "c=", "=v", "a=2", "e=1=2"])
    #expect(target.query("a") == "1")
    #expect(target.query("none") == nil)
    #expect(!target.isWhole)
  }

  /// Without the item that cannot be decoded a request would ask for something else.
  @Test(arguments: [
    ("a=two%0Alines", ["a=two\nlines"], true), ("a=%7F%1b", ["a=\u{7F}\u{1B}"], true), ("", [], true),
    ("a&b=", ["a=", "b="], true),
    ("a=%00", [], false), ("a=%ff&b=1", ["b=1"], false), ("a=%f", [], false), ("a%0A=1", [], false),
  ]) func saysWhetherAllOfTheQueryIsRead(_ query: String, _ items: [String], _ isWhole: Bool) throws {
    let target = try #require(Target("/q?" + query))
    #expect(target.queryItems.map { "\($0.name)=\($0.value)" } == items)
    #expect(target.isWhole == isWhole)
  }
}
