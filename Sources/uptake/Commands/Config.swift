internal import Console

extension Command {
  static let config = Command(
    "config", group: "ABOUT", purpose: "Show and check settings",
    discussion: """
      A setting comes from its option, else its environment variable, else ./uptake.toml, else \
      $XDG_CONFIG_HOME/uptake/config.toml, else /etc/uptake/config.toml, else its default. With --config FILE no other \
      file is read.
      """,
    seeAlso: ["help environment"], subcommands: [.configShow, .configCheck, .configExample])
}
