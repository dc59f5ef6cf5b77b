import CMicrohttpd
import Glibc

/// A libmicrohttpd daemon without threads, run by its owner. All calls come from one thread.
final class Daemon {
  private let handle: OpaquePointer
  private let callbacks: Callbacks
  private let certificate: UnsafeMutablePointer<CChar>?
  private let key: UnsafeMutablePointer<CChar>?
  private let priorities: UnsafeMutablePointer<CChar>?
  /// Readable when `run` has something to do.
  let descriptor: Int32

  /// What C code holds on to: the way back to the worker, and what the library complained about.
  final class Callbacks {
    unowned(unsafe) var worker: Worker?
    var complaint = UnsafeMutablePointer<mhd_complaint>.allocate(capacity: 1)
    init() { complaint.initialize(to: mhd_complaint()) }
    deinit { complaint.deallocate() }
  }

  init(_ configuration: Configuration, maxConnections: Int) throws(ListenError) {
    let callbacks = Callbacks()
    let certificate = configuration.tls.flatMap { strdup($0.certificate) }
    let key = configuration.tls.flatMap { strdup($0.key) }
    let priorities = configuration.tls.flatMap { _ in strdup(Self.priorities) }
    var settings = mhd_settings()
    settings.flags = Self.flags(tls: configuration.tls != nil)
    settings.connection_limit = UInt32(clamping: maxConnections)
    settings.connection_memory = configuration.connectionMemory
    settings.tls_certificate = UnsafePointer(certificate)
    settings.tls_key = UnsafePointer(key)
    settings.tls_priorities = UnsafePointer(priorities)
    settings.context = Unmanaged.passUnretained(callbacks).toOpaque()
    settings.complaint = callbacks.complaint
    settings.install()
    callbacks.complaint.pointee.listening = 1
    let started = mhd_start(&settings)
    callbacks.complaint.pointee.listening = 0
    guard let handle = started else {
      free(certificate)
      free(key)
      free(priorities)
      throw callbacks.startError(configuration)
    }
    self.handle = handle
    self.callbacks = callbacks
    self.certificate = certificate
    self.key = key
    self.priorities = priorities
    descriptor = mhd_epoll_descriptor(handle)
  }

  deinit {
    free(certificate)
    free(key)
    free(priorities)
  }

  /// TLS 1.2 and 1.3, with keys that are made for one connection, and ciphers that authenticate what they encrypt (RFC
  /// 9325, 4.2). In GnuTLS' words.
  private static let priorities = [
    "SECURE128", "-VERS-ALL", "+VERS-TLS1.3", "+VERS-TLS1.2", "-KX-ALL", "+ECDHE-ECDSA", "+ECDHE-RSA", "-CIPHER-ALL",
    "+AES-256-GCM", "+AES-128-GCM", "+CHACHA20-POLY1305", "-MAC-ALL", "+AEAD",
  ].joined(separator: ":")

  private static func flags(tls: Bool) -> UInt32 {
    let base = [MHD_USE_EPOLL, MHD_USE_NO_LISTEN_SOCKET, MHD_ALLOW_SUSPEND_RESUME, MHD_USE_ERROR_LOG]
    return (base + (tls ? [MHD_USE_TLS] : [])).reduce(0) { $0 | $1.rawValue }
  }

  func bind(_ worker: Worker) { callbacks.worker = worker }

  /// Handles what is ready, without waiting.
  func run() { MHD_run(handle) }

  var hasMoreToDo: Bool {
    var milliseconds: UInt64 = 0
    return MHD_get_timeout(handle, &milliseconds) == .YES && milliseconds == 0
  }

  /// The daemon owns the socket from here, also when it refuses it.
  func add(_ arrival: Mailbox.Arrival) {
    _ = arrival.address.withPointer { MHD_add_connection(handle, arrival.connection.descriptor, $0, $1) }
  }

  func resume(_ reply: Reply) {
    if let connection = OpaquePointer(bitPattern: reply.connection) { MHD_resume_connection(connection) }
  }

  /// Whether nobody is connected.
  var isIdle: Bool { mhd_connections(handle) == 0 }

  private(set) var isStopped = false

  func stop() {
    isStopped = true
    MHD_stop_daemon(handle)
  }
}

extension Daemon.Callbacks {
  fileprivate func startError(_ configuration: Configuration) -> ListenError {
    let text = withUnsafeBytes(of: &complaint.pointee.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let detail = text.split(separator: "\n").joined(separator: " ")
    let reason: ListenError.Reason =
      configuration.tls == nil ? .system(call: "MHD_start_daemon", errno: errno, message: detail) : .tls(detail)
    return ListenError(address: configuration.address.description, reason: reason)
  }
}
