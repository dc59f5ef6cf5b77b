import Foundation

/// An answer as text, to be held against another one: its names in order.
func bytes(_ answer: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  return String(decoding: try encoder.encode(answer), as: UTF8.self)
}
