internal import Console

extension Program.Topic {
  static let environment = Program.Topic("environment", purpose: "the variables that are read, and what is stronger") {
    """
    A setting comes from the first of these that says something: its option, its variable, ./uptake.toml, \
    $XDG_CONFIG_HOME/uptake/config.toml, /etc/uptake/config.toml, its default. To see which one it was: uptake config \
    show --origin

    \(variables(of: $0))
      UPTAKE_WAREHOUSE_PASSWORD
                            the password of the warehouse that --db or --ship name
      UPTAKE_WAREHOUSE_TRUST
                            a file (PEM) of certificates to trust there, where
                            the system does not know its authority

    Variables that other programs know too:

      NO_COLOR              any value: no colors
      CLICOLOR=0            no colors
      CLICOLOR_FORCE=1      colors even in a pipe, unless NO_COLOR
      TERM=dumb             no colors
      COLUMNS               width to draw for, where no terminal says one
      LC_ALL LC_CTYPE LANG  UTF-8, or drawing with ASCII only
      XDG_CONFIG_HOME HOME  where the user's configuration file is
      XDG_DATA_HOME HOME    where the default database is: uptake/uptake.db
                            there, or in ~/.local/share

    An empty variable says nothing. A run that uses the default database says so on standard error.
    """
  }
}

/// From the table of commands, so that none is forgotten.
private func variables(of program: Program) -> String {
  let known = program.allOptions.compactMap { option in option.environment.map { ($0, option.name) } }
  return known.sorted { $0 < $1 }.map { "  \(padded($0, to: 22))--\($1)" }.joined(separator: "\n")
}
