extension ExplorerScript {
  /// Numbers as people read them: shares come in hundredths of a percent, times in seconds, and both are written out whole.
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
    const digits = share => String(share).padStart(3, '0').replace(/(..)$/, '.$1');
    const percent = share => share === null ? '?' : digits(share) + ' %';
    const limits = (lo, hi, write) => lo === null && hi === null ? '' : ` (${write(lo)} to ${write(hi)})`;
    const share = (value, lo, hi) => value === null ? '?' : percent(value) + limits(lo, hi, percent);
    function time(seconds) {
      if (seconds === null) return '?';
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
        const cells = ages.map(([atRisk, updated, value, lo, hi]) => `${share(value, lo, hi)}, n ${atRisk}`);
        return {curve, cells: [String(devices), String(events), ...cells, time(median[0]) + limits(median[1], median[2], time)]};
      });
      const heads = ['Release', 'Devices', 'Updated', ...data.ages.map(time), 'Median'];
      table($('figures'), `Share updated by age: ${cutWords()}. n: devices still waiting at that age; ? : cannot be said`, heads, rows);
    }
    const stepAt = (row, at) => row[5].findLast(step => step[0] <= at);
    function points() {
      const rows = curves().map(curve => {
        if (!curve.row) return {curve, cells: [why(curve)]};
        const steps = curve.row[5], last = steps[steps.length - 1], step = stepAt(curve.row, chosen.at);
        if (!step || chosen.at > last[0]) return {curve, cells: ['beyond the data']};
        return {curve, cells: [share(step[2], step[3], step[4]), String(step[1]), time(step[0])]};
      });
      const heads = ['Release', 'Updated (95 % interval)', 'Devices at risk', 'From'];
      table($('points'), `At ${time(chosen.at ?? 0)}: the last step drawn of each curve`, heads, rows);
    }

    """#
}
