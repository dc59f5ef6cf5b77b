extension ExplorerScript {
  /// Numbers as other pages write them: shares come in hundredths of a percent, cut off, times in seconds.
  static let words = #"""
    const SVG = 'http://www.w3.org/2000/svg';
    const clean = text => text === '' ? '(no name)' : text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD');
    function add(parent, name, text, attributes = {}) {
      const one = parent instanceof SVGElement || name === 'svg'
        ? document.createElementNS(SVG, name) : document.createElement(name);
      for (const [word, value] of Object.entries(attributes)) one.setAttribute(word, value);
      if (text !== null) one.textContent = text;
      parent.append(one);
      return one;
    }
    const count = number => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
    const tenths = share => String(Math.floor((share + 5) / 10)).padStart(2, '0').replace(/(.)$/, '.$1');
    const percent = share =>
      (share > 0 && share < 5 ? '<0.1' : share < 10000 && share >= 9995 ? '>99.9' : tenths(share)) + '%';
    function limits(lo, hi) {
      if (lo === null && hi === null) return '';
      if (lo === null || hi === null) return lo === null ? ` (≤ ${tenths(hi)})` : ` (≥ ${tenths(lo)})`;
      return ` (${tenths(lo)}–${tenths(hi)})`;
    }
    const share = (value, lo, hi) => value === null ? '—' : percent(value) + limits(lo, hi);
    const age = seconds => seconds >= 604800 ? seconds / 86400 + 'd' : seconds / 3600 + 'h';
    function time(seconds) {
      const parts = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']];
      let rest = seconds;
      const words = parts.map(([size, unit]) => {
        const count = Math.floor(rest / size);
        rest -= count * size;
        return count ? `${count} ${unit}` : '';
      });
      return words.filter(Boolean).join(' ') || '0 s';
    }
    const part = (name, at) => name === null ? `every ${PARTS[data.parts[at]]}` : clean(name);
    const PARTS = {channel: 'channel', platform: 'platform', appVersion: 'app version'};
    const cutWords = () => chosen.parts.map(part).join(' · ');

    """#

  static let tables = #"""
    function table(place, caption, heads, rows) {
      place.replaceChildren();
      const all = add(place, 'table', null);
      add(all, 'caption', caption);
      const head = add(add(all, 'thead', null), 'tr', null), body = add(all, 'tbody', null);
      heads.forEach(words => add(head, 'th', words, {scope: 'col'}));
      for (const {curve, cells} of rows) {
        const line = add(body, 'tr', null), name = add(line, 'th', null, {scope: 'row'});
        add(name, 'span', '', {class: 's ' + curve.ink, 'aria-hidden': 'true'});
        add(name, 'bdi', clean(curve.release));
        cells.forEach(cell => add(line, 'td', cell, cells.length === 1 ? {colspan: heads.length - 1, class: 't'} : {}));
      }
    }
    function why(curve) {
      const few = data.minCell > 0 ? `fewer than ${data.minCell} devices` : 'no device';
      return splitOf(curve.release).leftOut ? few + ', or left out for the size of this file: the command below says which' : few;
    }
    function figures() {
      const rows = curves().map(curve => {
        if (!curve.row) return {curve, cells: [why(curve)]};
        const [, devices, events, median, ages] = curve.row;
        const cells = data.usual.map(at => {
          const [atRisk, , value, lo, hi] = ages[data.ages.indexOf(at)] ?? [0, 0, null, null, null];
          return `${share(value, lo, hi)}, n ${count(atRisk)}`;
        });
        return {curve, cells: [count(devices), count(events), ...cells, median[3]]};
      });
      const heads = ['Release', 'Devices', 'Updated', ...data.usual.map(age), 'Median'];
      table($('figures'), `Share updated by age: ${cutWords()}. n: devices still waiting at that age`, heads, rows);
    }
    function points() {
      const rows = curves().map(curve => {
        if (!curve.row) return {curve, cells: [why(curve)]};
        const known = curve.row[4][data.ages.indexOf(chosen.at)];
        if (!known) return {curve, cells: ['beyond the data']};
        const [atRisk, events, value, lo, hi] = known;
        return {curve, cells: [share(value, lo, hi), count(events), count(atRisk)]};
      });
      const heads = ['Release', 'Adoption (95% interval)', 'Updated so far', 'Waiting'];
      table($('points'), `At ${time(chosen.at ?? 0)} since a device became eligible`, heads, rows);
    }

    """#
}
