'use strict';
// The page of a profile: reads the data that stand in it, and draws each section. Rows: processes [first id, last id, label,
// threads, values], threads [process, id, label, values]; items [category, group, name, unit, state, why, n, least, mean, most, sum].
const data = JSON.parse(document.getElementById('data').textContent);
const otherText = document.getElementById('other');
const other = otherText && JSON.parse(otherText.textContent);
const el = (tag, attributes, ...children) => {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {}))
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v); else if (v !== null && v !== undefined) e.setAttribute(k, v);
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
};
const section = id => document.getElementById(id);
const figure = v => {
  if (v === null || v === undefined || Number.isNaN(v)) return '–';
  const a = Math.abs(v);
  if (a >= 1e15 || (a > 0 && a < 1e-4)) return v.toExponential(3);
  return v.toLocaleString('en', a >= 1000 ? {maximumFractionDigits: 0} : {maximumSignificantDigits: 4}).replaceAll(',', '\u202f');
};
const say = (...words) => el('p', {}, ...words);
const words = it => it[2].replaceAll('_', ' ');
const itemName = it => (it[1] ? it[1] + ' ' : '') + it[2];
const itemNumber = (d, category, group, name) => d.items.findIndex(it => it[0] === category && it[1] === group && it[2] === name);

// ---- tables: sorted by their headings, searched, a page at a time ----
const PAGE = 50;
function table(columns, rows, caption) {
  let order = rows, sorted = -1, down = false, at = 0, wanted = '';
  const body = el('tbody'), foot = el('p', {class: 'aside'}), box = el('div');
  const more = el('button', {type: 'button', onclick: () => { at += PAGE; draw(); }}, 'next ' + PAGE);
  const back = el('button', {type: 'button', onclick: () => { at = Math.max(0, at - PAGE); draw(); }}, 'previous');
  const heads = columns.map((c, i) => el('th', {scope: 'col', class: c.num ? 'num' : null},
    el('button', {type: 'button', class: 'sort', onclick: () => { down = sorted === i ? !down : !!c.num; sorted = i; sort(); }}, c.name)));
  const key = (row, i) => { const v = columns[i].of(row); return v === null || v === undefined ? (columns[i].num ? -Infinity : '') : v; };
  function sort() {
    heads.forEach((h, i) => i === sorted ? h.setAttribute('aria-sort', down ? 'descending' : 'ascending') : h.removeAttribute('aria-sort'));
    choose();
  }
  function choose() {
    order = rows.filter(r => !wanted || columns.some(c => !c.num && String(c.of(r) ?? '').toLowerCase().includes(wanted)));
    if (sorted >= 0) {
      const c = columns[sorted];
      order = order.slice().sort((a, b) => { const x = key(a, sorted), y = key(b, sorted);
        return (c.num ? x - y || 0 : String(x).localeCompare(String(y), 'en', {numeric: true})) * (down ? -1 : 1); });
    }
    at = 0; draw();
  }
  function draw() {
    body.replaceChildren(...order.slice(at, at + PAGE).map(r => el('tr', {}, ...columns.map((c, i) => {
      const v = c.show ? c.show(r) : c.num ? figure(c.of(r)) : c.of(r);
      return i ? el('td', {class: c.num ? 'num' : c.class}, v ?? '') : el('th', {scope: 'row', class: c.class}, v ?? '');
    }))));
    foot.textContent = order.length > PAGE ? `${at + 1} to ${Math.min(at + PAGE, order.length)} of ${order.length}` : `${order.length} rows`;
    more.hidden = at + PAGE >= order.length; back.hidden = at === 0;
  }
  const search = el('input', {type: 'search', 'aria-label': 'search', placeholder: 'search', oninput: e => { wanted = e.target.value.toLowerCase(); choose(); }});
  box.append(el('div', {class: 'controls'}, el('label', {}, 'Search', search), back, more),
    el('div', {class: 'scroll'}, el('table', {}, el('caption', {}, el('span', {}, caption)), el('thead', {}, el('tr', {}, ...heads)), body)), foot);
  choose();
  return box;
}

