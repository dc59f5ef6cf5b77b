internal import Console

/// JSON-RPC 2.0: what one message asks, and the answers that it may get.
struct RPCRequest: Sendable {
  /// nil: a notification, which nobody answers.
  var id: JSON?
  var method: String
  var parameters: JSON

  /// nil where it is no request.
  init?(_ message: JSON) {
    guard message["jsonrpc"]?.word == "2.0", let method = message["method"]?.word else { return nil }
    self.method = method
    parameters = message["params"] ?? [:]
    switch message["id"] {
    case .integer, .string: id = message["id"]
    case nil: id = nil
    case .null, .bool, .number, .array, .object: return nil
    }
  }
}

/// Why a request is not answered; the numbers are JSON-RPC's.
struct RPCError: Error, Equatable {
  enum Code: Int { case unreadable = -32700, noRequest = -32600, noMethod = -32601, badParameters = -32602 }
  var code: Code
  var message: String

  var json: JSON { ["code": .integer(code.rawValue), "message": .string(message)] }
}

extension JSON {
  static func answer(_ id: JSON, _ result: JSON) -> JSON { ["jsonrpc": "2.0", "id": id, "result": result] }
  static func refusal(_ id: JSON, _ error: RPCError) -> JSON { ["jsonrpc": "2.0", "id": id, "error": error.json] }

  func merging(_ more: [String: JSON]) -> JSON { .object(fields.merging(more) { $1 }) }
}
