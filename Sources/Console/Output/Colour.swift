/// Whether to colour, by the first rule that speaks: `--color`, NO_COLOR, CLICOLOR_FORCE, CLICOLOR=0, TERM=dumb, the
/// stream (https://no-color.org, https://bixense.com/clicolors).
public func usesColour(_ choice: String, environment: [String: String], isTerminal: Bool) -> Bool {
  func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
  if choice == "always" { return true }
  if choice == "never" || isSet("NO_COLOR") { return false }
  if isSet("CLICOLOR_FORCE"), environment["CLICOLOR_FORCE"] != "0" { return true }
  return environment["CLICOLOR"] != "0" && environment["TERM"] != "dumb" && isTerminal
}
