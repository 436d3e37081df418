/*
 * report_tables.js: the tables of the report, each made from the data of a case.
 */
'use strict';

const tables = (() => {
  const {make, whole, decimalsFor, number, short, percent, half, swatch, table} = dom;

  const decimalsOf = c => decimalsFor(Math.max(...c.agents.map(a => Math.abs(a.regret.mean))));
  const name = (agent, a) => make('th', {scope: 'row', title: agent.label}, swatch(plots.color(a)), agent.label);

  /* A mean and what it may be off by. */
  function mean(summary, decimals) {
    const interval = half(summary) === null ? null : make('small', {}, ` ± ${number(half(summary), decimals)}`);
    return make('td', {}, number(summary.mean, decimals), interval);
  }

  function final(c) {
    const decimals = decimalsOf(c);
    const columns = [
      ['Agent', name],
      ['Regret', agent => mean(agent.regret, decimals)],
      ['Std. dev.', agent => number(agent.regret.sd, decimals)],
      ['Difference to the first', (agent, a) => (a === 0 ? '' : mean(agent.difference, decimals))],
      ['Rounds with the best expert', agent => percent(agent.best_share)],
      ['ns per round', agent => number(agent.ns_per_round, 0)],
    ];
    if (c.agents.every(agent => agent.ns_per_round === null)) columns.pop();
    if (c.agents.length === 1) columns.splice(3, 1);
    return table(
      columns.map(column => column[0]),
      c.agents.map((agent, a) => columns.map(column => column[1](agent, a))),
    );
  }

  function byEpisode(c) {
    const decimals = decimalsOf(c);
    return table(
      ['Agent', ...c.episodes.map((_, e) => `Episode ${e + 1}`)],
      c.agents.map((agent, a) => [name(agent, a), ...agent.episodes.map(e => number(e.mean, decimals))]),
      'Mean regret in each episode',
    );
  }

  /* What the episodes are; the probabilities of the contexts where they are few. */
  function episodes(c, contexts) {
    const few = contexts.length <= 12;
    const length = e => (e.min_rounds > 0 ? `${whole(e.min_rounds)} to ${whole(e.rounds)}` : whole(e.rounds));
    const facts = e => [length(e), e.best, e.value.toFixed(4), String(+e.gap.toPrecision(3))];
    return table(
      ['Episode', 'Rounds', 'Best expert', 'Its mean reward', 'Smallest gap',
       ...(few ? contexts.map(x => `P(${x})`) : [])],
      c.episodes.map((e, i) => [String(i + 1), ...facts(e), ...(few ? e.contexts.map(p => p.toFixed(3)) : [])]),
    );
  }

  function growth(fits, agents) {
    const slope = f => `${f.slope < 0 ? '−' : '+'} ${+Math.abs(f.slope).toPrecision(4)}`;
    const formula = (f, word) => `${short(f.intercept)} ${slope(f)} ${word}`;
    const r2 = (mine, other) => make('td', {class: mine.r2 > other.r2 ? 'better' : null}, mine.r2.toFixed(4));
    return table(
      ['Agent', 'a + b ln N', 'R²', 'a + b N', 'R²'],
      fits.map(({logarithmic, linear}, a) => [
        agents[a].label,
        formula(logarithmic, 'ln N'),
        r2(logarithmic, linear),
        formula(linear, 'N'),
        r2(linear, logarithmic),
      ]),
      'Least-squares fits of the mean regret to the number of experts N. The better fit is in bold.',
    );
  }

  function settings(agents) {
    const words = text => make('td', {class: 'words'}, text);
    const all = agent => Object.entries(agent.settings).map(([key, v]) => `${key} ${v === null ? '–' : v}`);
    return table(
      ['Label', 'Agent', 'Settings'],
      agents.map(agent => [agent.label, words(agent.agent), words(all(agent).join(', '))]),
    );
  }

  function heatCell(m, words, share, small, onWords) {
    const text = small ? '' : m === null ? '∞' : m >= 1000 ? m.toExponential(1) : m.toFixed(2);
    const say = () => onWords(words);
    const cell = make('td', {title: words, class: m === null ? 'never' : null, onmouseenter: say, onclick: say}, text);
    if (m !== null) {
      const {background, ink} = plots.heat(share);
      cell.style.background = background;
      cell.style.color = ink;
    }
    return cell;
  }

  /* Divergences as shades from 1 to the largest that is finite; numbers where there is room for them. */
  function heat(matrix, experts, onWords) {
    const top = Math.max(...matrix.flat().filter(m => m !== null));
    const small = matrix.length > 12;
    const share = m => (top > 1 ? (m - 1) / (top - 1) : 0);
    const value = m => (m === null ? 'infinite' : String(+m.toPrecision(4)));
    const words = (m, i, k) => `Divergence of ${experts[i]} from samples of ${experts[k]}: ${value(m)}`;
    const head = (scope, expert) => make('th', {scope, title: expert}, expert);
    const rows = matrix.map((row, i) => {
      const cells = row.map((m, k) => heatCell(m, words(m, i, k), share(m), small, onWords));
      return make('tr', {}, head('row', experts[i]), ...cells);
    });
    const heads = make('tr', {}, make('td', {class: 'corner'}), ...experts.map(expert => head('col', expert)));
    const kind = small ? 'heat small' : 'heat';
    return make('table', {class: kind}, make('thead', {}, heads), make('tbody', {}, ...rows));
  }

  return {final, byEpisode, episodes, growth, settings, heat};
})();
