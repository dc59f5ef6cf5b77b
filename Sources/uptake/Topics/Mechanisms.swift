internal import Console

extension Program.Topic {
  static let mechanisms = Program.Topic(
    "mechanisms", purpose: "what brings a release to a device, and what can be concluded from it"
  ) { _ in
    """
    A release comes to a device in two steps. Something delivers it: a silent push, a background refresh, the user who opens \
    the app, or a change of place. Later the next launch applies it. The mechanism is what delivered it first; opening the app \
    afterwards only applies what is there. --attribution applied credits the launch instead.

    Mechanisms compete: a device that a push has reached no longer waits for a refresh. So each has a share of all devices \
    by an age, and the shares and those still waiting are 100%. Dividing a mechanism's updates by its own attempts would \
    not add up to anything.

      silentPush   needs a push server, and a system that lets the app be woken
      bgRefresh    runs when the system permits, often at night
      foreground   the user opened the app, and it looked
      location     a region or a significant change woke it
      unknown      the client did not say; never guessed

    Devices are not assigned to mechanisms at random: those that a push reaches are used more. A difference describes the \
    fleet; it does not say what would happen without pushes. For that, hold pushes back from a random few (arm in the \
    event): then answers compare the arms.

    See also: uptake help censoring, uptake push --help, uptake wakeups --help
    """
  }
}
