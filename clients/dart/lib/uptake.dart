/// Tells Uptake what becomes of over-the-air updates: Flutter and Dart, without a dependency.
///
/// An event has its id and its time when it happens, lies on disk before anything is sent, and is removed once Uptake has
/// answered for it. What a resend repeats is recognised by its id. The rules are clients/cases.json, for all languages;
/// of this one they are not run, for want of a compiler.
library;

import 'dart:async';
import 'dart:convert';
import 'dart:io';
import 'dart:math';

enum Stage {
  check, available, downloadStarted, downloadCompleted, verified, ready, applied, confirmed,
  dismissed, failed, rolledBack, crashed, wakeStarted, wakeFinished, pushReceived
}

enum Trigger { silentPush, bgRefresh, foreground, location, unknown }
enum Outcome { newData, noData, failed, expired }
enum AppState { background, inactive, active, notRunning }
enum Next { go, halve, apart, retry, rest }

/// Arms with the percentage of devices each; devices beyond their sum are in none.
typedef Experiment = ({String name, List<(String, double)> arms});
typedef Verdict = ({int remove, int refused, Next next});
typedef Work = Future<Outcome?> Function(Scope scope);

/// A number from 0 to 9999 that a device keeps throughout an experiment: FNV-1a of `name:device`, mixed as in MurmurHash3.
int bucketOf(String device, String experiment) {
  // In two halves, so that numbers stay exact where Dart is compiled to JavaScript.
  int times(int one, int other) => ((one & 0xffff) * other + (((one >> 16) * other & 0xffff) << 16)) & 0xffffffff;
  var hash = 0x811c9dc5;
  for (final byte in utf8.encode('$experiment:$device')) hash = times(hash ^ byte, 0x01000193);
  hash = times(hash ^ (hash >> 16), 0x85ebca6b);
  hash = times(hash ^ (hash >> 13), 0xc2b2ae35);
  return (hash ^ (hash >> 16)) % 10000;
}

String? armOf(String device, Experiment experiment) {
  final bucket = bucketOf(device, experiment.name);
  var end = 0;
  for (final (arm, percent) in experiment.arms) {
    end += (percent * 100).round();
    if (bucket < end) return arm;
  }
  return null;
}

/// Whether a push arrived (`silentPush`) or came with a tap or in use (`foreground`).
Trigger arrivalOrTap(AppState state, {required bool isStarting}) => switch (state) {
      AppState.background => Trigger.silentPush,
      AppState.active => Trigger.foreground,
      AppState.inactive || AppState.notRunning => isStarting ? Trigger.foreground : Trigger.silentPush,
    };

/// How many of [count] events leave the queue, how many of them were refused, and what comes next; status 0 is no answer.
Verdict judge(int status, String body, int count) {
  int number(String name) => int.parse(RegExp('"$name"\\s*:\\s*(\\d{1,9})').firstMatch(body)?.group(1) ?? '0');
  final isOurs = status == 400 || status >= 200 && status < 300;
  final answered = number('accepted') + number('duplicate') + number('rejected');
  if (isOurs && answered > 0) return (remove: min(answered, count), refused: min(number('rejected'), count), next: Next.go);
  if (status == 413 || status == 400 && _errorOf(body)['code'] is String) {
    return count > 1 ? (remove: 0, refused: 0, next: Next.halve) : (remove: 1, refused: 1, next: Next.go);
  }
  if (status < 400 || status >= 500 || const {408, 425, 429}.contains(status)) return (remove: 0, refused: 0, next: Next.retry);
  // These are about the key or the address. Others, such as a firewall's, may be about one event.
  return (remove: 0, refused: 0, next: const {401, 404, 405, 407}.contains(status) ? Next.rest : Next.apart);
}

/// What the service says is wrong; nothing where something in between answered.
Map<String, Object?> _errorOf(String body) {
  try {
    if (jsonDecode(body) case {'error': final Map<String, Object?> said}) return said;
  } on FormatException {
    // A page of somebody else.
  }
  return const {};
}

/// Why events wait: the service's own words where it has some.
String cause(int status, String body) {
  if (status == 0) return body;
  final said = _errorOf(body)['message'];
  return said is String ? 'status $status: $said' : 'status $status';
}

