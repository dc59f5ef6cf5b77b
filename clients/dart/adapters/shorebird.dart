// shorebird_code_push 2.x: packages/shorebird_code_push/lib/src/shorebird_updater.dart.
import 'package:shorebird_code_push/shorebird_code_push.dart';
import 'package:uptake/uptake.dart';

/// As Shorebird's own reports are named by Uptake: `VERSION:PATCH`.
String release(Uptake uptake, Patch patch) => '${uptake.appVersion}:${patch.number}';

/// At each start. Shorebird rolls a patch back that did not boot; what runs then is an older one.
Future<void> shorebirdStarted(Uptake uptake, ShorebirdUpdater updater) async {
  final patch = await updater.readCurrentPatch();
  await uptake.started(patch == null ? null : release(uptake, patch));
}

/// Checks and downloads; the patch runs at the next start. The updater names a patch only once it is on the disk.
Future<Outcome?> shorebirdUpdate(Uptake uptake, Scope scope, ShorebirdUpdater updater) async {
  if (await updater.checkForUpdate() != UpdateStatus.outdated) return Outcome.noData;
  try {
    await updater.update();
  } on UpdateException catch (problem) {
    await scope.record(Stage.failed, null, {'reason': problem.reason.name});
    return Outcome.failed;
  }
  final next = await updater.readNextPatch();
  if (next == null) return Outcome.noData;
  await scope.record(Stage.downloadCompleted, release(uptake, next));
  await scope.record(Stage.ready, release(uptake, next));
  return Outcome.newData;
}
