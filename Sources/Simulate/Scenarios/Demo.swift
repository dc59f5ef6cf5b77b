extension BuiltInScenario {
  static let demo = Self(
    name: "demo",
    text: """
      name demo
      about Thirty days of an ordinary app: six releases, two channels, a bad release that is caught, a fix by push.
      until 2025-06-30T00:00:00Z
      days 30
      devices 24000
      base 4.0.0
      channel production 88%
      channel beta 12%
      work-period 3h
      holdout 5%

      release 4.1.0
        publish beta at 1d9h
        publish production at 3d9h rollout 10%@0h,50%@24h,100%@48h
      release 4.2.0
        publish beta at 7d14h
        publish production at 8d9h rollout 10%@0h,100%@24h
        push production at 9d10h
      release 4.3.0        # crashes on one device in eleven; caught while it is at 10 %
        crashes-on 9%
        publish beta at 12d10h
        publish production at 13d9h rollout 10%@0h,50%@24h,100%@48h
        halt beta at 13d20h
        halt production at 13d20h
      release 4.3.1        # the fix, mandatory and announced by push
        size 300KB
        publish beta at 14d8h mandatory
        publish production at 14d9h mandatory
        push production at 14d9h times 3 every 3h expires 12h
      release 4.4.0
        publish beta at 18d9h
        publish production at 20d9h rollout 20%@0h,100%@36h
        push production at 21d22h
      release 4.5.0
        size 1.6MB
        publish beta at 24d9h
        publish production at 25d9h rollout 10%@0h,40%@24h,100%@48h
        push production at 27d10h
      """)
}
