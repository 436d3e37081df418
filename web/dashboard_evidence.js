/*
 * dashboard_evidence.js: what is known, in words and as intervals: the verdict, each expert as a dot with its interval,
 * whether the reward depends on who acts, what was watched in mode shadow, and alarms.
 */
'use strict';

const evidence = (() => {
  const byId = id => document.getElementById(id);
  const {set, make, rows, rowOf, grouped, counted, spell, moment} = parts;
  const ALARMS = 12;

  const level = campaign => +(100 * campaign.level).toPrecision(4) + '%';

  /* "3 to 12 min", "50 s to 2 min" */
  function between(low, high) {
    const [a, b] = [spell(low), spell(high)];
    if (a[0] === b[0] && a[1] === b[1]) return b.join(' ');
    return `${a[1] === b[1] ? a[0] : a.join(' ')} to ${b.join(' ')}`;
  }

  /* ---- the verdict ---- */

  const rough = x => grouped(+x.toPrecision(2));

  function pace(campaign, point) {
    const left = campaign.rounds_left;
    if (left === null) return 'It is too early to say how many more rewards it takes to know.';
    const {low, high} = left;
    const time = point.learnt > 0.5 ? ` (${between(low / point.learnt, high / point.learnt)})` : '';
    return `It takes about ${rough(low)} to ${rough(high)} more rewards to know${time}.`;
  }

  /* Who may still be the best. */
  function others(campaign) {
    const there = campaign.experts.filter(e => !e.retired);
    const open = there.filter(e => !e.excluded && e.name !== campaign.leader);
    if (open.length === there.length - 1) return 'any other expert may still be better';
    return open.length === 1 ? `${open[0].name} may still be better`
      : `${open.length} of ${there.length} experts may still be better`;
  }

  function sentences(campaign, point) {
    if (campaign.leader === null)
      return ['', 'Nothing is known yet: no reward was learnt in this episode.'];
    if (campaign.experts.filter(e => !e.retired).length === 1) return [campaign.leader, ' is the only expert.'];
    const by = campaign.margin === null ? '' : ` by about ${campaign.margin.toFixed(3)}`;
    if (campaign.known)
      return [campaign.leader, ` is the best expert with ${level(campaign)} probability, valid at any time.` +
        (by && ` It leads${by}.`)];
    return [campaign.leader, ` leads${by}; ${others(campaign)}. ${pace(campaign, point)}`];
  }

  function verdict(campaign, point) {
    const element = byId('verdict');
    const [name, rest] = sentences(campaign, point);
    if (element.dataset.said === name + rest) return;
    element.dataset.said = name + rest;
    element.replaceChildren(make('strong', '', name), rest);
    element.classList.toggle('known', campaign.known);
  }

  function model(campaign) {
    const {sentence, suspects} = campaign.model;
    set(byId('model'), sentence ?? '');
    byId('model').hidden = sentence === null;
    byId('model').classList.toggle('doubtful', suspects.length > 0);
  }

  /* ---- dots ---- */

  function dotRow() {
    const row = make('li');
    const track = make('span', 'track');
    track.append(make('span', 'bar'), make('span', 'mark'));
    row.append(make('span', 'label'), track);
    return row;
  }

  function fillDot(row, expert, k, [from, to]) {
    const at = x => `${Math.min(100, Math.max(0, (100 * (x - from)) / (to - from)))}%`;
    const [label, track] = row.children;
    set(label, expert.name);
    track.style.color = plots.color(k);
    track.hidden = expert.value === null;
    row.classList.toggle('excluded', expert.excluded || expert.retired);
    track.style.setProperty('--low', at(expert.low ?? 0));
    track.style.setProperty('--high', at(expert.high ?? 1));
    track.style.setProperty('--value', at(expert.value ?? 0));
  }

  function dots(campaign, points, shown) {
    const range = plots.range(points.slice(-1), shown);
    const list = rows(byId('dots'), shown.length, dotRow);
    shown.forEach((k, i) => fillDot(list[i], campaign.experts[k], k, range));
    set(byId('dots-from'), range[0].toFixed(2));
    set(byId('dots-to'), Math.min(1, range[1]).toFixed(2));
    const words = `${level(campaign)} interval, valid at any time`;
    set(byId('values-about'), `Mean reward of each expert, had it made every decision, with its ${words}. ` +
      'Hollow: it is not the best.');
    set(byId('interval-head'), `${level(campaign)} interval`);
    byId('interval-head').title = `With ${level(campaign)} probability all intervals contain the true mean rewards, ` +
      'at every time, however often one looks';
  }

  /* ---- alarms ---- */

  function place(alarm) {
    const from = `${alarm.before.toFixed(2)} before, ${alarm.after.toFixed(2)} after`;
    return alarm.what === 'contexts' ? `share of ${alarm.context}: ${from}`
      : `mean reward of ${alarm.action} in ${alarm.context}: ${from}`;
  }

  function alarms(campaign) {
    const last = campaign.alarms.slice(-ALARMS).reverse();
    byId('alarms-section').hidden = campaign.restart === null;
    const list = rows(byId('alarms').tBodies[0], last.length, rowOf(['', '', '', 'n']));
    last.forEach((alarm, i) => {
      const words = [moment(alarm.at), `${alarm.what} changed`, place(alarm), grouped(alarm.rounds)];
      words.forEach((word, j) => set(list[i].cells[j], word));
    });
    set(byId('alarms-none'), last.length > 0 ? '' : `None so far, after ${counted(campaign.rounds, 'reward')}.`);
  }

  /* ---- shadow ---- */

  const SHADOWS = 50; /* experts, at most */

  function interval(of) {
    return of.value === null ? '–' : `${of.low.toFixed(3)} to ${of.high.toFixed(3)}`;
  }

  function shadow(campaign) {
    const watched = campaign.shadow;
    byId('shadow-section').hidden = watched === null;
    if (watched === null) return;
    const about = campaign.controls.mode === 'shadow' ? 'The campaign decides nothing and watches. ' : '';
    const useless = watched.unusable > 0 ? `, ${grouped(watched.unusable)} without a propensity` : '';
    set(byId('shadow-about'), `${about}${counted(watched.observed, 'observation')}${useless}; ` +
      `${counted(watched.rounds, 'reward')} learnt. What each expert would have earned, with its ` +
      `${level(campaign)} interval, valid at any time.`);
    const of = [{name: 'production itself', ...watched.production}, ...watched.experts.slice(0, SHADOWS)];
    const list = rows(byId('shadow').tBodies[0], of.length, rowOf(['', 'n', 'n', 'n']));
    of.forEach((one, i) => {
      const share = one.would_choose === undefined || watched.observed === 0 ? '–'
        : `${((100 * one.would_choose) / watched.observed).toFixed(1)}%`;
      const words = [one.name, one.value === null ? '–' : one.value.toFixed(3), interval(one), share];
      words.forEach((word, j) => set(list[i].cells[j], word));
      list[i].classList.toggle('excluded', one.excluded === true);
    });
  }

  return {verdict, model, dots, alarms, shadow, level};
})();
