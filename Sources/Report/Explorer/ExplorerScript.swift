/// The explorer's script. It chooses among the answers in the file, writes their numbers as other pages do, and places them in a
/// picture; it estimates nothing.
enum ExplorerScript {
  static let text = choice + words + tables + picture + files + start

  /// What is chosen, and which answer that is.
  private static let choice = #"""
    'use strict';
    const data = JSON.parse(document.getElementById('data').textContent), cuts = data.cuts, MOST = 4;
    const INKS = ['kp', 'kr', 'kf', 'kl'];
    const chosen = {releases: [], parts: data.parts.map(() => null), at: null};
    const $ = id => document.getElementById(id);
    const key = (release, parts) => JSON.stringify([release, parts]);
    const known = new Map(), splits = new Map();
    for (const split of cuts.splits) {
      splits.set(key(split.release, split.by), split);
      for (const row of split.rows) {
        const parts = data.parts.map(part => {
          const at = split.by.indexOf(part);
          return at < 0 ? null : cuts.names[data.parts.indexOf(part)][row[0][at]];
        });
        known.set(key(split.release, parts), row);
      }
    }
    const splitOf = release => splits.get(key(release, data.parts.filter((_, at) => chosen.parts[at] !== null)));
    const rowOf = release => known.get(key(release, chosen.parts));
    const curves = () => chosen.releases.map((release, at) => ({release, ink: INKS[at], row: rowOf(release)}));
    const shown = () => curves().filter(curve => curve.row);

    function hash() {
      const words = new URLSearchParams();
      chosen.releases.forEach(release => words.append('release', release));
      data.parts.forEach((part, at) => { if (chosen.parts[at] !== null) words.set(part, chosen.parts[at]); });
      if (chosen.at !== null) words.set('at', chosen.at);
      return '#' + words;
    }

    // Channels together say little: each has rollouts of its own. A link that names none means all.
    function busiest(release) {
      const rows = splits.get(key(release, data.parts.slice(0, 1)))?.rows ?? [];
      const most = rows.reduce((most, row) => !most || row[1] > most[1] ? row : most, null);
      return most && cuts.names[0][most[0][0]];
    }

    function read() {
      const words = new URLSearchParams(location.hash.slice(1)), odd = [];
      const labels = data.releases.map(one => one.name);
      const all = [...new Set(words.getAll('release'))];
      odd.push(...all.filter(one => !labels.includes(one)));
      chosen.releases = all.filter(one => labels.includes(one)).slice(0, MOST);
      if (!chosen.releases.length) chosen.releases = labels.slice(0, 2);
      data.parts.forEach((part, at) => {
        const name = words.get(part), isKnown = name === null || cuts.names[at].includes(name);
        if (!isKnown) odd.push(name);
        chosen.parts[at] = isKnown ? name : null;
      });
      if (!location.hash) chosen.parts[0] = busiest(chosen.releases[0]);
      const at = words.get('at');
      chosen.at = at !== null && /^\d{1,12}$/.test(at) ? Number(at) : null;
      return odd;
    }

    """#
}
