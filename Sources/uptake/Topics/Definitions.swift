internal import Console

extension Program.Topic {
  static let definitions = Program.Topic(
    "definitions", purpose: "the words of an answer, with one small example"
  ) { _ in
    """
      eligible   The release was meant for the device: published on its channel and
                 platform, and its rollout step had come.
      offered    The device asked for an update and was told of this release.
      reachable  The device was in contact within the reach window (28 days unless
                 --reach-window says otherwise). A silent device can not update.
      reach      The share of reachable devices that run the release now. It falls
                 when a device rolls back or moves on.
      adoption   The share of eligible devices that had updated by an age, such as
                 24 hours after each became eligible. It never falls.
      censored   Watched for a while, then no more, without an update: the cutoff
                 came, it fell silent, it changed its channel, or a newer release
                 came. It counts as not updated until then, and not at all after.
      mechanism  What delivered the release: silentPush, bgRefresh, foreground,
                 location, or unknown. Opening the app later only applies it.

    A small example. A channel has 12 phones, and the rollout has come to 10 of them: 10 are eligible. One of these \
    has been silent for 40 days: 9 are reachable.

      hour  2   3 of 9 waiting phones update (silentPush)      6 still wait
      hour 10   1 changes to the beta channel: censored        5 still wait
      hour 20   2 of 5 waiting phones update (bgRefresh)       3 still wait
      hour 22   1 of the updated phones rolls back

    Adoption at 24 h: 6/9 still waited after hour 2, and 3/5 of those after hour 20. That leaves 6/9 × 3/5 = 40% \
    waiting, so adoption is 60%. Counting 5 of 9 = 56% would say that the phone that left was refusing to update; \
    counting 5 of 8 = 63% would forget that it did wait for ten hours.

    By mechanism: silentPush 3/9 = 33%, bgRefresh 6/9 × 2/5 = 27%. Together they are the 60%.

    Reach at 24 h: of 12 phones one is silent and one is on beta, so 10 are reachable. 5 updated and 1 rolled back: 4 \
    of 10 = 40%. Reach and adoption differ on purpose; answers name the one they give.

    Mechanisms are not assigned at random: phones that get silent pushes differ from phones that do not. A difference \
    between mechanisms describes, it does not prove an effect. For that, hold pushes back from a random few.
    """
  }
}