// ---- rows of bars: processes, opened to threads; many are drawn together until one asks for them ----
const processName = p => p[0] === p[1] ? (p[2] ? `${p[0]}: ${p[2]}` : `process ${p[0]}`) : `processes ${p[0]} to ${p[1]}`;
const threadName = t => t[2] ? `${t[1]}: ${t[2]}` : `thread ${t[1]}`;
const threadsOf = new Map();
data.threads.forEach(t => { const p = Math.floor(t[0] / data.together); if (!threadsOf.has(p)) threadsOf.set(p, []); threadsOf.get(p).push(t); });
const ROWS = 64;
const colour = j => 'b' + Math.min(j, 9);
// parts: numbers of items, stacked; colours: of each, by its place in the whole group, so that pages of two sources agree
function bars(parts, unit, spread, colours) {
  const box = el('div'), list = el('div', {class: 'bars'}), note = el('p', {class: 'aside'});
  let wanted = '', by = 'number', zoom = null;
  const open = new Set();
  const all = data.processes.map((p, i) => ({i, name: processName(p), v: parts.map(k => p[4][k] ?? null)}));
  const total = r => r.v.reduce((a, b) => a + (b ?? 0), 0);
  const known = all.filter(r => r.v.some(x => x !== null));
  let most = 0;
  known.forEach(r => { most = Math.max(most, total(r)); });
  data.threads.forEach(t => { most = Math.max(most, parts.reduce((a, k) => a + (t[3][k] ?? 0), 0)); });
  if (!(most > 0)) most = 1;
  const mean = rows => parts.map((k, j) => rows.reduce((a, r) => a + (r.v[j] ?? 0), 0) / rows.length);
  function bar(v, low, high) {
    const b = el('div', {class: 'bar', role: 'img', 'aria-label': parts.map((k, j) => `${words(data.items[k])} ${figure(v[j])}`).join(', ')});
    const sum = v.reduce((a, x) => a + (x ?? 0), 0);
    v.forEach((x, j) => { if (x > 0) b.append(el('i', {class: colour(colours ? colours[j] : j), style: `width:${100 * x / most}%`,
      title: `${words(data.items[parts[j]])}: ${figure(x)} ${unit}, ${figure(100 * x / sum)} %`})); });
    if (low !== undefined && high > low) b.append(el('span', {class: 'spread', style: `left:${100 * low / most}%;width:${100 * (high - low) / most}%`,
      title: `from ${figure(low)} to ${figure(high)} ${unit}`}));
    return b;
  }
  function row(name, v, click, inner, low, high) {
    const s = v.reduce((a, x) => a + (x ?? 0), 0);
    list.append(click ? el('button', {type: 'button', class: 'name', onclick: click, title: name}, name)
      : el('span', {class: inner ? 'name inner' : 'name', title: name}, name), bar(v, low, high), el('span', {class: 'figure'}, figure(s)));
  }
  function draw() {
    let rows = (zoom || known).filter(r => !wanted || r.name.toLowerCase().includes(wanted));
    if (by !== 'number') rows = rows.slice().sort((a, b) => by === 'most' ? total(b) - total(a) : total(a) - total(b));
    list.replaceChildren();
    const step = Math.ceil(rows.length / ROWS) || 1;
    for (let i = 0; i < rows.length; i += step) {
      const some = rows.slice(i, i + step);
      if (some.length > 1) {
        const t = some.map(total);
        row(`${some.length} from ${some[0].name}`, mean(some), () => { zoom = some; draw(); }, false, Math.min(...t), Math.max(...t));
        continue;
      }
      const r = some[0], threads = threadsOf.get(r.i) || [];
      const values = threads.map(t => parts.map(k => t[3][k] ?? null)), t = values.map(v => v.reduce((a, x) => a + (x ?? 0), 0));
      const can = threads.length > 1 && values.some(v => v.some(x => x !== null));
      row((can ? (open.has(r.i) ? '▾ ' : '▸ ') : '') + r.name, r.v, can ? () => { open.has(r.i) ? open.delete(r.i) : open.add(r.i); draw(); } : null, false,
        can && spread ? Math.min(...t) : undefined, can && spread ? Math.max(...t) : undefined);
      if (can && open.has(r.i)) threads.forEach((x, j) => row(threadName(x), values[j], null, true));
    }
    note.textContent = `${rows.length} of ${known.length} ${data.together > 1 ? `groups of ${data.together} processes` : 'processes'}` +
      (step > 1 ? `, ${step} in a bar; choose one to see them apart` : '') + `; a process has the mean of its threads, in ${unit || 'units'}.` +
      (data.threadsHave === 'none' ? ' There was no room for single threads.' : '');
    whole.hidden = !zoom;
  }
  const whole = el('button', {type: 'button', onclick: () => { zoom = null; draw(); }}, 'show all');
  box.append(el('div', {class: 'controls'},
    el('label', {}, 'Filter', el('input', {type: 'search', placeholder: 'process', oninput: e => { wanted = e.target.value.toLowerCase(); draw(); }})),
    el('label', {}, 'Sort', el('select', {onchange: e => { by = e.target.value; draw(); }}, el('option', {value: 'number'}, 'by number'),
      el('option', {value: 'most'}, 'greatest first'), el('option', {value: 'least'}, 'least first'))), whole), note, list);
  draw();
  return box;
}
function choice(label, names, draw) {
  const place = el('div'), show = i => place.replaceChildren(draw(i));
  const select = el('select', {onchange: e => show(+e.target.value)}, ...names.map((n, i) => el('option', {value: i}, n)));
  show(0);
  return el('div', {}, el('div', {class: 'controls'}, el('label', {}, label, select)), place);
}

