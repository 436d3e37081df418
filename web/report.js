/*
 * report.js: fills the page with the data that stands in it. Words from the data are only ever written as text.
 */
'use strict';

(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const {at, make, fill, whole, plural, number, short, percent, line, choice, select} = dom;
  const state = {study: 0, log: false, hidden: new Set(), agent: 0, episode: 0, metric: 'regret', sweepLog: false};
  let regretPlot = null,
    sharesPlot = null,
    sweepPlot = null;

  const study = () => data.cases[state.study];

  /* ---- the head ---- */

  function showHead() {
    const rounds = study().episodes.reduce((sum, e) => sum + e.rounds, 0);
    const episodes = study().episodes.length;
    fill('name', data.name);
    fill('description', data.description);
    const facts = [
      ['runs', whole(data.runs)],
      ['rounds', whole(rounds) + (episodes > 1 ? ` in ${episodes} episodes` : '')],
      ['experts', data.cases.length > 1 ? range(data.cases.map(c => c.n_experts)) : whole(study().n_experts)],
      ['seed', String(data.seed)],
      ['version', data.version],
    ];
    fill('facts', ...facts.map(([word, value]) => make('li', {}, make('span', {}, word), value)));
    const runs = data.cases.map(c => c.runs);
    const notices = [];
    if (data.stopped) notices.push(`Stopped after ${range(runs)} of ${plural(data.runs, 'run')}.`);
    if (data.shards > 1) notices.push(`Part ${data.shard + 1} of ${data.shards}: ${range(runs)} runs.`);
    if (Math.min(...runs) < 2) notices.push('Intervals need at least two runs.');
    at('notice').hidden = notices.length === 0;
    fill('notice', notices.join(' '));
  }

  function range(values) {
    const low = Math.min(...values);
    const high = Math.max(...values);
    return low === high ? whole(low) : `${whole(low)} to ${whole(high)}`;
  }

  /* ---- a sweep ---- */

  const metrics = {
    regret: [
      'regret',
      a => [
        a.regret.low === null ? a.regret.mean : a.regret.low,
        a.regret.mean,
        a.regret.high === null ? a.regret.mean : a.regret.high,
      ],
    ],
    time: ['time', a => [a.ns_per_round, a.ns_per_round, a.ns_per_round]],
  };

  function sweepPoints() {
    return data.cases.map(c => [c.value, ...c.agents.map(metrics[state.metric][1])]).sort((a, b) => a[0] - b[0]);
  }

  function showSweepLegend(index) {
    const points = sweepPoints();
    const decimals = state.metric === 'time' ? 0 : null;
    const show = x => (decimals === null ? short(x) : number(x, decimals) + ' ns');
    fill(
      'sweep-legend',
      ...study().agents.map((agent, a) =>
        legendEntry(agent, a, index < 0 ? '' : show(points[index][a + 1][1]), () => {
          toggle(a);
          drawSweep();
        }),
      ),
    );
    fill('sweep-axis', index < 0 ? data.sweep : `at ${data.sweep} = ${points[index][0]}`);
  }

  function drawSweep() {
    if (sweepPlot) sweepPlot.destroy();
    sweepPlot = plots.sweep(at('sweep-plot'), sweepPoints(), {
      log: state.sweepLog,
      hidden: state.hidden,
      onPoint: showSweepLegend,
      growth: state.metric === 'regret' && data.growth.length ? data.growth : [],
    });
    fill(
      'sweep-about',
      state.metric === 'time'
        ? 'Processor time per round, in nanoseconds.'
        : 'Mean regret at the end of the run; the bars are 95% intervals.' +
            (data.growth.length ? ' Dashed lines are the fits a + b ln N.' : ''),
    );
    at('sweep-plot').setAttribute(
      'aria-label',
      `The ${metrics[state.metric][0]} of every agent against ${data.sweep}. ` +
        'Use the arrow keys to move along the values.',
    );
    showSweepLegend(-1);
  }

  function showSweep() {
    if (data.sweep === null || data.cases.length < 2) return;
    const values = data.cases.map(c => c.value),
      low = Math.min(...values),
      high = Math.max(...values);
    state.sweepLog = low > 0 && high / low >= 16;
    at('sweep').hidden = false;
    fill('sweep-title', `Sweep over ${data.sweep}`);
    if (data.cases.every(c => c.agents.every(a => a.ns_per_round !== null)))
      choice(
        'sweep-metric',
        Object.entries(metrics).map(([key, m]) => [key, m[0]]),
        () => state.metric,
        value => {
          state.metric = value;
          drawSweep();
        },
      );
    if (low > 0)
      choice(
        'sweep-scale',
        [
          [false, 'linear'],
          [true, 'log'],
        ],
        () => state.sweepLog,
        value => {
          state.sweepLog = value;
          drawSweep();
        },
      );
    if (data.growth.length) fill('growth', tables.growth(data.growth, study().agents));
    drawSweep();
    at('case-bar').hidden = false;
    select(
      'case',
      data.cases.map(c => c.title),
      value => {
        state.study = value;
        state.episode = 0;
        showStudy();
      },
    );
  }

  /* ---- regret ---- */

  function legendEntry(agent, a, value, onclick) {
    return make(
      'button',
      {type: 'button', 'aria-pressed': String(!state.hidden.has(a)), title: 'Show or hide this agent', onclick},
      line(plots.color(a), plots.dash(a)),
      make('span', {class: 'label'}, agent.label),
      value === '' ? null : make('span', {class: 'value'}, value),
    );
  }

  function toggle(a) {
    if (!state.hidden.delete(a)) state.hidden.add(a);
    plots.setHidden(regretPlot, study(), state.hidden);
    at('legend').children[a].setAttribute('aria-pressed', String(!state.hidden.has(a)));
  }

  /* Values at a point of the curves, at the end where there is none. */
  function showPoint(index) {
    const c = study();
    const i = index < 0 ? c.t.length - 1 : index;
    c.agents.forEach((agent, a) => {
      const sd = agent.sd[i] === null ? '' : `, sd ${short(agent.sd[i])}`;
      at('legend').children[a].querySelector('.value').textContent =
        agent.mean[i] === null ? '' : short(agent.mean[i]) + sd;
    });
    fill('regret-axis', index < 0 ? 'round' : `at ${where(c, c.t[i])}`);
  }

  function where(c, t) {
    const many = c.episodes.length > 1;
    const e = c.episodes.filter(episode => episode.start < Math.max(t, 1)).length;
    return `round ${whole(t)}` + (many ? ` (episode ${e}, round ${whole(t - c.episodes[e - 1].start)})` : '');
  }

  function drawRegret() {
    const c = study();
    if (regretPlot) regretPlot.destroy();
    fill(
      'legend',
      ...c.agents.map((agent, a) =>
        legendEntry(agent, a, ' ', () => {
          toggle(a);
          if (sweepPlot) drawSweep();
        }),
      ),
    );
    regretPlot = plots.regret(at('regret-plot'), c, {log: state.log, hidden: state.hidden, onPoint: showPoint});
    at('regret-plot').setAttribute(
      'aria-label',
      'Mean regret of every agent against rounds. Use the arrow keys to move along the curves.',
    );
    showPoint(-1);
  }

  function showRegret() {
    const c = study();
    const spread = c.runs > 1 ? '; bands are one standard deviation' : '';
    fill(
      'regret-about',
      `Reward lost compared with always playing the best expert: mean over ${plural(c.runs, 'run')}${spread}.`,
    );
    drawRegret();
    fill('episodes', tables.episodes(c, data.contexts));
  }

  /* ---- shares of plays ---- */

  function showSharePoint(index) {
    const c = study(),
      agent = c.agents[state.agent],
      more = c.n_experts - c.shown.length;
    const value = share => make('span', {class: 'value'}, index < 0 ? '' : percent(share));
    const shares = agent.shares.map(share => share[Math.max(index, 0)]);
    const rest = 1 - shares.reduce((sum, share) => sum + share, 0);
    fill(
      'shares-legend',
      ...c.shown.map((name, k) =>
        make('span', {}, line(plots.expertColor(k), null), make('span', {class: 'label'}, name), value(shares[k])),
      ),
      ...(more > 0 ? [make('span', {}, line(plots.css('--rest'), null), `${plural(more, 'other')}`, value(rest))] : []),
    );
    fill('shares-axis', index < 0 ? 'round' : `up to ${where(c, c.t[index])}`);
  }

  function drawShares() {
    if (sharesPlot) sharesPlot.destroy();
    sharesPlot = null;
    showSharePoint(-1);
    if (study().runs === 0) return;
    sharesPlot = plots.shares(at('shares-plot'), study(), study().agents[state.agent], {
      log: state.log,
      onPoint: showSharePoint,
    });
    at('shares-plot').setAttribute(
      'aria-label',
      'Share of plays of every expert against rounds. Use the arrow keys to move along the rounds.',
    );
  }

  /* ---- divergences ---- */

  function showDivergence() {
    const c = study();
    const matrix = c.episodes[state.episode].divergence;
    fill('divergence-axis', '');
    fill('divergence', ...(matrix ? [tables.heat(matrix, c.experts, words => fill('divergence-axis', words))] : []));
    fill(
      'divergence-about',
      matrix
        ? 'About how many samples of the expert in the column replace one sample of the expert in the row. ' +
            '1: as good as its own. ∞: the expert in the row takes an action that the one in the column never takes.'
        : `Divergences are shown for at most 64 experts; here there are ${whole(c.n_experts)}.`,
    );
  }

  /* ---- how to reproduce it ---- */

  function showAgain() {
    let text = data.text;
    try {
      text = JSON.stringify(JSON.parse(text), null, 1).replace(
        /\[\n\s*([^[\]{}]*?)\n\s*\]/g,
        (_, inner) => `[${inner.replace(/\s*\n\s*/g, ' ')}]`,
      );
    } catch (e) {
      /* shown as it is */
    }
    fill(
      'again-about',
      data.stopped
        ? 'This command runs the whole experiment.'
        : `With roster ${data.version}, this command gives the same numbers on any number of cores.`,
    );
    fill('command', data.command);
    fill('text', text);
  }

  /* ---- all of it ---- */

  function showStudy() {
    const c = study();
    state.agent = Math.min(state.agent, c.agents.length - 1);
    select(
      'agent',
      c.agents.map(a => a.label),
      value => {
        state.agent = value;
        drawShares();
      },
    );
    at('agent').value = state.agent;
    select(
      'episode',
      c.episodes.map((_, e) => String(e + 1)),
      value => {
        state.episode = value;
        showDivergence();
      },
    );
    at('episode-tools').hidden = c.episodes.length < 2 || c.episodes[0].divergence === null;
    showRegret();
    fill('table', tables.final(c));
    fill(
      'table-about',
      (c.agents.length > 1 ? 'Differences are paired: in each run, all agents face the same simulated world. ' : '') +
        (c.runs > 1 ? '± is the 95% interval of the mean.' : ''),
    );
    fill('by-episode', ...(c.episodes.length > 1 ? [tables.byEpisode(c)] : []));
    drawShares();
    showDivergence();
    fill('settings', tables.settings(c.agents));
  }

  showHead();
  choice(
    'scale',
    [
      [false, 'linear'],
      [true, 'log'],
    ],
    () => state.log,
    value => {
      state.log = value;
      drawRegret();
      drawShares();
    },
  );
  showAgain();
  showSweep();
  showStudy();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (sweepPlot) drawSweep();
    showStudy();
  });
})();
