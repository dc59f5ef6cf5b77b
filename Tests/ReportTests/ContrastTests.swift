import Foundation
import Testing

@testable import Report

/// WCAG 2.2: words differ from what they stand on by 4.5 to 1 (1.4.3), marks by 3 to 1 (1.4.11), on light pages and dark ones.
@Suite struct ContrastTests {
  /// As the style has it: on light pages, then on dark ones.
  private func colours(_ name: String) throws -> [String] {
    let rule = try Regex("--\(name):(#[0-9a-f]+)[;}]", as: (Substring, Substring).self)
    return Style.sheet.matches(of: rule).map { String($0.output.1) }
  }

  /// Red, green and blue of `#555` or `#0072b2`, 0 to 1.
  private func parts(_ colour: String) -> [Double] {
    let digits = colour.dropFirst().map { String($0) }
    let pairs =
      digits.count == 3 ? digits.map { $0 + $0 } : stride(from: 0, to: 6, by: 2).map { digits[$0] + digits[$0 + 1] }
    return pairs.map { Double(Int($0, radix: 16) ?? 0) / 255 }
  }

  private func luminance(_ parts: [Double]) -> Double {
    let linear = parts.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return zip(linear, [0.2126, 0.7152, 0.0722]).reduce(0) { $0 + $1.0 * $1.1 }
  }

  private func contrast(_ colour: String, opacity: Double = 1, on ground: String) -> Double {
    let mixed = zip(parts(colour), parts(ground)).map { $0 * opacity + $1 * (1 - opacity) }
    let both = [luminance(mixed), luminance(parts(ground))].sorted()
    return (both[1] + 0.05) / (both[0] + 0.05)
  }

  /// Of the definition: black on white, and the grey that is just enough for words.
  @Test func contrastIsKnown() {
    #expect(abs(contrast("#000", on: "#fff") - 21) < 1e-9)
    #expect(contrast("#767676", on: "#ffffff") >= 4.5 && contrast("#777", on: "#fff") < 4.5)
  }

  @Test(arguments: ["fg", "dim", "link", "good", "warn", "bad", "calm"]) func wordsAreRead(_ name: String) throws {
    let words = try colours(name)
    #expect(words.count == 2)
    for ground in try [colours("bg"), colours("soft")] {
      for (word, ground) in zip(words, ground) { #expect(contrast(word, on: ground) >= 4.5, "\(word) on \(ground)") }
    }
  }

  @Test(arguments: Ink.allCases) func marksAreSeen(_ ink: Ink) throws {
    for (mark, ground) in zip([ink.light, ink.dark], try colours("bg")) {
      #expect(contrast(mark, on: ground) >= 3, "\(mark) on \(ground)")
    }
  }

  /// What is provisional is drawn faint, and no fainter than can be seen. No line is drawn in the ink of what is left over.
  @Test(arguments: Ink.allCases.filter { $0 != .waiting }) func faintLinesAreSeen(_ ink: Ink) throws {
    let rule = try #require(Style.sheet.firstMatch(of: /\.l\.f\{stroke-opacity:([.0-9]+)/))
    let opacity = try #require(Double("0\(rule.output.1)"))
    for (mark, ground) in zip([ink.light, ink.dark], try colours("bg")) {
      #expect(contrast(mark, opacity: opacity, on: ground) >= 3, "\(mark) on \(ground)")
    }
  }
}
