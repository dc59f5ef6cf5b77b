import CMicrohttpd
import Glibc

extension Daemon {
  /// What libmicrohttpd passes when it calls about a request.
  struct Call {
    let connection: OpaquePointer
    let method: UnsafePointer<CChar>
    let version: UnsafePointer<CChar>

    /// `HTTP/1.0`, by its last digit; libmicrohttpd refuses all but 1.x.
    var isHTTP10: Bool { version[7] == CChar(bitPattern: UInt8(ascii: "0")) }

    /// Whether the request line holds more than libmicrohttpd tells of: what follows a NUL in the target, or further spaces.
    func hidesSome(ofTarget bytes: Int) -> Bool {
      mhd_is_lenient() != 0 && version - method != strlen(method) + 1 + bytes + 1
    }

    /// From the method to the end of the empty line.
    var headBytes: Int { mhd_head_bytes(connection) }

    /// Hands the answer over; false when it cannot be taken and the connection must end.
    func queue(_ response: Response, closing: Bool) -> Bool {
      guard let made = made(response) else { return false }
      defer { MHD_destroy_response(made) }
      for (name, value) in response.headers { MHD_add_response_header(made, name, value) }
      for (name, value) in caution where !response.has(name) { MHD_add_response_header(made, name, value) }
      if closing { MHD_add_response_header(made, "Connection", "close") }
      return MHD_queue_response(connection, UInt32(clamping: response.status), made) == .YES
    }

    private func made(_ response: Response) -> OpaquePointer? {
      if let constant = response.constant {
        return MHD_create_response_from_buffer(constant.bytes.count, constant.start, .RESPMEM_PERSISTENT)
      }
      return response.body.withUnsafeBytes { body in
        MHD_create_response_from_buffer(
          body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), .RESPMEM_MUST_COPY)
      }
    }
  }
}

/// What browsers are told about every answer that does not say otherwise: take it for what it says it is, run and embed
/// nothing of it, keep it nowhere.
private let caution = [
  ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
  ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
]

extension mhd_settings {
  mutating func install() {
    on_connection = { context, connection, slot, event in
      guard let worker = worker(context), let slot else { return }
      switch event {
      case .CONNECTION_NOTIFY_STARTED:
        slot.pointee = worker.opened().map { Unmanaged.passRetained($0).toOpaque() }
      default:
        guard let opaque = slot.pointee else { return }
        slot.pointee = nil
        worker.closed(Unmanaged<Connection>.fromOpaque(opaque).takeRetainedValue())
      }
    }
    on_target = { context, target, connection in
      guard let worker = worker(context), let opaque = mhd_socket_context(connection) else { return nil }
      let connection = Unmanaged<Connection>.fromOpaque(opaque).takeUnretainedValue()
      let exchange = worker.began(target.map { String(cString: $0) } ?? "", on: connection)
      if let target {
        exchange.targetBytes = strlen(target)
        mhd_hide_query(target)
      }
      return Unmanaged.passUnretained(exchange).toOpaque()
    }
    on_request = { context, connection, _, method, version, data, size, slot in
      guard let worker = worker(context), let connection, let method, let version, let size else { return .NO }
      guard let opaque = slot?.pointee else { return .NO }
      let exchange = Unmanaged<Exchange>.fromOpaque(opaque).takeUnretainedValue()
      let call = Daemon.Call(connection: connection, method: method, version: version)
      let bytes = UnsafeRawBufferPointer(start: data, count: size.pointee)
      size.pointee = 0
      return worker.proceed(exchange, call, bytes) ? .YES : .NO
    }
    on_completed = { context, _, slot, ending in
      guard let worker = worker(context), let opaque = slot?.pointee else { return }
      slot?.pointee = nil
      worker.ended(Unmanaged<Exchange>.fromOpaque(opaque).takeUnretainedValue(), ending)
    }
  }
}

private func worker(_ context: UnsafeMutableRawPointer?) -> Worker? {
  context.flatMap { Unmanaged<Daemon.Callbacks>.fromOpaque($0).takeUnretainedValue().worker }
}

extension Worker {
  /// libmicrohttpd calls when the head is there, for each piece of body, when all is there, and after a resume.
  fileprivate func proceed(_ exchange: Exchange, _ call: Daemon.Call, _ bytes: UnsafeRawBufferPointer) -> Bool {
    switch exchange.phase {
    case .head: headComplete(exchange, call)
    case .body, .discarding: bytes.isEmpty ? requestComplete(exchange, call) : bodyArrived(exchange, bytes)
    case .handling(let reply): answerOrSuspend(exchange, reply, call)
    case .answered: true
    }
  }
}
