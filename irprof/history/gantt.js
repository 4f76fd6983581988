'use strict';
// The drawing of a history, zoomed: the wheel zooms where the pointer is, dragging moves, keys + - and the arrows do both. Bars come as
// flat lists: label, from, length, depth, processor; marks: label, at, processor; both end with -1. Times are in ns.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const NS = 'http://www.w3.org/2000/svg', LEFT = 130, RIGHT = 20, TOP = 34, LANE = 16, GAP = 8, WIDTH = 1040, COLOURS = 8;
  const box = document.getElementById('drawing'), controls = document.getElementById('controls'), about = document.getElementById('about');
  const length = data.length || 1;
  let from = 0, to = length, rows = [];
  const svg = (tag, attributes, ...children) => {
    const e = document.createElementNS(NS, tag);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    e.append(...children);
    return e;
  };
  const time = ns => {
    const a = Math.abs(ns), [d, u] = data.ticks ? [1, 'ticks'] : a >= 1e9 ? [1e9, 's'] : a >= 1e6 ? [1e6, 'ms'] : a >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
    return Number((ns / d).toPrecision(5)) + '\u202f' + u;
  };
  const threads = data.threads.map(t => {
    const lane = t.lane || 0; // of a work-item, in the row of its processor
    const bars = [], marks = [];
    for (let i = 0; i + 4 < t.bars.length; i += 5)
      bars.push({label: t.bars[i], from: t.bars[i + 1], to: t.bars[i + 1] + t.bars[i + 2], depth: t.bars[i + 3], cpu: t.bars[i + 4], lane: lane + t.bars[i + 3], who: t.name});
    for (let i = 0; i + 2 < t.marks.length; i += 3)
      marks.push({label: t.marks[i], from: t.marks[i + 1], to: t.marks[i + 1], depth: 0, lane: 0, cpu: t.marks[i + 2], who: t.name, mark: true});
    return {name: t.name, all: bars.concat(marks)};
  });
  let level = b => b.depth;
  const arrange = by => {
    level = by === data.who ? b => b.depth : b => b.lane;
    const count = () => { for (const r of rows) { r.lanes = r.all.reduce((n, b) => b.mark ? n : Math.max(n, level(b) + 1), 0); r.marks = r.all.some(b => b.mark) ? 1 : 0; } };
    if (by === data.who) { rows = threads; count(); return; }
    const map = new Map();
    for (const t of threads) for (const b of t.all) {
      if (!map.has(b.cpu)) map.set(b.cpu, {name: b.cpu < 0 ? 'processor not known' : 'processor ' + b.cpu, all: []});
      map.get(b.cpu).all.push(b);
    }
    rows = [...map.entries()].sort((a, b) => a[0] - b[0]).map(e => e[1]);
    for (const r of rows) r.all.sort((a, b) => a.from - b.from);
    count();
  };
  const x = t => LEFT + (t - from) / (to - from) * (WIDTH - LEFT - RIGHT);
  const step = () => {
    const want = (to - from) / 8, p = 10 ** Math.floor(Math.log10(want)), m = want / p;
    return (m > 5 ? 10 : m > 2 ? 5 : m > 1 ? 2 : 1) * p;
  };
  const bar = (b, end, y, n) => {
    const text = `${data.labels[b.label]}, ${b.who}` + (n > 1 ? ` and others, ${n} in all` : '') + `: at ${time(b.from)}` +
      (b.mark ? '' : `, ${time(b.to - b.from)} long`) + (b.cpu >= 0 ? `, processor ${b.cpu}` : '');
    const left = Math.max(LEFT, x(b.from)), right = Math.min(WIDTH - RIGHT, x(end)), c = b.label % COLOURS, title = svg('title', {}, text);
    return b.mark ? svg('path', {class: 'm' + c, d: `M${left.toFixed(2)} ${y}v${LANE - 2}`}, title)
      : svg('rect', {class: (n > 1 ? 'd b' : 'b') + c, x: left.toFixed(2), y, width: Math.max(.3, right - left).toFixed(2), height: LANE - 2}, title);
  };
  let shown = 0;
  function draw() {
    const out = []; let y = TOP; shown = 0;
    // Half a pixel, or more where there are very many rows: 12,000 bars are drawn at most.
    const least = Math.max(.5, rows.reduce((n, r) => n + r.lanes + r.marks, 0) * WIDTH / 12000);
    for (const r of rows) {
      const held = new Map(), {lanes, marks} = r;
      out.push(svg('text', {class: 'row', x: LEFT - 8, y: y + LANE - 5}, r.name));
      const flush = k => { const h = held.get(k); out.push(bar(h.b, h.to, y + (h.b.mark ? lanes : level(h.b)) * LANE, h.n)); held.delete(k); };
      for (const b of r.all) {
        if (b.to < from || b.from > to) continue;
        shown++;
        const k = level(b) * 2 + (b.mark ? 1 : 0), h = held.get(k);
        if (h && b.from >= h.b.from && x(b.to) - x(h.b.from) < least) { h.to = Math.max(h.to, b.to); h.n++; continue; }
        if (h) flush(k);
        held.set(k, {b, to: b.to, n: 1});
      }
      for (const k of [...held.keys()]) flush(k);
      y += Math.max(1, lanes + marks) * LANE + GAP;
    }
    const grid = []; const s = step();
    for (let t = Math.ceil(from / s) * s; t <= to; t += s)
      grid.push(svg('line', {class: 'grid', x1: x(t), x2: x(t), y1: TOP - 6, y2: y}), svg('text', {class: 'tick', x: x(t), y: TOP - 12}, time(t)));
    let lx = LEFT, ly = y + 6;
    data.labels.slice(0, 64).forEach((name, i) => {
      const wide = 26 + name.length * 7;
      if (lx > LEFT && lx + wide > WIDTH - RIGHT) { lx = LEFT; ly += 20; }
      out.push(svg('rect', {class: 'b' + i % COLOURS, x: lx, y: ly, width: 12, height: 12}), svg('text', {x: lx + 17, y: ly + 11}, name));
      lx += wide;
    });
    box.replaceChildren(svg('svg', {class: 'gantt', viewBox: `0 0 ${WIDTH} ${ly + 20}`, width: WIDTH, height: ly + 20, role: 'img', 'aria-label': 'Execution history'}));
    for (const e of grid.concat(out)) box.firstElementChild.append(e);
    about.textContent = `${time(from)} to ${time(to)} of ${time(length)}: ${shown} intervals and marks`;
  }
  const look = (a, b) => {
    const w = Math.min(length, Math.max(1, b - a));
    from = Math.max(0, Math.min(a, length - w)); to = from + w; draw();
  };
  const zoom = (factor, at = (from + to) / 2) => look(at - (at - from) * factor, at + (to - at) * factor);
  const button = (text, act) => { const b = document.createElement('button'); b.type = 'button'; b.textContent = text; b.onclick = act; return b; };
  const rowsBy = document.createElement('select');
  rowsBy.setAttribute('aria-label', 'rows');
  for (const v of [data.who, 'processors']) rowsBy.append(new Option(v, v));
  rowsBy.onchange = () => { arrange(rowsBy.value); draw(); };
  controls.append('Rows: ', rowsBy, button('zoom in', () => zoom(.5)), button('zoom out', () => zoom(2)), button('earlier', () => look(from - (to - from) / 2, to - (to - from) / 2)),
    button('later', () => look(from + (to - from) / 2, to + (to - from) / 2)), button('all', () => look(0, length)));
  const pointed = e => { const r = box.firstElementChild.getBoundingClientRect(); return from + ((e.clientX - r.left) / r.width * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT) * (to - from); };
  box.addEventListener('wheel', e => { e.preventDefault(); zoom(e.deltaY < 0 ? .8 : 1.25, pointed(e)); }, {passive: false});
  let held = null;
  box.addEventListener('pointerdown', e => { held = {at: pointed(e)}; });
  box.addEventListener('pointermove', e => { if (held && e.buttons) { const d = held.at - pointed(e); look(from + d, to + d); } });
  addEventListener('pointerup', () => { held = null; });
  addEventListener('keydown', e => {
    const act = {'+': () => zoom(.5), '-': () => zoom(2), ArrowLeft: () => look(from - (to - from) / 4, to - (to - from) / 4), ArrowRight: () => look(from + (to - from) / 4, to + (to - from) / 4)}[e.key];
    if (act && e.target === document.body) { e.preventDefault(); act(); }
  });
  rowsBy.value = data.rows; arrange(data.rows); draw();

  // ---- progress: how many of a point each thread has had until when ----
  const curves = document.getElementById('curves'), pick = document.createElement('select');
  pick.setAttribute('aria-label', 'point');
  data.labels.forEach((name, i) => pick.append(new Option(name, i)));
  const HEIGHT = 260, BOTTOM = 30;
  function progress() {
    const label = Number(pick.value);
    const lines = threads.map(t => t.all.filter(b => b.label === label).map(b => b.to).sort((a, b) => a - b));
    const most = Math.max(1, ...lines.map(l => l.length));
    const px = t => LEFT + t / length * (WIDTH - LEFT - RIGHT), py = n => HEIGHT - BOTTOM - n / most * (HEIGHT - BOTTOM - 20);
    const out = [svg('line', {class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: py(0), y2: py(0)}), svg('text', {class: 'row', x: LEFT - 8, y: py(most) + 4}, String(most)),
      svg('text', {class: 'row', x: LEFT - 8, y: py(0) + 4}, '0'), svg('text', {class: 'tick', x: WIDTH - RIGHT - 20, y: HEIGHT - 10}, time(length))];
    lines.forEach((l, i) => {
      if (!l.length) return;
      const every = Math.max(1, Math.floor(l.length / 2000));
      let d = `M${px(0)} ${py(0)}`;
      l.forEach((t, n) => { if (n % every === 0 || n === l.length - 1) d += `L${px(t).toFixed(1)} ${py(n + 1).toFixed(1)}`; });
      out.push(svg('path', {class: 'curve m' + i % COLOURS, d}, svg('title', {}, `${threads[i].name}: ${l.length}, the last at ${time(l[l.length - 1])}`)));
    });
    curves.replaceChildren(pick, svg('svg', {class: 'gantt', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: 'img', 'aria-label': 'Progress'}, ...out));
  }
  pick.onchange = progress;
  if (data.labels.length) progress();
})();