// ---- sections ----
function summary(s) {
  const facts = [['Source', data.source], ['Machine', data.machine], ['Date', data.date], ['Processes', figure(data.nProcesses)],
    ['Threads', figure(data.nThreads)], ['Call paths', figure(data.nPaths)], ['Values', figure(data.nValues)]];
  s.append(el('dl', {class: 'facts'}, ...facts.filter(f => f[1]).map(f => el('div', {}, el('dt', {}, f[0]), el('dd', {}, f[1])))));
  const tiles = data.items.filter(it => it[0] === 'performance' && it[6] > 0);
  if (tiles.length) s.append(el('div', {class: 'tiles'}, ...tiles.map(it => el('div', {class: 'tile'}, el('h3', {}, it[2].replaceAll('_', ' ')),
    el('p', {class: 'figure'}, figure(it[8])), el('p', {}, `${it[3]} a thread, ${it[7] < it[9] ? `mean; ${figure(it[7])} to ${figure(it[9])}; ` : ""}${it[4]}`)))));
  s.append(say('Figures have five digits; perf-xml get prints all.'));
}
function comparison(s) {
  if (!other) { s.remove(); return; }
  const theirs = new Map(other.items.map(it => [it.slice(0, 3).join('\n'), it]));
  const rows = data.items.map(it => { const o = theirs.get(it.slice(0, 3).join('\n')); const a = it[8], b = o ? o[8] : null;
    return {it, a, b, d: a !== null && b !== null ? (a === b ? 0 : 100 * (b - a) / Math.abs(a)) : null}; }).filter(r => r.a !== null || r.b !== null);
  s.append(say('Means over the threads of ', el('code', {}, data.source || 'A'), ' and ', el('code', {}, other.source || 'B'), `: ${figure(data.nThreads)} and ${figure(other.nThreads)} threads.`),
    table([{name: 'category', of: r => r.it[0]}, {name: 'item', of: r => itemName(r.it)}, {name: 'unit', of: r => r.it[3]},
      {name: 'this', num: true, of: r => r.a}, {name: 'other', num: true, of: r => r.b},
      {name: 'difference', num: true, of: r => r.d === null ? null : Math.abs(r.d), show: r => r.d === null ? '–' : !Number.isFinite(r.d) ? 'from 0' : (r.d > 0 ? '+' : '') + figure(r.d) + ' %'}], rows, 'Each item of both'));
}
function balance(s) {
  const items = data.items.map((it, i) => i).filter(i => data.items[i][6] > 0);
  const first = items.filter(i => data.items[i][0] === 'load_balance');
  const order = first.concat(items.filter(i => !first.includes(i) && !data.items[i][1]));
  if (!order.length) { s.append(say('There are no values.')); return; }
  s.append(say('A bar for each process; the line in it goes from its least to its greatest thread. Balance is relative to the greatest thread of the process.'),
    choice('Item', order.map(i => `${data.items[i][0]}: ${itemName(data.items[i])}`), i => bars([order[i]], data.items[order[i]][3], true)));
}
const from = {by_instructions_committed: 'counted: cycles in which so many instructions were committed',
  by_retirement: 'counted: cycles in which no instruction was retired, and all others; how many the others retired is not counted on this core',
  by_stall: 'counted: cycles in which the front end or the back end was stalled, and the rest',
  top_down_level_1: 'counted: issue slots, top-down analysis, level 1',
  estimated_by_cause: 'estimated by shimgen, without counters of a processor, for the core that is named as machine'};
