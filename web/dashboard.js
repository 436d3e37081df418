/*
 * dashboard.js: polls the server and shows its state; what the buttons do.
 *
 * The campaign that is shown stands behind the address's #, so that it can be bookmarked. A poll is followed by a pause
 * that is at least ten times as long as it took, so that the page never is a load for the server.
 */
'use strict';

(() => {
  const byId = id => document.getElementById(id);
  const LIST_MOST = 100,
    PLOTTED = 8,
    EVENTS = 400; /* records at the end of the log that are searched */
  const self = {name: '', list: [], campaign: null, state: null, events: [], seen: 0};

  const wanted = () => decodeURIComponent(location.hash.slice(1));
  const path = name => `/v1/campaigns/${encodeURIComponent(name)}`;

  /* ---- the list ---- */

  function listItem() {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.append(parts.make('span', 'label'), parts.make('span', 'muted'));
    item.append(link);
    return item;
  }

  function showList() {
    const filter = byId('filter').value.toLowerCase();
    const fit = self.list.filter(c => c.name.toLowerCase().includes(filter));
    const shown = fit.slice(0, LIST_MOST);
    const items = parts.rows(byId('list'), shown.length, listItem);
    byId('filter').hidden = self.list.length < 8;
    parts.set(byId('list-count'), self.list.length > 1 ? parts.grouped(self.list.length) : '');
    shown.forEach((c, i) => {
      const link = items[i].firstElementChild;
      if (link.getAttribute('href') !== '#' + encodeURIComponent(c.name)) link.href = '#' + encodeURIComponent(c.name);
      if (c.name === self.name) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
      parts.set(link.children[0], c.name);
      parts.set(link.children[1], c.archived ? 'archived' : parts.grouped(c.counters.decisions));
    });
  }

  function choose() {
    const fit = self.list.find(c => c.name === wanted()) || self.list.find(c => !c.archived) || self.list[0];
    const name = fit ? fit.name : '';
    if (name !== self.name) Object.assign(self, {name, campaign: null, events: [], seen: 0});
    byId('empty').hidden = self.list.length > 0;
    byId('shell').hidden = self.list.length === 0;
    showList();
  }

  /* ---- the campaign ---- */

  /* Those that decide most; where there are few, all. */
  function plotted(campaign) {
    const order = campaign.experts.map((_, k) => k);
    order.sort((a, b) => campaign.experts[b].plays - campaign.experts[a].plays || a - b);
    return order.slice(0, PLOTTED).sort((a, b) => a - b);
  }

  function showControls(campaign) {
    const {pin, learning} = campaign.controls;
    parts.set(byId('do-pause'), learning ? 'Pause learning' : 'Resume learning');
    parts.set(byId('do-unpin'), 'Unpin');
    byId('do-unpin').hidden = pin === null;
    for (const id of ['do-episode', 'do-pause', 'do-unpin']) byId(id).disabled = campaign.archived;
    byId('name').replaceChildren(campaign.name);
    const badges = [
      [!learning, 'learning is paused'], [pin !== null, `pinned to ${pin}`], [campaign.archived, 'archived'],
    ];
    for (const [holds, text] of badges) if (holds) byId('name').append(' ', parts.make('span', 'badge loud', text));
  }

  function showCampaign() {
    const campaign = self.campaign;
    const points = history_of.add(campaign.name, campaign, Date.now());
    const point = points[points.length - 1];
    const shown = plotted(campaign);
    const head = JSON.stringify([campaign.name, campaign.controls, campaign.archived]);
    if (head !== self.head) showControls(campaign);
    self.head = head;
    document.title = `${campaign.name} · roster`;
    parts.facts(campaign);
    evidence.verdict(campaign, point);
    evidence.model(campaign);
    parts.tiles(campaign, point);
    parts.legend(campaign, shown);
    plots.all(points, shown);
    evidence.dots(campaign, points, shown);
    evidence.shadow(campaign);
    evidence.alarms(campaign);
    parts.experts(campaign, pin);
    parts.episodes(campaign);
    if (self.state) parts.details(campaign, self.state);
  }

  /* The end of the log, as far as this campaign is in it. */
  async function pollEvents(name) {
    const after = Math.max(self.seen, self.state.store.records - EVENTS, 0);
    const {lines, next} = await talk.lines(`${path(name)}/events?after=${after}&limit=${EVENTS}`);
    if (name !== self.name) return;
    self.seen = Math.max(self.seen, lines.length ? lines[lines.length - 1].number : 0,
      Math.min(next, self.state.store.records));
    self.events = self.events.concat(lines.filter(line => line.kind !== 'close')).slice(-20);
    parts.events(self.events);
  }

  async function pollCampaign() {
    const name = self.name;
    if (!name) return;
    const campaign = await talk.get(path(name));
    if (name !== self.name) return;
    self.campaign = campaign;
    showCampaign();
    if (self.state) await pollEvents(name);
  }

  async function pollServer() {
    self.state = await talk.get('/v1/state');
    parts.store(self.state);
    self.list = (await talk.get('/v1/campaigns')).campaigns;
    choose();
  }

  /* ---- again and again ---- */

  function live(ok, text) {
    byId('live').classList.toggle('ok', ok);
    byId('live').classList.toggle('bad', !ok);
    parts.set(byId('live-text'), text);
  }

  async function again(poll, least) {
    const begun = performance.now();
    let ok = true;
    try {
      await poll();
      live(true, 'live');
    } catch (error) {
      ok = false;
      live(false, error instanceof talk.Refused ? error.message : 'the server does not respond');
      if (error instanceof talk.Refused && error.status === 404) self.name = '';
    }
    const took = performance.now() - begun;
    const pause = Math.max(ok ? least : 2 * least, 10 * Math.min(took, 2000)) * (document.hidden ? 5 : 1);
    setTimeout(() => again(poll, least), pause);
  }

  /* ---- buttons ---- */

  async function change(question, body, done, where = 'controls') {
    const name = self.name;
    const ok = await talk.open(question, () => talk.post(`${path(name)}/${where}`, body));
    if (!ok) return;
    talk.say(done);
    await pollCampaign();
  }

  function pin(expert) {
    if (self.campaign.controls.pin === expert) return unpin();
    const text = 'This expert then makes every decision. The agent continues to learn, but does not choose.';
    return change(
      {title: `Pin ${expert}?`, text, yes: 'Pin'},
      {pin: expert},
      `${expert} now makes every decision.`,
    );
  }

  function unpin() {
    const text = 'The agent then chooses the expert for each decision again.';
    return change({title: `Unpin ${self.campaign.controls.pin}?`, text, yes: 'Unpin'}, {pin: null},
      'The agent chooses the expert for each decision again.');
  }

  function pause() {
    if (!self.campaign.controls.learning)
      return change(
        {title: 'Resume learning?', text: 'The agent learns from rewards again from now on.', yes: 'Resume'},
        {learning: true},
        'The agent learns from rewards again.',
      );
    const text = 'The service continues to record and count rewards, but the agent does not learn from them.';
    return change({title: 'Pause learning?', text, yes: 'Pause'}, {learning: false}, 'Learning is paused.');
  }

  function episode() {
    const text = 'A new agent starts to learn from scratch. ' +
      'A reward for an earlier decision counts in the episode of that decision.';
    return change({title: 'Start a new episode?', text, yes: 'Start'}, {}, 'A new episode has begun.', 'episodes');
  }

  byId('do-episode').onclick = episode;
  byId('do-pause').onclick = pause;
  byId('do-unpin').onclick = unpin;
  byId('filter').oninput = showList;
  window.addEventListener('hashchange', () => {
    choose();
    pollCampaign().catch(() => {});
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => self.campaign && showCampaign());
  byId('empty-drive').textContent = `roster drive experiments/cifar10.json --server ${location.origin} --rate 500`;
  byId('empty-curl').textContent =
    `curl -H 'Content-Type: application/json' \\\n  -d @campaign.json ${location.origin}/v1/campaigns`;
  again(pollServer, 2000).then(() => again(pollCampaign, 1000));
})();
