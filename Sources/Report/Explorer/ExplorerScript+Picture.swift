extension ExplorerScript {
  static let picture = #"""
    // Words keep their size on a phone: the picture has fewer units there.
    const slim = innerWidth < 600, W = slim ? 480 : 960, H = 360, L = 48, R = 12, T = 12, B = 26;
    document.body.classList.toggle('slim', slim);
    const times = () => data.ages.filter((_, at) => shown().some(curve => curve.row[4][at]));
    const end = () => Math.max(3600, ...times(), ...shown().map(curve => corners(curve.row[5][0]).at(-1)?.[0] ?? 0));
    const x = at => L + (W - L - R) * at / end();
    const y = share => H - B - (H - T - B) * share / 10000;
    function corners(moves) {
      let at = 0, share = 0;
      return moves.flatMap((_, index) => index % 2 ? [] : [[at += moves[index] * 60, share += moves[index + 1] * 10]]);
    }
    const way = corners => corners.map(([at, share]) => `${x(at)} ${y(share)}`).join('L');
    const line = row => row[5][0].length ? 'M' + way(corners(row[5][0])) : '';
    const band = row =>
      row[5][0].length ? `M${way(corners(row[5][1]))}L${way(corners(row[5][2]).reverse())}Z` : '';
    function axes(svg) {
      const day = 86400, all = end();
      const gap = [900, 3600, 10800, 21600, 43200, day, 2 * day, 7 * day, 14 * day, 28 * day].find(one => all / one <= (slim ? 5 : 9)) ?? 56 * day;
      for (let share = 0; share <= 10000; share += 2500) {
        add(svg, 'path', null, {class: 'g', d: `M${L} ${y(share)}H${W - R}`});
        add(svg, 'text', `${share / 100}%`, {x: L - 6, y: y(share) + 4, class: 'e'});
      }
      for (let at = 0; at <= all; at += gap) {
        add(svg, 'path', null, {class: 'ax', d: `M${x(at)} ${H - B}v5`});
        add(svg, 'text', at ? time(at) : '0', {x: x(at), y: H - 6, class: 'tx'});
      }
    }
    function draw() {
      $('chart').replaceChildren();
      const names = shown().map(curve => clean(curve.release)).join(', ') || 'none';
      const svg = add($('chart'), 'svg', null, {viewBox: `0 0 ${W} ${H}`, role: 'img',
        'aria-label': `Curves of ${names}: ${cutWords()}. The tables hold their numbers.`});
      axes(svg);
      for (const {ink, row} of shown()) add(svg, 'path', null, {class: `b ${ink}`, d: band(row)});
      for (const {ink, row} of shown()) add(svg, 'path', null, {class: `l ${ink}`, d: line(row)});
      shown().forEach(({release, ink}, at) => {
        add(svg, 'path', null, {class: `l ${ink}`, d: `M${L + 10} ${T + 10 + 26 * at}h26`});
        const letters = [...clean(release)], name = add(svg, 'text', clean(release), {class: 'n', x: L + 42, y: T + 14 + 26 * at});
        for (let left = 60; left > 0 && name.getComputedTextLength() > W - R - L - 42; left--) name.textContent = letters.slice(0, left).join('') + '…';
      });
      if (!shown().length) add(svg, 'text', 'nothing to draw', {class: 'tx', x: W / 2, y: H / 2});
      add(svg, 'path', null, {class: 'cs', id: 'cursor', d: ''});
      svg.addEventListener('pointermove', event => {
        const box = svg.getBoundingClientRect();
        const near = (event.clientX - box.left) / box.width * W;
        move(before(end() * (near - L) / (W - L - R)));
      });
    }
    function cursor() {
      const all = times(), range = $('at'), at = chosen.at ?? 0;
      range.max = all.length ? end() : 0;
      range.value = at;
      range.setAttribute('aria-valuetext', time(at));
      $('cursor').setAttribute('d', all.length ? `M${x(Math.min(at, end()))} ${T}V${H - B}` : '');
      points();
    }
    const before = at => Math.max(0, times().findLastIndex(one => one <= at));
    function keys(event) {
      const by = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10}[event.key];
      if (!by) return;
      event.preventDefault();
      move(Math.min(times().length - 1, Math.max(0, before(chosen.at) + by)));
    }
    function move(index) {
      const at = times()[index];
      if (at === undefined || at === chosen.at) return;
      chosen.at = at;
      cursor();
      link();
    }

    """#
}