/// Where events are posted, however much of it [url] says already.
String eventsAddress(String url) => '${url.replaceFirst(RegExp(r'(/+v1(/+events)?)?/*$'), '')}/v1/events';

const hour = 3600000;
const _year2000 = 946684800000;

/// Milliseconds until the next attempt; [random] is from 0 up to 1.
int pause(Next next, int failures, double random, String? retryAfter, int base) {
  final full = next != Next.retry ? hour : min(hour, base * pow(2, min(failures - 1, 30)));
  final said = RegExp(r'^\d{1,9}$').hasMatch(retryAfter ?? '') ? min(int.parse(retryAfter!), 86400) : 0;
  return ((said > 0 ? said * 1000 : full / 2) + random * full / 2).floor();
}

/// What of a stored text are whole lines; a torn end and what is no event are left out.
List<String> linesOf(String text) => text.contains('\n')
    ? text.substring(0, text.lastIndexOf('\n')).split('\n').where((line) => RegExp(r'^\{[^\x00]*\}$').hasMatch(line)).toList()
    : [];

/// Without U+0000 and halves of characters, which are refused.
String clean(String text) => String.fromCharCodes(text.runes
    .where((rune) => rune != 0)
    .map((rune) => rune >= 0xd800 && rune <= 0xdfff ? 0xfffd : rune));

/// At most so many bytes of UTF-8, in whole characters.
String cut(String text, int limit) {
  var end = min(text.length, limit);
  bool isAmid() => end < text.length && text.codeUnitAt(end) & 0xfc00 == 0xdc00;
  while (isAmid() || utf8.encode(text.substring(0, end)).length > limit) end -= 1;
  return text.substring(0, end);
}

/// Bytes of the texts that describe. Of a reason the service keeps as many; with another that is longer it refuses the event.
const _longest = {'reason': 256, 'osVersion': 64, 'sdkVersion': 64, 'network': 64, 'deviceModel': 64, 'region': 32};

/// A value as the service takes it: numbers are whole and not negative.
Object? _fit(String name, Object? value) {
  if (value is num) return value.isFinite ? max(0, value.round()) : null;
  if (value is Map<String, String>) return value.map((name, tag) => MapEntry(name, clean(tag)));
  if (value is! String) return value;
  final limit = _longest[name];
  return limit == null ? clean(value) : cut(clean(value), limit);
}

/// What was kept; nothing where it is no state, as after a loss of power.
Map<String, Object?> _stateOf(String kept) {
  try {
    if (jsonDecode(kept) case final Map<String, Object?> state when state['device'] is String) return state;
  } on FormatException {
    // It counts as a new device.
  }
  return const {};
}

String _randomID() {
  final random = Random.secure();
  return List.generate(16, (_) => random.nextInt(256).toRadixString(16).padLeft(2, '0')).join();
}

/// One reason for the app to run: all that is recorded in it has its trigger.
class Scope {
  Scope._(this._uptake, this.trigger, [this.push]);
  final Uptake _uptake;
  final Trigger trigger;
  final String? push;
  final _stages = <Stage>{};

  /// Done once the event is on disk, or cannot be written, as when it is full: never with an error. [details] are fields of
  /// docs/events.md.
  Future<void> record(Stage stage, [String? release, Map<String, Object?> details = const {}]) {
    _stages.add(stage);
    return _uptake._record(stage, trigger, release, {'push': push, ...details});
  }

  /// What a wake-up came to that does not say it itself.
  Outcome get outcome {
    if (_stages.contains(Stage.failed)) return Outcome.failed;
    const news = {Stage.downloadCompleted, Stage.verified, Stage.ready, Stage.applied};
    return _stages.any(news.contains) ? Outcome.newData : Outcome.noData;
  }
}

class Uptake {
  Uptake._(this.url, this.folder, this.appVersion, this.key, this._fixed, this.experiment, this.onProblem, this.capacity,
      this.delay, this.retryBase, this.budget);

  /// One for a folder: two at once would remove each other's events. Throws where the folder cannot be read.
  ///
  /// [url] is where Uptake is, `https://uptake.example.com`; a slash, `/v1` or `/v1/events` behind it are taken, too.
  /// [device] is that of another client of the same installation, such as one in an isolate of its own; null: a random one.
  /// [region] is where the device is, such as a country; [tags] are what the app tells its devices apart by, up to eight.
  /// On phones [folder] is one that is not backed up: a phone set up from a backup is another device.
  static Future<Uptake> open({
    required String url, required Directory folder, required String appVersion, String? device, String? key, String? app,
    String? platform, String? osVersion, String? sdkVersion, String? channel, bool? emulator, String? deviceModel, String? region,
    Map<String, String>? tags, Experiment? experiment,
    void Function(String problem)? onProblem, int capacity = 1000, int delay = 1000, int retryBase = 5000, int budget = 25000,
  }) async {
    final fixed = {'app': app, 'channel': channel, 'platform': platform, 'osVersion': osVersion, 'appVersion': appVersion,
      'sdkVersion': sdkVersion, 'emulator': emulator, 'deviceModel': deviceModel, 'region': region, 'tags': tags};
    final uptake = Uptake._(url, folder, appVersion, key, fixed, experiment, onProblem ?? (_) {}, capacity, delay, retryBase, budget);
    await uptake._load(device);
    return uptake;
  }

  final String url, appVersion;
  final Directory folder;
  final String? key;
  final Map<String, Object?> _fixed;
  final Experiment? experiment;
  final void Function(String) onProblem;
  final int capacity, delay, retryBase, budget;

  Map<String, Object?> _state = {'device': _randomID(), 'dropped': 0, 'refused': 0, 'failures': 0, 'notBefore': 0};
  List<String> _lines = [];
  var _removed = 0, _limit = 100, _due = 0;
  var _isTorn = false, _isClosed = false;
  Timer? _timer;
  HttpClient? _client;
  Future<void> _work = Future.value(), _sending = Future.value();
  final _scopes = <Scope>[];

  /// A random id of this installation, made at its first start.
  String get device => _state['device']! as String;
  int _number(String name) => _state[name]! as int;
  ({int queued, int dropped, int refused, int failures}) get status =>
      (queued: _lines.length, dropped: _number('dropped'), refused: _number('refused'), failures: _number('failures'));

  /// The scope that was begun last and goes on; for callbacks that do not know theirs.
  Scope get current => _scopes.isEmpty ? Scope._(this, Trigger.unknown) : _scopes.last;

  // Entry points.

  /// At each start: what the app runs, null for the build from the store. The first start of another release is its `applied`.
  Future<void> started(String? running, [Scope? scope]) async {
    final (release, before, within) = (running ?? 'store:$appVersion', _state['running'] as String?, scope ?? current);
    if (running != null && before != null && before != release) await within.record(Stage.applied, release, {'from': before});
    await within.record(Stage.check, release);
    _state['running'] = release;
    await _inTurn(_save);
  }

  /// A push came. Where it woke the app the work is a wake-up, else it is the user's.
  Future<Outcome> silentPush(Work work,
      {String? id, String? release, required AppState appState, required bool appIsStarting}) async {
    final scope = Scope._(this, arrivalOrTap(appState, isStarting: appIsStarting), id);
    await scope.record(Stage.pushReceived, release, {'appState': appState.name, 'appIsStarting': appIsStarting});
    return scope.trigger == Trigger.silentPush ? _wakeUp(scope, work) : _outcome(scope, work);
  }

  Future<Outcome> backgroundRefresh(Work work) => _wakeUp(Scope._(this, Trigger.bgRefresh), work);
  Future<Outcome> location(Work work) => _wakeUp(Scope._(this, Trigger.location), work);
  Future<Outcome> foreground(Work work) async {
    final scope = beginForeground();
    try {
      return await work(scope) ?? scope.outcome;
    } finally {
      end(scope);
    }
  }

  /// For as long as the app is on screen: [current] is of the user's doing until [end].
  Scope beginForeground() {
    final scope = Scope._(this, Trigger.foreground);
    _scopes.add(scope);
    _schedule(delay);
    return scope;
  }

  /// Sends what waits, as the system may soon suspend the app.
  void end(Scope scope) {
    _scopes.remove(scope);
    unawaited(flush());
  }

  /// For good, as where consent ends: once it is done nothing is written or sent any more, whatever is called. To [forget] removes what
  /// is kept, too: the next [open] is a new device. What cannot be removed is told; call it again.
  Future<void> close({bool forget = false}) => _inTurn(() async {
        _isClosed = true;
        _lines = [];
        _timer?.cancel();
        _client?.close(force: true);
        if (forget) await _clear();
      });

  Future<void> _clear() async {
    for (final name in ['state', 'queue', 'state.new', 'queue.new']) {
      final file = File('${folder.path}/$name');
      if (await file.exists()) await file.delete();
    }
    // What else is in the folder is not this client's.
    if (await folder.exists() && await folder.list().isEmpty) await folder.delete();
  }

  Future<Outcome> _outcome(Scope scope, Work work) async {
    _scopes.add(scope);
    try {
      return await work(scope) ?? scope.outcome;
    } catch (problem) {
      _tell('the work of a wake-up failed: $problem');
      return Outcome.failed;
    } finally {
      _scopes.remove(scope);
    }
  }

  Future<Outcome> _wakeUp(Scope scope, Work work) async {
    final watch = Stopwatch()..start();
    await scope.record(Stage.wakeStarted, _state['running'] as String?);
    final outcome = await _outcome(scope, work).timeout(Duration(milliseconds: budget), onTimeout: () => Outcome.expired);
    _scopes.remove(scope);
    await scope.record(Stage.wakeFinished, null, {'outcome': outcome.name, 'durationMs': watch.elapsedMilliseconds});
    await flush().timeout(const Duration(seconds: 4), onTimeout: () {});
    return outcome;
  }

  // The queue.

  Future<void> _record(Stage stage, Trigger trigger, String? release, Map<String, Object?> details) {
    final now = DateTime.now().millisecondsSinceEpoch;
    final event = {
      // A clock that was never set says nothing: the time of receipt stands in.
      'id': _randomID(), 'at': now < _year2000 ? null : now, 'device': device, 'stage': stage.name,
      'trigger': trigger.name, 'release': release, ..._fixed,
      'arm': experiment == null ? null : armOf(device, experiment!), ...details,
    }..removeWhere((_, value) => value == null);
    final line = jsonEncode(event.map((name, value) => MapEntry(name, _fit(name, value))));
    return _inTurn(() => _keep(line));
  }

  Future<void> _inTurn(Future<void> Function() job) =>
      _work = _work.then((_) => job()).catchError((Object problem) => _tell('storage: $problem'));

  /// An app that fails here keeps the client from nothing.
  void _tell(String problem) {
    try {
      onProblem(problem);
    } catch (_) {
      // The app's own affair.
    }
  }

  Future<void> _keep(String line) async {
    if (_isClosed) return;
    _lines.add(line);
    _schedule(delay);
    if (_lines.length <= capacity) {
      // Behind what a full disk has torn this line would be lost with it.
      if (_isTorn) return _remove(0);
      _isTorn = true;
      await _put('queue', '$line\n', FileMode.append);
      _isTorn = false;
      return;
    }
    final dropped = max(1, capacity ~/ 10);
    _tell('$dropped of ${_lines.length} events that wait were dropped, the oldest');
    _state['dropped'] = _number('dropped') + dropped;
    await _remove(dropped);
    await _save();
  }

  Future<void> _load(String? device) async {
    await folder.create(recursive: true);
    final (state, queue) = (File('${folder.path}/state'), File('${folder.path}/queue'));
    final isNew = !await state.exists();
    final kept = isNew ? const <String, Object?>{} : _stateOf(utf8.decode(await state.readAsBytes(), allowMalformed: true));
    if (!isNew && kept.isEmpty) _tell('storage: the state is broken; this counts as a new device');
    _state = {..._state, if (device != null) 'device': device, ...kept};
    // Nobody has asked to wait where the address or the key is another, as after a wrong one.
    final target = bucketOf(key ?? '', url);
    if (kept['target'] != target) {
      _state = {..._state, 'target': target, 'failures': 0, 'notBefore': 0};
      await _inTurn(_save);
    }
    final text = await queue.exists() ? utf8.decode(await queue.readAsBytes(), allowMalformed: true) : '';
    _lines = linesOf(text);
    if (text != _text) await _inTurn(() => _remove(0));
    _schedule(delay);
  }

  String get _text => _lines.map((line) => '$line\n').join();

  Future<void> _remove(int count) async {
    _lines.removeRange(0, count);
    _removed += count;
    _isTorn = true;
    await _replace('queue', _text);
    _isTorn = false;
  }

  Future<void> _save() async {
    if (!_isClosed) await _replace('state', jsonEncode(_state));
  }

  /// After a crash it is the old text or the new one.
  Future<void> _replace(String name, String text) async {
    await _put('$name.new', text, FileMode.write);
    await File('${folder.path}/$name.new').rename('${folder.path}/$name');
  }

  Future<void> _put(String name, String text, FileMode mode) async {
    final file = await File('${folder.path}/$name').open(mode: mode);
    try {
      await file.writeString(text);
      await file.flush();
    } finally {
      await file.close();
    }
  }

  // Sending.

  /// Sends what is due; done when nothing is, or when sending has to wait.
  Future<void> flush() => _sending = _sending.then((_) => _inTurn(() async {})).then((_) => _send());

  /// A time far ahead was written by a clock that has been set since.
  int get _wait {
    final wait = _number('notBefore') - DateTime.now().millisecondsSinceEpoch;
    return wait > 25 * hour ? 0 : max(0, wait);
  }

  Future<void> _send() async {
    while (_lines.isNotEmpty && _wait == 0) {
      final (batch, first) = (_lines.take(_limit).toList(), _removed);
      final answer = await _post(batch);
      await _inTurn(() => _settle(answer, first, batch.length));
    }
    if (_lines.isNotEmpty) _schedule(0);
  }

  /// Puts one that was refused alone behind the others; answers whether it is to be dropped instead.
  Future<bool> _turn(String line) async {
    // The spaces at its start say how often others got through before it came back.
    final isOdd = _number('failures') == 0;
    if (isOdd && line.startsWith('{  ')) return true;
    _lines.add(isOdd ? '{ ${line.substring(1)}' : line);
    await _remove(1);
    return false;
  }

  Future<void> _settle((int, String, String?) answer, int first, int count) async {
    if (_isClosed) return;
    final (status, body, retryAfter) = answer;
    var verdict = judge(status, body, count);
    if (verdict.next == Next.apart && count > 1) {
      _limit = (count + 1) ~/ 2;
      return;
    }
    if (verdict.next == Next.apart && first == _removed && await _turn(_lines.first)) {
      verdict = (remove: 1, refused: 1, next: Next.go);
    }
    if (verdict.refused > 0) _tell('${verdict.refused} of $count events were refused ($status): $body');
    _state['refused'] = _number('refused') + verdict.refused;
    if (const {Next.apart, Next.retry, Next.rest}.contains(verdict.next)) {
      _state['failures'] = _number('failures') + 1;
      final wait = pause(verdict.next, _number('failures'), Random().nextDouble(), retryAfter, retryBase);
      _state['notBefore'] = DateTime.now().millisecondsSinceEpoch + wait;
      _tell('${_lines.length} events wait ${(wait / 1000).ceil()} s after ${cause(status, body)}');
      return _save();
    }
    _limit = verdict.next == Next.halve ? (count + 1) ~/ 2 : min(100, _limit * 2);
    final hadFailed = _number('failures') > 0;
    _state['failures'] = 0;
    final gone = max(0, first + verdict.remove - _removed);
    if (gone > 0) await _remove(gone);
    if (hadFailed || verdict.refused > 0) await _save();
  }

  Future<(int, String, String?)> _post(List<String> batch) async {
    final client = _client = HttpClient()..connectionTimeout = const Duration(seconds: 10);
    try {
      return await _exchange(client, batch).timeout(const Duration(seconds: 15));
    } catch (problem) {
      return (0, 'no answer from ${eventsAddress(url)}: $problem', null);
    } finally {
      client.close(force: true);
    }
  }

  Future<(int, String, String?)> _exchange(HttpClient client, List<String> batch) async {
    final request = await client.postUrl(Uri.parse(eventsAddress(url)));
    // What a network puts in between is told neither the events nor the key.
    request.followRedirects = false;
    request.headers.set('Content-Type', 'application/json');
    if (key != null) request.headers.set('X-Uptake-Key', key!);
    request.add(utf8.encode('{"sentAt":${DateTime.now().millisecondsSinceEpoch},"events":[${batch.join(',')}]}'));
    final response = await request.close();
    return (response.statusCode, await utf8.decodeStream(response), response.headers.value('retry-after'));
  }

  /// Timers stand still while a device sleeps: one whose time has passed by the clock is not waited for.
  void _schedule(int after) {
    if (_isClosed) return;
    final now = DateTime.now().millisecondsSinceEpoch, due = now + max(after, _wait);
    if (_due >= now && _due <= due) return;
    _due = due;
    _timer?.cancel();
    _timer = Timer(Duration(milliseconds: due - now), () {
      _due = 0;
      unawaited(flush());
    });
  }
}
