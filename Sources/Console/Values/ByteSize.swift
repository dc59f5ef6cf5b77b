/// Reads a number of bytes: `4096`, `64KiB`, `1MiB`, `2GiB`, `10MB`.
public func byteSize(_ text: String) throws(Misreading) -> Int {
  let digits = text.prefix { $0.isASCII && $0.isNumber }
  let units = [
    "": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "kB": 1000, "MB": 1_000_000, "GB": 1_000_000_000,
  ]
  guard let count = Int(digits), let unit = units[String(text.dropFirst(digits.count))] else {
    throw Misreading("is not a size", hints: ["accepted forms: 4096, 64KiB, 1MiB, 2GiB, 10MB"])
  }
  let (size, overflow) = count.multipliedReportingOverflow(by: unit)
  // Room for the sums that settings are put into.
  guard !overflow, size <= 1 << 60 else { throw Misreading("is too large a size") }
  return size
}
