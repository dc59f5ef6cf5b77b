extension BuiltInScenario {
  static let quietWeek = Self(
    name: "quiet-week",
    text: """
      name quiet-week
      about One ordinary release, nobody in a hurry, no push.
      days 14
      devices 10000
      base 2.0.0

      release 2.1.0
        publish production at 3d9h
      """)

  static let criticalFix = Self(
    name: "critical-fix-with-push",
    text: """
      name critical-fix-with-push
      about A mandatory fix for everybody at once, announced by silent push; a tenth of the devices gets no push.
      days 14
      devices 20000
      base 2.0.0
      holdout 10%

      release 2.1.0
        publish production at 2d9h rollout 20%@0h,100%@24h
      release 2.1.1
        size 250KB
        publish production at 7d2h mandatory
        push production at 7d2h15m times 2 every 4h expires 12h
      """)

  static let stalledRollout = Self(
    name: "stalled-rollout",
    text: """
      name stalled-rollout
      about A release stuck at a quarter of the devices for days while its large patch fails on one in six.
      days 21
      devices 20000
      base 2.0.0
      apply cold-start

      release 2.1.0
        publish production at 2d9h rollout 10%@0h,50%@12h,100%@24h
      release 2.2.0
        size 14MB
        patch-fails-on 16%
        publish production at 9d9h rollout 5%@0h,25%@12h,100%@8d
      """)

  static let badRelease = Self(
    name: "bad-release",
    text: """
      name bad-release
      about A release that crashes on one device in eight passes the beta, is caught at 10 % of production and replaced.
      days 14
      devices 30000
      base 2.0.0
      channel production 92%
      channel beta 8%

      release 2.1.0
        publish beta at 1d9h
        publish production at 2d9h rollout 10%@0h,100%@24h
      release 2.2.0
        crashes-on 12%
        publish beta at 6d18h
        publish production at 7d9h rollout 10%@0h,50%@24h,100%@48h
        halt beta at 7d21h
        halt production at 7d21h
      release 2.2.1
        publish beta at 8d8h
        publish production at 8d10h rollout 25%@0h,100%@12h
      """)

  static let pushThrottling = Self(
    name: "push-throttling",
    text: """
      name push-throttling
      about Eight pushes within two hours: iOS holds them back, coalesces them and delivers few.
      days 10
      devices 20000
      base 2.0.0
      ios 70%
      holdout 5%

      release 2.1.0
        publish production at 3d9h
        push production at 3d9h times 8 every 15m expires 6h
      release 2.2.0        # the same without haste, to compare
        publish production at 7d9h
        push production at 7d9h
      """)
}
