'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const nodes = data.nodes;
  const byId = (id) => document.getElementById(id);
  const kinds = ['kustomization', 'component', 'resource', 'patch', 'input', 'configuration', 'deployment', 'remote', 'missing'];
  const outgoing = nodes.map(() => []);
  const incoming = nodes.map(() => []);
  for (const edge of data.edges) {
    outgoing[edge.from].push(edge);
    incoming[edge.to].push(edge);
  }
  const order = nodes.map((_, i) => i).sort((a, b) => (nodes[a].id < nodes[b].id ? -1 : 1));
  let selected = -1;
  let matches = order;

  // Everything from the data goes into the page as text, never as HTML.
  function element(name, text, className) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  }
  function dot(kind) {
    const made = element('span', undefined, 'dot');
    made.style.background = `var(--${kind})`;
    made.setAttribute('aria-hidden', 'true');
    return made;
  }
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();

  // The drawing: cards, the titles and headings on them, and rows.
  const elements = [];
  nodes.forEach((n, i) => {
    if (n.card >= 0) {
      elements.push({ data: { id: 'n' + i, label: n.label, w: n.w, h: n.h, kind: n.kind, worst: n.worst || '' }, classes: 'row', position: { x: n.x, y: n.y } });
      return;
    }
    const top = n.y - n.h / 2;
    elements.push({ data: { id: 'c' + i, w: n.w, h: n.h }, classes: 'card', position: { x: n.x, y: n.y } });
    elements.push({ data: { id: 'n' + i, label: n.label, w: n.w, h: 28, kind: n.kind, worst: n.worst || '' }, classes: 'title', position: { x: n.x, y: top + 14 } });
    (n.headings || []).forEach((h, j) => {
      elements.push({ data: { id: `h${i}-${j}`, label: h.label, w: h.w, h: 14 }, classes: 'heading', position: { x: h.x + h.w / 2, y: h.y } });
    });
  });
  data.links.forEach((link, i) => {
    const target = nodes[link.to];
    elements.push({ data: { id: 'l' + i, source: 'n' + link.from, target: 'n' + link.to, field: link.field }, classes: link.field === 'components' ? 'component' : '' });
    if (link.y > 14 && target.card < 0) {
      // It leads to a row that another card has.
      const row = nodes.findIndex((n) => n.card === link.to && Math.abs(n.y - (target.y - target.h / 2 + link.y)) < 1);
      if (row >= 0) elements[elements.length - 1].data.target = 'n' + row;
    }
  });

  function style() {
    const text = color('text');
    const perKind = kinds.map((kind) => ({ selector: `.row[kind="${kind}"]`, style: { 'border-color': color(kind) } }));
    const titles = ['kustomization', 'component', 'deployment', 'remote', 'missing'].map((kind) => ({
      selector: `.title[kind="${kind}"]`, style: { 'background-color': color(kind + '-title'), 'border-color': color(kind) },
    }));
    const worst = ['error', 'warning'].map((severity) => ({ selector: `node[worst="${severity}"]`, style: { color: color(severity), 'font-weight': 'bold' } }));
    return [
      { selector: 'node', style: { shape: 'round-rectangle', width: 'data(w)', height: 'data(h)', 'font-family': 'system-ui, "Segoe UI", Helvetica, Arial, sans-serif', color: text, 'text-valign': 'center', 'text-halign': 'center', 'min-zoomed-font-size': 5 } },
      { selector: '.card', style: { 'background-color': color('card'), 'border-color': color('cardline'), 'border-width': 1, events: 'no', 'z-index': 0, 'corner-radius': 7 } },
      { selector: '.title', style: { label: 'data(label)', 'font-size': 12, 'font-weight': 600, 'background-color': color('remote-title'), 'border-width': 1, 'border-color': color('cardline'), 'z-index': 2, 'corner-radius': 7 } },
      { selector: '.heading', style: { label: 'data(label)', 'font-size': 9.5, color: color('quiet'), 'background-opacity': 0, events: 'no', 'z-index': 1 } },
      { selector: '.row', style: { label: 'data(label)', 'font-size': 11, 'background-color': color('page'), 'border-width': 1, 'border-opacity': 0.75, height: 15, 'z-index': 1, 'corner-radius': 4 } },
      ...perKind, ...titles, ...worst,
      { selector: 'edge', style: { width: 1.3, 'curve-style': 'unbundled-bezier', 'edge-distances': 'endpoints', 'control-point-distances': 'data(distances)', 'control-point-weights': 'data(weights)', 'source-endpoint': '50% 0%', 'target-endpoint': '-50% 0%', 'line-color': color('link'), 'target-arrow-shape': 'triangle', 'target-arrow-color': color('link'), 'arrow-scale': 0.8, 'z-index': 0 } },
      { selector: 'edge.component', style: { 'line-color': color('component'), 'target-arrow-color': color('component') } },
      { selector: '.faded', style: { opacity: 0.18 } },
      { selector: '.near', style: { 'border-width': 2, width: 'data(w)' } },
      { selector: 'edge.near', style: { width: 2.4, 'line-color': color('accent'), 'target-arrow-color': color('accent') } },
      { selector: '.chosen', style: { 'background-color': color('accent'), color: color('page'), 'border-color': color('accent') } },
    ];
  }

  // Links leave to the right and arrive from the left: the two points that they bend
  // towards are half-way across, at the heights of the ends. Cytoscape wants them as
  // places along the straight line and distances from it.
  const at = new Map(elements.filter((e) => e.position).map((e) => [e.data.id, e]));
  for (const e of elements) {
    if (!e.data.source) continue;
    const from = at.get(e.data.source);
    const to = at.get(e.data.target);
    const dx = to.position.x - to.data.w / 2 - from.position.x - from.data.w / 2;
    const dy = to.position.y - from.position.y;
    const square = dx * dx + dy * dy || 1;
    const along = (dx * dx) / (2 * square);
    const aside = (dx * dy) / (2 * Math.sqrt(square));
    e.data.weights = [along, 1 - along];
    e.data.distances = [-aside, aside];
  }

  // An editor that shows the page says which theme it has, and opens files.
  const host = window.klsHost;
  const wanted = host ? host.theme() : localTheme();
  setTheme(wanted || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  const cy = cytoscape({
    container: byId('graph'), elements, style: style(), layout: { name: 'preset' }, autoungrabify: true, autounselectify: true, boxSelectionEnabled: false,
    minZoom: 0.02, maxZoom: 4, textureOnViewport: nodes.length > 600, hideEdgesOnViewport: nodes.length > 3000, pixelRatio: 'auto',
  });
  cy.on('tap', 'node', (event) => select(Number(event.target.id().slice(1)), false));
  cy.on('tap', (event) => { if (event.target === cy) select(-1); });
  cy.on('dbltap', 'node', (event) => open(Number(event.target.id().slice(1)), 0));
  cy.on('mouseover', 'node', () => { byId('graph').style.cursor = 'pointer'; });
  cy.on('mouseout', 'node', () => { byId('graph').style.cursor = ''; });
  showAll();

  function localTheme() {
    try { return localStorage.getItem('kls-theme'); } catch { return null; }
  }
  function setTheme(name) {
    document.documentElement.classList.toggle('dark', name === 'dark');
  }
  // Everything, but not so large that a small graph looks coarse, nor so small that
  // nothing can be read: then what is at the left, where the roots are.
  function showAll() {
    cy.fit(undefined, 30);
    if (cy.zoom() > 1.3) { cy.zoom(1.3); cy.center(); }
  }
  function start() {
    showAll();
    if (cy.zoom() >= 0.35 || !nodes.length) return;
    cy.zoom(0.6);
    const first = cy.nodes('.title').min((node) => node.position('x') - node.data('w') / 2 + node.position('y') / 1e6).ele;
    cy.pan({ x: 30 - (first.position('x') - first.data('w') / 2) * 0.6, y: 70 - first.position('y') * 0.6 });
  }
  start();

  function select(index, move) {
    selected = index;
    cy.batch(() => {
      cy.elements().removeClass('faded near chosen');
      if (index < 0) return;
      const node = cy.getElementById('n' + index);
      const card = nodes[index].card < 0 ? index : nodes[index].card;
      const edges = cy.getElementById('n' + card).connectedEdges();
      edges.addClass('near');
      node.addClass('chosen');
      cy.edges().not(edges).addClass('faded');
    });
    for (const item of list.children) item.setAttribute('aria-selected', String(Number(item.dataset.index) === index));
    showDetails();
    if (index < 0) {
      list.removeAttribute('aria-activedescendant');
      return;
    }
    const item = byId('item-' + index);
    if (item) {
      list.setAttribute('aria-activedescendant', item.id);
      item.scrollIntoView({ block: 'nearest' });
    }
    cy.resize();
    if (move !== false) {
      const reduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const target = { center: { eles: cy.getElementById('n' + index) }, zoom: Math.max(cy.zoom(), 0.8) };
      cy.stop();
      cy.animate(target, { duration: reduced ? 0 : 200 });
    }
  }

  const count = (n, noun) => `${n} ${noun}${n === 1 ? '' : 's'}`;

  // The list at the side, which is also how the graph is read without seeing it.
  const list = byId('list');
  function showList() {
    const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (n) => [n.id, n.kind, n.verdict || '', ...n.resources, ...n.diagnostics.flatMap((d) => [d.severity, d.rule])].join('\n').toLowerCase();
    matches = words.length ? order.filter((i) => { const all = text(nodes[i]); return words.every((w) => all.includes(w)); }) : order;
    list.replaceChildren(...matches.map((i) => {
      const n = nodes[i];
      const item = element('li');
      item.id = 'item-' + i;
      item.dataset.index = String(i);
      item.setAttribute('role', 'option');
      item.setAttribute('aria-selected', String(i === selected));
      item.append(dot(n.kind), element('span', n.id, 'name'));
      item.title = n.kind;
      if (n.verdict === 'fails' || n.worst === 'error' || n.worst === 'warning') {
        item.append(element('span', n.verdict === 'fails' ? 'fails' : n.worst, 'flag ' + (n.worst || 'error')));
      }
      return item;
    }));
    const roots = nodes.filter((n) => n.verdict).length;
    byId('count').textContent = words.length ? `${matches.length} of ${nodes.length}` : `${count(nodes.length, 'node')}, ${count(roots, 'root')}`;
    cy.batch(() => {
      cy.nodes('.row, .title').removeClass('faded');
      if (!words.length) return;
      const found = new Set(matches);
      cy.nodes('.row, .title').forEach((node) => { if (!found.has(Number(node.id().slice(1)))) node.addClass('faded'); });
    });
  }
  list.addEventListener('click', (event) => {
    const item = event.target.closest('li');
    if (item) select(Number(item.dataset.index));
  });
  byId('search').addEventListener('input', showList);
  byId('search').addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && matches.length) select(matches[0]);
    if (event.key === 'ArrowDown') { list.focus(); event.preventDefault(); if (matches.length && !matches.includes(selected)) select(matches[0]); }
  });
  list.addEventListener('keydown', (event) => {
    const now = matches.indexOf(selected);
    const steps = { ArrowDown: now + 1, ArrowUp: now < 0 ? 0 : now - 1, Home: 0, End: matches.length - 1, PageDown: now + 15, PageUp: now - 15 };
    if (!(event.key in steps) || !matches.length) return;
    event.preventDefault();
    select(matches[Math.min(matches.length - 1, Math.max(0, steps[event.key]))]);
  });

  function section(title, items) {
    if (!items.length) return [];
    const ul = element('ul');
    ul.append(...items);
    return [element('h3', title), ul];
  }
  function linkTo(index, note) {
    const item = element('li');
    const button = element('button', nodes[index].id);
    button.type = 'button';
    button.addEventListener('click', () => select(index));
    item.append(button, element('span', ' ' + note, 'note'));
    return item;
  }
  const canOpen = (index) => Boolean(host) && nodes[index].kind !== 'remote' && nodes[index].kind !== 'missing';
  function open(index, line) {
    if (canOpen(index)) host.open(nodes[index].id, line);
  }
  function opener(index, line, label, className) {
    const button = element('button', label, className);
    button.type = 'button';
    button.addEventListener('click', () => open(index, line));
    return button;
  }
  function showDetails() {
    const details = byId('details');
    details.replaceChildren();
    if (selected < 0) { cy.resize(); return; }
    const n = nodes[selected];
    const close = element('button', '×', 'close');
    close.type = 'button';
    close.setAttribute('aria-label', 'Close');
    close.addEventListener('click', () => select(-1));
    const kind = element('p', n.kind + (n.verdict ? ', a root that ' + { builds: 'builds', fails: 'fails', unknown: 'needs what was not loaded' }[n.verdict] : ''), 'note');
    const diagnostics = n.diagnostics.map((d) => {
      const item = element('li');
      const place = canOpen(selected) ? opener(selected, d.line, `line ${d.line}`) : document.createTextNode(`line ${d.line}`);
      item.append(element('strong', d.severity, d.severity), ' ', place, `: ${d.message} `, element('span', d.rule, 'note'));
      return item;
    });
    const file = canOpen(selected) ? [opener(selected, 0, 'Open file', 'open')] : [];
    const where = (e) => e.field + (e.line ? ', line ' + e.line : '');
    details.append(close, element('h2', n.id), kind, ...file,
      ...section('Diagnostics', diagnostics),
      ...section(`${n.verdict ? 'Renders' : 'Resources'} (${n.resources.length})`, n.resources.map((r) => element('li', r))),
      ...section('Included by', incoming[selected].map((e) => linkTo(e.from, where(e)))),
      ...section('Includes', outgoing[selected].map((e) => linkTo(e.to, where(e)))));
    details.scrollTop = 0;
  }

  // Along the entries: right to the first, left to what includes it, up and down
  // among those that stand beside it.
  function step(key) {
    if (!nodes.length) return;
    if (selected < 0) { select(order[0]); return; }
    const parent = incoming[selected][0];
    let beside = parent ? outgoing[parent.from].map((e) => e.to) : order.filter((i) => !incoming[i].length);
    beside = [...new Set(beside)];
    const here = beside.indexOf(selected);
    const to = {
      ArrowRight: outgoing[selected].length ? outgoing[selected][0].to : -1,
      ArrowLeft: parent ? parent.from : -1,
      ArrowDown: here + 1 < beside.length ? beside[here + 1] : -1,
      ArrowUp: here > 0 ? beside[here - 1] : -1,
    }[key];
    if (to >= 0) select(to);
  }
  const zoom = (factor) => cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
  byId('in').addEventListener('click', () => zoom(1.3));
  byId('out').addEventListener('click', () => zoom(1 / 1.3));
  byId('fit').addEventListener('click', showAll);
  function changeTheme(name) {
    setTheme(name);
    cy.style(style());
    drawLegend();
  }
  byId('theme').hidden = Boolean(host);
  byId('theme').addEventListener('click', () => {
    const name = document.documentElement.classList.contains('dark') ? 'light' : 'dark';
    try { localStorage.setItem('kls-theme', name); } catch { /* a page from a file may have none */ }
    changeTheme(name);
  });
  byId('graph').addEventListener('keydown', (event) => {
    if (event.key.startsWith('Arrow')) { step(event.key); event.preventDefault(); }
    if (event.key === '+' || event.key === '=') zoom(1.3);
    if (event.key === '-') zoom(1 / 1.3);
    if (event.key === '0') showAll();
    if (event.key === 'Enter' && selected >= 0) open(selected, 0);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement !== byId('search')) { byId('search').focus(); event.preventDefault(); }
    if (event.key === 'Escape') select(-1);
  });
  function drawLegend() {
    const used = kinds.filter((kind) => nodes.some((n) => n.kind === kind));
    byId('legend').replaceChildren(...used.map((kind) => {
      const item = element('li');
      item.append(dot(kind), document.createTextNode(kind));
      return item;
    }));
  }
  drawLegend();
  showList();
  // For an editor that shows the page, for tests, and for who wants to look closer in the browser's console.
  window.kls = { cy, select, selected: () => selected, setTheme: changeTheme };
})();
