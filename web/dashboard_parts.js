/*
 * dashboard_parts.js: tables and tiles. Rows are kept and their cells changed in place, so that nothing
 * jumps, and focus and selections stay.
 */
'use strict';

const parts = (() => {
  const byId = id => document.getElementById(id);
  const EXPERTS_MOST = 50,
    ROWS = 12;

  const grouped = n => Math.round(n).toLocaleString('en-US');
  const counted = (n, word) => `${grouped(n)} ${word}${n === 1 ? '' : 's'}`;
  const fixed = (x, digits) => (x === null || !Number.isFinite(x) ? '–' : x.toFixed(digits));
  const percent = (x, digits = 1) => (x === null ? '–' : (100 * x).toFixed(digits) + '%');
  const perSecond = x => (x === null ? '\u00a0' : (x >= 10 || x === 0 ? grouped(x) : x.toFixed(1)) + ' per second');

  function bytes(n) {
    const units = ['B', 'kB', 'MB', 'GB', 'TB'];
    let i = 0;
    for (; n >= 1000 && i < 4; i++) n /= 1000;
    return (i > 0 ? n.toFixed(1) : n) + ' ' + units[i];
  }

  /* A time and its unit. */
  function spell(seconds) {
    if (seconds < 90) return [Math.max(1, Math.round(seconds)), 's'];
    if (seconds < 5400) return [Math.round(seconds / 60), 'min'];
    if (seconds < 172800) return [Math.round(seconds / 3600), 'h'];
    return [Math.round(seconds / 86400), 'days'];
  }

  const duration = seconds => spell(seconds).join(' ');

  /* "2026-01-31 23:59", here. */
  function moment(text) {
    const d = new Date(text);
    return new Date(d - 60000 * d.getTimezoneOffset()).toISOString().slice(0, 16).replace('T', ' ');
  }

  function set(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function make(tag, className, text = '') {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.textContent = text;
    return element;
  }

  /* As many rows as asked for; `build` makes a new one. */
  function rows(body, n, build) {
    while (body.children.length > n) body.lastElementChild.remove();
    while (body.children.length < n) body.append(build());
    return body.children;
  }

  const rowOf = classes => () => {
    const row = document.createElement('tr');
    for (const name of classes) row.append(make('td', name));
    return row;
  };

  /* ---- sentences ---- */

  /* What the service's words mean to people. */
  const PRIORS = {declared: 'declared', seen: 'observed', uniform: 'assumed uniform', learnt: 'learnt'};
  const REASONS = {first: 'creation', called: 'request', rounds: 'round limit', scheduled: 'schedule',
    contexts: 'alarm: contexts changed', rewards: 'alarm: rewards changed'};
  const KINDS = {campaign: 'campaign created', archive: 'campaign archived', erase: 'personal data erased'};

  function facts(campaign) {
    const agent = campaign.chosen === campaign.agent ? campaign.agent : `${campaign.agent}: ${campaign.chosen}`;
    const words = [`agent ${agent}`, counted(campaign.experts.length, 'expert'),
      `context probabilities: ${PRIORS[campaign.context_probabilities] ?? campaign.context_probabilities}`];
    if (campaign.controls.mode === 'shadow') words.push('mode shadow: it decides nothing');
    if (campaign.controls.fallback !== null) words.push(`fallback: ${campaign.controls.fallback}`);
    const caps = Object.keys(campaign.controls.cap).length;
    if (caps > 0) words.push(`${counted(caps, 'expert')} with a cap`);
    set(byId('facts'), words.join(' · '));
  }

  /* ---- tiles ---- */

  function tiles(campaign, point) {
    const c = campaign.counters;
    const now = campaign.episodes[campaign.episodes.length - 1];
    set(byId('t-decisions'), grouped(c.decisions));
    set(byId('t-decisions-rate'), perSecond(point.decisions));
    set(byId('t-rewards'), grouped(c.rewards.joined));
    set(byId('t-rewards-rate'), perSecond(point.rewards));
    set(byId('t-mean'), c.learnt > 0 ? (c.reward / c.learnt).toFixed(3) : '–');
    set(byId('t-mean-sub'), point.learnt > 0 ? `${(point.mean / point.learnt).toFixed(3)} recently` : '\u00a0');
    set(byId('t-lost'), campaign.lost === null ? '–' : `about ${grouped(Math.max(0, campaign.lost))}`);
    const share = campaign.lost > 0 && now.reward > 0 ? percent(campaign.lost / now.reward) : '';
    set(byId('t-lost-sub'), share && `${share} of all`);
    set(byId('t-open'), grouped(c.open));
    set(byId('t-open-sub'), c.unlearnt > 0 ? `${grouped(c.unlearnt)} closed, not learnt` : '\u00a0');
    set(byId('t-episode'), String(campaign.episode + 1));
    set(byId('t-episode-sub'), now ? counted(now.decisions, 'decision') : '\u00a0');
  }

  /* ---- experts ---- */

  function expertRow(onPin) {
    return () => {
      const row = rowOf(['who', 'n', 'n', 'n', 'n', 'n', 'n', 'act'])();
      row.cells[0].append(make('span', 'dot'), make('span', 'label'), make('span', 'badge'));
      row.cells[1].append(make('b'));
      row.cells[4].append(make('span', 'share'), make('span'));
      const button = make('button', 'small');
      button.type = 'button';
      button.onclick = () => onPin(row.dataset.name);
      row.cells[7].append(button);
      return row;
    };
  }

  /* Against the leader. */
  function standing(expert, campaign) {
    if (expert.name === campaign.leader) return campaign.known ? 'the best' : 'leads';
    if (!expert.excluded) return 'open';
    return expert.worse_by === null ? 'not the best' : `worse by ≥ ${expert.worse_by.toFixed(3)}`;
  }

  function fillExpert(row, expert, k, campaign) {
    const [dot, label, badge] = row.cells[0].children;
    const pinned = campaign.controls.pin === expert.name;
    row.dataset.name = expert.name;
    dot.style.background = plots.color(k);
    set(label, expert.name);
    set(badge, pinned ? 'pinned' : campaign.leader === expert.name ? 'leads' : '');
    set(row.cells[1].children[0], fixed(expert.value, 3));
    set(row.cells[2], expert.low === null ? '–' : `${expert.low.toFixed(3)} to ${expert.high.toFixed(3)}`);
    set(row.cells[3], standing(expert, campaign));
    row.cells[4].children[0].style.setProperty('--share', percent(expert.share));
    row.cells[4].children[0].style.color = plots.color(k);
    set(row.cells[4].children[1], percent(expert.share));
    set(row.cells[5], grouped(expert.plays));
    set(row.cells[6], expert.samples === null ? '–' : grouped(expert.samples));
    const button = row.cells[7].firstElementChild;
    set(button, pinned ? 'Unpin' : 'Pin');
    button.disabled = campaign.archived;
    button.setAttribute('aria-label', `${pinned ? 'Unpin' : 'Pin'} ${expert.name}`);
  }

  /* Of many experts those that decide most. */
  function experts(campaign, onPin) {
    const order = campaign.experts.map((_, k) => k);
    if (order.length > EXPERTS_MOST) {
      order.sort((a, b) => campaign.experts[b].plays - campaign.experts[a].plays || a - b);
      order.length = EXPERTS_MOST;
    }
    const list = rows(byId('experts').tBodies[0], order.length, expertRow(onPin));
    order.forEach((k, i) => fillExpert(list[i], campaign.experts[k], k, campaign));
    const more = campaign.experts.length - order.length;
    byId('experts-more').hidden = more === 0;
    set(byId('experts-more'),
      `${counted(more, 'expert')} with fewer decisions ${more === 1 ? 'is' : 'are'} not shown.`);
  }

  function legend(campaign, shown) {
    const list = rows(byId('legend'), shown.length, () => {
      const item = make('span', 'item');
      item.append(make('span', 'dot'), make('span'));
      return item;
    });
    shown.forEach((k, i) => {
      list[i].children[0].style.background = plots.color(k);
      set(list[i].children[1], campaign.experts[k].name);
    });
  }

  /* ---- episodes and events ---- */

  function episodes(campaign) {
    const last = campaign.episodes.slice(-ROWS).reverse();
    const list = rows(byId('episodes').tBodies[0], last.length, rowOf(['', '', '', 'n', 'n']));
    last.forEach((e, i) => {
      const words = [String(e.number + 1), moment(e.at), REASONS[e.reason] ?? e.reason,
        grouped(e.decisions), e.learnt > 0 ? (e.reward / e.learnt).toFixed(3) : '–'];
      words.forEach((word, j) => set(list[i].cells[j], word));
    });
  }

  function control({control, expert, value}) {
    if (control === 'pin') return expert === null ? 'unpinned' : `pinned to ${expert}`;
    if (control === 'learning') return value ? 'learning resumed' : 'learning paused';
    if (control === 'fallback') return expert === null ? 'no fallback expert' : `fallback expert: ${expert}`;
    if (control === 'cap') return `cap of ${expert}: ${value ?? 'none'}`;
    return 'retention changed';
  }

  function what(line) {
    if (line.kind === 'decide') return `${line.expert} → ${line.action}`;
    if (line.kind === 'reward') return `reward ${line.reward}, ${line.status}`;
    if (line.kind === 'episode') return `episode ${line.episode + 1} started by ${REASONS[line.reason] ?? line.reason}`;
    if (line.kind === 'control') return control(line);
    return KINDS[line.kind] ?? line.kind;
  }

  function events(seen) {
    const last = seen.slice(-ROWS).reverse();
    const list = rows(byId('events').tBodies[0], last.length, rowOf(['', 'id', '']));
    last.forEach((line, i) => {
      const words = [plots.clock(Date.parse(line.at)), line.event_id ?? '', what(line)];
      words.forEach((word, j) => set(list[i].cells[j], word));
    });
  }

  /* ---- the rest ---- */

  /* Of a log that several servers share. */
  let turned = null;
  function replicas(state) {
    const r = state.replicas;
    if (!r) return [];
    const rate = turned && state.now > turned.now ? (r.turns - turned.turns) / (state.now - turned.now) : 0;
    turned = {now: state.now, turns: r.turns};
    return [['Servers on the log', grouped(r.active)],
      ['Turns of this one', `${Math.max(rate, 0).toFixed(0)} per second`],
      ['Behind the log', `${(1000 * r.lag_seconds).toFixed(0)} ms`], ['Records lost', grouped(r.records_lost)]];
  }

  function details(campaign, state) {
    const r = campaign.counters.rewards,
      s = state.store;
    const pairs = [
      ['Rewards joined', grouped(r.joined)], ['Duplicate', grouped(r.duplicate)], ['Late', grouped(r.late)],
      ['Unknown event', grouped(r.unknown)], ['Out of range', grouped(r['out-of-range'])],
      ['Default learnt', grouped(campaign.counters.defaulted)],
      ['Event log', s.ok ? 'writable' : 'cannot be written'], ['Records', grouped(s.records)], ['Size', bytes(s.bytes)],
      ['Durability', state.durability],
      ['Mean commit time', s.commits > 0 ? `${((1000 * s.commit_seconds) / s.commits).toFixed(2)} ms` : '–'],
      ['Last snapshot', s.snapshot > 0 ? `record ${grouped(s.snapshot)}` : 'none'],
      ['Connections', grouped(state.connections)], ['Running for', duration(state.now - state.started)],
      ['Version', state.version], ...replicas(state),
    ];
    const list = rows(byId('details'), pairs.length, () => {
      const pair = make('div');
      pair.append(make('dt'), make('dd'));
      return pair;
    });
    pairs.forEach(([key, value], i) => {
      set(list[i].children[0], key);
      set(list[i].children[1], value);
    });
  }

  function store(state) {
    const s = state.store;
    set(byId('store-short'),
      `${grouped(s.records)} records · ${bytes(s.bytes)} · ${s.ok ? state.durability : 'the log cannot be written'}`);
    byId('store-short').classList.toggle('bad', !s.ok);
  }

  return {set, make, rows, rowOf, grouped, counted, spell, moment, facts, tiles, experts, legend, episodes, events,
    details, store};
})();