function accounting(s) {
  const groups = [...new Set(data.items.filter(it => it[0] === 'cycle_accounting' && it[1] && it[6] > 0).map(it => it[1]))];
  const missing = data.items.filter(it => it[0] === 'cycle_accounting' && !it[1] && it[5] && !groups.includes(it[2]));
  if (groups.length) s.append(choice('Cycles', groups.map(g => g.replaceAll('_', ' ')), i => {
    const group = data.items.map((it, k) => k).filter(k => data.items[k][0] === 'cycle_accounting' && data.items[k][1] === groups[i]);
    const parts = group.filter(k => data.items[k][6] > 0), gone = group.filter(k => !data.items[k][6]), colours = parts.map(k => group.indexOf(k));
    const states = [...new Set(parts.map(k => data.items[k][4]))];
    return el('div', {}, say(`From: ${from[groups[i]] || 'the profile'}${states.length === 1 ? `; all ${states[0]}` : ''}.`),
      el('ul', {class: 'legend'}, ...parts.map((k, j) => el('li', {}, el('span', {class: 'swatch ' + colour(colours[j])}),
        states.length === 1 ? words(data.items[k]) : `${words(data.items[k])} (${data.items[k][4]})`))),
      gone.length ? el('p', {class: 'aside'}, `Not in the bars: ${gone.map(k => `${words(data.items[k])} (${data.items[k][5] || 'no value'})`).join(', ')}.`) : null,
      bars(parts, data.items[parts[0]][3], false, colours));
  }));
  if (missing.length) s.append(el('details', groups.length ? {} : {open: ''}, el('summary', {}, 'Not available on this source'),
    el('ul', {}, ...missing.map(it => el('li', {}, `${it[2].replaceAll('_', ' ')}: ${it[5]}`)))));
  if (!groups.length && !missing.length) s.append(say('The source has no event of which cycles could be accounted for.'));
}
function items(s) {
  s.append(table([{name: 'item', of: it => itemName(it)}, {name: 'category', of: it => it[0]}, {name: 'unit', of: it => it[3]},
    {name: 'state', of: it => it[6] ? it[4] : 'not available: ' + (it[5] || 'no value')}, {name: 'threads', num: true, of: it => it[6]},
    {name: 'least', num: true, of: it => it[7]}, {name: 'mean', num: true, of: it => it[8]}, {name: 'most', num: true, of: it => it[9]},
    {name: 'sum', num: true, of: it => it[3] === '%' ? null : it[10]}], data.items, 'Each item over all threads'));
}
function values(s) {
  const categories = [...new Set(data.items.filter(it => it[6] > 0).map(it => it[0]))];
  if (!categories.length) { s.append(say('There are no values.')); return; }
  s.append(choice('Category', categories, i => {
    const columns = data.items.map((it, k) => k).filter(k => data.items[k][0] === categories[i] && data.items[k][6] > 0).slice(0, 12);
    const show = (rows, name, at) => table([{name: 'name', of: name}, ...columns.map(k => ({name: `${itemName(data.items[k])}${data.items[k][3] ? ` [${data.items[k][3]}]` : ''}`, num: true, of: r => r[at][k] ?? null}))],
      rows, 'At most twelve items of the category');
    const threads = data.threads.filter(t => columns.some(k => t[3][k] !== undefined && t[3][k] !== null));
    const kinds = [['processes (mean of their threads)', () => show(data.processes, processName, 4)]];
    if (threads.length > data.processes.length) kinds.push(['threads', () => show(threads, t => `${processName(data.processes[Math.floor(t[0] / data.together)])}, ${threadName(t)}`, 3)]);
    return choice('Rows', kinds.map(k => k[0]), j => kinds[j][1]());
  }));
}
function paths(s) {
  const used = [...new Set(data.paths.flatMap(p => p[2].filter((x, i) => i % 2 === 0)))].sort((a, b) => a - b);
  if (!used.length) { s.remove(); return; }
  const depth = data.paths.map(() => 0), full = [];
  data.paths.forEach((p, i) => { depth[i] = p[1] < 0 ? 0 : depth[p[1]] + 1; full[i] = (p[1] < 0 ? '' : full[p[1]] + ' › ') + p[0]; });
  s.append(say('Sums over all threads, of a call path\u2019s own code, without what it calls.' + (data.paths.length < data.nPaths ? ` The first ${data.paths.length} of ${data.nPaths} are here.` : '')),
    choice('Item', used.map(k => itemName(data.items[k])), i => {
      const rows = data.paths.map((p, k) => { let v = 0; for (let j = 0; j < p[2].length; j += 2) if (p[2][j] === used[i]) v = p[2][j + 1]; return {k, v, name: p[0]}; });
      const all = rows.reduce((a, r) => a + r.v, 0);
      return table([{name: 'function', class: 'path', of: r => r.name}, {name: `own [${data.items[used[i]][3]}]`, num: true, of: r => r.v},
        {name: 'share', num: true, of: r => all ? 100 * r.v / all : null, show: r => all ? figure(100 * r.v / all) + ' %' : '–'},
        {name: 'called by', class: 'path', of: r => data.paths[r.k][1] < 0 ? '' : full[data.paths[r.k][1]]}], rows.filter(r => r.v).sort((a, b) => b.v - a.v), 'Call paths');
    }));
}
for (const [id, draw] of [['summary', summary], ['comparison', comparison], ['balance', balance], ['accounting', accounting], ['items', items], ['values', values], ['paths', paths]])
  draw(section(id));
document.querySelector('nav ul').append(...[...document.querySelectorAll('main section')].map(s => el('li', {}, el('a', {href: '#' + s.id}, s.querySelector('h2').textContent))));
