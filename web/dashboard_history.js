/*
 * dashboard_history.js: what was seen of a campaign since the page shows it: values, shares and rates over time.
 */
'use strict';

const history_of = (() => {
  const POINTS = 600; /* kept */
  const SMOOTH = 4; /* polls that a share or a rate is taken over */
  const all = new Map(); /* by campaign */

  const sum = numbers => numbers.reduce((a, b) => a + b, 0);

  function make() {
    return {points: [], polls: []};
  }

  /* The first of the last polls in the same episode; undefined where there is none. */
  const since = (polls, now) => polls.find(poll => poll.episode === now.episode && now.at > poll.at);

  function shares(before, now) {
    if (!before) return null;
    const played = now.plays.map((n, k) => Math.max(0, n - (before.plays[k] ?? 0)));
    const total = sum(played);
    return total > 0 ? played.map(n => n / total) : null;
  }

  /* Counters go on through episodes, so rates do not need the same one. */
  function rate(polls, now, key) {
    const before = polls[Math.max(0, polls.length - SMOOTH)];
    return before && now.at > before.at ? (1000 * (now[key] - before[key])) / (now.at - before.at) : null;
  }

  function add(name, campaign, at) {
    if (!all.has(name)) all.set(name, make());
    const self = all.get(name);
    const now = {
      at,
      episode: campaign.episode,
      plays: campaign.experts.map(e => e.plays),
      decisions: campaign.counters.decisions,
      rewards: sum(Object.values(campaign.counters.rewards)),
      learnt: campaign.counters.learnt,
      reward: campaign.counters.reward,
    };
    const last = self.points[self.points.length - 1];
    self.points.push({
      at,
      episode: campaign.episode,
      values: campaign.experts.map(e => [e.low, e.value, e.high]),
      alarms: campaign.alarms,
      shares: shares(since(self.polls, now), now) || (last && last.episode === now.episode ? last.shares : null),
      decisions: rate(self.polls, now, 'decisions'),
      rewards: rate(self.polls, now, 'rewards'),
      learnt: rate(self.polls, now, 'learnt'),
      mean: rate(self.polls, now, 'reward'),
    });
    self.polls.push(now);
    if (self.polls.length > SMOOTH) self.polls.shift();
    if (self.points.length > POINTS) self.points.shift();
    return self.points;
  }

  return {add};
})();
