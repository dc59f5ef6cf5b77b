internal import HTTP
internal import Ingest

/// The body without its compression.
/// - Parameter enough: of how many bytes nothing more is wanted.
func inflated(_ request: HTTP.Request, limit: Int, enough: Int = .max) throws(DialectProblem) -> [UInt8] {
  do throws(Unreadable) {
    guard request.headers["content-encoding"]?.lowercased() == "br" else {
      return try plainBody(request, limit: limit, enough: enough)
    }
    do throws(InflationProblem) {
      return try inflateBrotli(request.body.span.bytes, limit: limit, enough: enough)
    } catch {
      throw .inflation(error)
    }
  } catch {
    switch error {
    case .inflation(.tooLarge): throw DialectProblem(.tooLarge, "the body is larger than allowed once it is inflated")
    case .inflation(let problem): throw DialectProblem(.malformed, "\(problem)")
    case .encoding(let name):
      throw DialectProblem(
        .unsupported, "Content-Encoding \(name) is not read here; send gzip, deflate, zstd, br or none")
    case .type, .sentAt, .aside: throw DialectProblem(.malformed, "the request's headers cannot be read")
    }
  }
}
