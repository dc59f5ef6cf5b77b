extension ExplorerScript {
  /// What leaves the page: a link, CSV and SVG.
  static let files = #"""
    let resting;
    // Browsers refuse hundreds of addresses in half a minute, which is what a pointer asks for. An address that was changed
    // meanwhile is of somebody who wants to see what it says.
    function link() {
      const before = location.hash;
      $('link').href = hash();
      clearTimeout(resting);
      resting = setTimeout(() => {
        try { if (location.hash === before) history.replaceState(null, '', hash()); } catch { /* a frame that may not */ }
      }, 400);
    }
    function save(name, type, text) {
      const to = document.createElement('a');
      to.href = URL.createObjectURL(new Blob([text], {type}));
      to.download = name;
      to.click();
      setTimeout(() => URL.revokeObjectURL(to.href), 10000);
    }
    const plain = share => share === null ? '' : String(share).padStart(5, '0').replace(/(....)$/, '.$1');
    function field(value, isText) {
      const text = isText && /^[=+\-@\t\r\n]/.test(value) ? "'" + value : String(value ?? '');
      return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
    }
    function csv() {
      const lines = [['release', ...data.parts, 'kind', 'seconds', 'atRisk', 'events', 'share', 'share_lo', 'share_hi']];
      for (const {release, row} of shown()) {
        const start = [release, ...chosen.parts].map(name => name === null ? '' : field(clean(name), true));
        row[4].forEach(([atRisk, events, value, lo, hi], at) =>
          lines.push([...start, 'age', data.ages[at], atRisk, events, plain(value), plain(lo), plain(hi)]));
        lines.push([...start, 'median', row[3][0] ?? '', '', '', '', row[3][1] ?? '', row[3][2] ?? '']);
      }
      return lines.map(line => line.join(',') + '\r\n').join('');
    }
    const DRAWN = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-opacity', 'font-size',
      'font-weight', 'font-family', 'text-anchor', 'paint-order'];
    function svgText() {
      const from = $('chart').firstChild, to = from.cloneNode(true);
      const copies = [to, ...to.querySelectorAll('*')];
      [from, ...from.querySelectorAll('*')].forEach((one, at) => {
        const style = getComputedStyle(one);
        DRAWN.forEach(word => copies[at].setAttribute(word, style.getPropertyValue(word)));
        copies[at].removeAttribute('class');
      });
      to.querySelector('#cursor').remove();
      to.setAttribute('width', W);
      to.setAttribute('height', H);
      const ground = document.createElementNS(SVG, 'rect');
      for (const [word, value] of [['width', W], ['height', H], ['fill', getComputedStyle(document.body).backgroundColor]])
        ground.setAttribute(word, value);
      const title = document.createElementNS(SVG, 'title');
      title.textContent = `Adoption, ${cutWords()}, ${clean(data.app)}, data to ${data.through}`;
      to.prepend(title, ground);
      return new XMLSerializer().serializeToString(to);
    }

    """#

  static let start = #"""
    function controls() {
      $('releases').replaceChildren();
      if (!data.releases.length) add($('releases'), 'p', 'No release yet.');
      for (const {name, published} of data.releases) {
        const line = add($('releases'), 'label', null), box = add(line, 'input', null, {type: 'checkbox'});
        add(line, 'bdi', ' ' + clean(name));
        add(line, 'i', ' ' + clean(published));
        box.checked = chosen.releases.includes(name);
        box.disabled = !box.checked && chosen.releases.length >= MOST;
        box.addEventListener('change', () => {
          chosen.releases = box.checked ? [...chosen.releases, name] : chosen.releases.filter(one => one !== name);
          document.querySelectorAll('#releases input').forEach(one =>
            one.disabled = !one.checked && chosen.releases.length >= MOST);
          show();
        });
      }
      $('parts').replaceChildren();
      data.parts.forEach((word, at) => {
        const line = add($('parts'), 'label', null);
        add(line, 'span', PARTS[word]);
        const list = add(line, 'select', null);
        add(list, 'option', 'every one', {value: ''});
        cuts.names[at].map((name, index) => [name, index]).sort((one, two) => one[0] < two[0] ? -1 : 1)
          .forEach(([name, index]) => add(list, 'option', clean(name), {value: String(index)}));
        list.value = chosen.parts[at] === null ? '' : String(cuts.names[at].indexOf(chosen.parts[at]));
        list.addEventListener('change', () => {
          chosen.parts[at] = list.value === '' ? null : cuts.names[at][Number(list.value)];
          show();
        });
      });
    }
    function show() {
      const all = times();
      // Answers are known at some ages: what a link names becomes the one before.
      if (all.length) chosen.at = all.findLast(at => at <= (chosen.at ?? 86400)) ?? all[0];
      $('what').textContent = `${cutWords()}. Share of eligible devices that had updated, each from when it became eligible; 95% intervals.`;
      const warned = new Set(chosen.releases.flatMap(release => splitOf(release).warnings));
      $('warned').textContent = [...warned].map(at => `Warning: ${clean(cuts.warnings[at])}.`).join(' ');
      draw();
      cursor();
      figures();
      $('commands').replaceChildren();
      for (const release of chosen.releases) add(add($('commands'), 'p', null), 'code', splitOf(release).command);
      link();
    }
    function absent() {
      const left = cuts.splits.map(split => split.leftOut).filter(Boolean).length;
      const words = ['Other properties than channel, platform and app version, other clocks and other questions: ask the command line.'];
      if (data.minCell > 0) words.push(`Groups of fewer than ${data.minCell} devices.`);
      if (cuts.older > 0) words.push(`Older releases: ${cuts.older}.`);
      if (left) words.push(`Cuts that would make this file too large, those with the fewest devices first: in ${left} of ${cuts.splits.length} answers.`);
      words.forEach(text => add($('absent'), 'li', text));
    }
    function open() {
      const odd = read();
      $('said').textContent = odd.length ? `The link names what this file does not hold: ${odd.map(clean).join(', ')}.` : '';
      controls();
      show();
    }
    $('at').addEventListener('input', () => move(before(Number($('at').value))));
    $('at').addEventListener('change', cursor);
    $('at').addEventListener('keydown', keys);
    $('csv').addEventListener('click', () => save('adoption.csv', 'text/csv', csv()));
    $('svg').addEventListener('click', () => save('adoption.svg', 'image/svg+xml', svgText()));
    addEventListener('hashchange', open);
    absent();
    open();
    """#
}
