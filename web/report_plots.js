/*
 * report_plots.js: the plots of the report, over dygraphs. Each function draws into an element and returns the
 * dygraph. Series are named s0, s1, ...: names of experts and agents are not to be trusted and stay out of it.
 */
'use strict';

const plots = (() => {
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const color = i => css('--c' + (i % 8)); /* of agents */
  const expertColor = i => css('--e' + (i % 8));
  /* From the ninth on colours come again, dashed. */
  const dash = i => (i < 8 ? null : i < 16 ? [7, 4] : [2, 3]);

  function compact(x) {
    const size = Math.abs(x);
    const [unit, mark] = size >= 1e9 ? [1e9, 'G'] : size >= 1e6 ? [1e6, 'M'] : size >= 1e4 ? [1e3, 'k'] : [1, ''];
    return String(+(x / unit).toPrecision(4)) + mark;
  }

  /* 1, 10, 100, ... and, where that is few, 2 and 5 of each. */
  function logTicks(low, high) {
    const steps = Math.log10(high / low) < 3.2 ? [1, 2, 5] : [1];
    const ticks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
      for (const step of steps) {
        const v = step * 10 ** power;
        if (v >= low * 0.999 && v <= high * 1.001) ticks.push({v, label: compact(v)});
      }
    }
    return ticks;
  }

  /* A finger scrolls the page; zooming is for the mouse. */
  function interaction() {
    const model = Object.assign({}, Dygraph.defaultInteractionModel);
    for (const name of ['touchstart', 'touchmove', 'touchend']) delete model[name];
    return model;
  }

  function base(log) {
    const x = {axisLabelFormatter: compact, drawGrid: false, pixelsPerLabel: 60};
    if (log) Object.assign(x, {logscale: true, ticker: logTicks});
    return {
      legend: 'never',
      gridLineColor: css('--grid'),
      axisLineColor: css('--line'),
      strokeWidth: 2,
      highlightCircleSize: 3.5,
      interactionModel: interaction(),
      xRangePad: 0,
      axes: {x, y: {axisLabelFormatter: compact, axisLabelWidth: 44, pixelsPerLabel: 44}},
    };
  }

  const names = n => ['t', ...Array.from({length: n}, (_, i) => 's' + i)];

  /* Left and right arrows walk along the points, as the mouse does. */
  function walkable(element, plot) {
    element.onkeydown = event => {
      const step = {ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9}[event.key];
      if (!step) return;
      const last = plot.numRows() - 1;
      const from = plot.getSelection() < 0 ? last : plot.getSelection();
      plot.setSelection(Math.max(0, Math.min(last, from + step * (event.shiftKey ? 10 : 1))));
      plot.getFunctionOption('highlightCallback').call(plot, null, plot.getValue(plot.getSelection(), 0));
      event.preventDefault();
    };
    element.onblur = () => {
      plot.clearSelection();
      plot.getFunctionOption('unhighlightCallback').call(plot);
    };
    return plot;
  }

  /* dygraphs' own toDomXCoord does not know of logarithms. */
  function pixel(plot, area, x) {
    return area.x + area.w * plot.toPercentXCoord(x);
  }

  function textAt(context, text, x, y, room) {
    const fits = text.find(candidate => context.measureText(candidate).width <= room);
    if (fits) context.fillText(fits, x, y);
  }

  function drawBoundary(context, area, x) {
    context.strokeStyle = css('--rest');
    context.setLineDash([4, 4]);
    context.beginPath();
    context.moveTo(x, area.y);
    context.lineTo(x, area.y + area.h);
    context.stroke();
  }

  /* Where episodes begin, and what is best in each; as much of it as fits. */
  function drawEpisodes(context, area, plot, episodes) {
    const [low, high] = plot.xAxisRange();
    context.save();
    context.font = '12px ' + getComputedStyle(document.body).fontFamily;
    context.textBaseline = 'top';
    episodes.forEach((episode, i) => {
      const start = Math.max(episode.start, low),
        end = Math.min(episode.start + episode.rounds, high);
      if (start >= end) return;
      const left = pixel(plot, area, start),
        room = pixel(plot, area, end) - left - 12;
      if (i > 0 && episode.start >= low) drawBoundary(context, area, left);
      context.fillStyle = css('--muted');
      const gap = 'gap ' + compact(+episode.gap.toPrecision(3));
      const many = episodes.length > 1;
      if (many) textAt(context, [`episode ${i + 1}`, `${i + 1}`], left + 6, area.y + 2, room);
      textAt(
        context,
        [`best: ${episode.best}, smallest ${gap}`, `${episode.best}, ${gap}`, gap],
        left + 6,
        area.y + (many ? 18 : 2),
        room,
      );
    });
    context.restore();
  }

  /* Half a tenth above the highest band, so that the episodes' words have room. */
  function ceiling(agents, hidden) {
    let top = 0;
    agents.forEach((agent, a) => {
      if (!hidden.has(a))
        agent.mean.forEach((mean, i) => {
          top = Math.max(top, mean + (agent.sd[i] || 0));
        });
    });
    return top > 0 ? top * 1.14 : 1;
  }

  /* Rows [t, ...] of those points that the axis can show. */
  function rows(study, log, value) {
    return study.t.map((t, i) => [t, ...value(i)]).filter(row => row[0] > 0 || !log);
  }

  function regret(element, study, {log, hidden, onPoint}) {
    const series = {};
    study.agents.forEach((_, a) => {
      series['s' + a] = {strokePattern: dash(a)};
    });
    const plot = new Dygraph(
      element,
      rows(study, log, i => study.agents.map(a => [a.mean[i], a.sd[i] || 0])),
      {
        ...base(log),
        labels: names(study.agents.length),
        colors: study.agents.map((_, a) => color(a)),
        series,
        errorBars: true,
        sigma: 1,
        fillAlpha: 0.14,
        valueRange: [0, ceiling(study.agents, hidden)],
        visibility: study.agents.map((_, a) => !hidden.has(a)),
        underlayCallback: (context, area, g) => drawEpisodes(context, area, g, study.episodes),
        highlightCallback: (event, t) => onPoint(study.t.indexOf(t)),
        unhighlightCallback: () => onPoint(-1),
      },
    );
    return walkable(element, plot);
  }

  function setHidden(plot, study, hidden) {
    study.agents.forEach((_, a) => plot.setVisibility(a, !hidden.has(a)));
    plot.updateOptions({valueRange: [0, ceiling(study.agents, hidden)]});
  }

  /* Layers from the first expert on top to the rest at the bottom. */
  function shares(element, study, agent, {log, onPoint}) {
    const layers = agent.shares.slice();
    const more = study.n_experts > layers.length;
    if (more) layers.push(study.t.map((_, i) => 1 - agent.shares.reduce((sum, share) => sum + (share[i] || 0), 0)));
    const data = rows(study, log, i => layers.map(layer => (agent.shares[0][i] === null ? null : layer[i])));
    const plot = new Dygraph(
      element,
      data.filter(row => row[1] !== null),
      {
        ...base(log),
        labels: names(layers.length),
        stackedGraph: true,
        fillAlpha: 0.8,
        strokeWidth: 0.6,
        colors: layers.map((_, k) => (k < agent.shares.length ? expertColor(k) : css('--rest'))),
        valueRange: [0, 1.0001],
        highlightCircleSize: 0,
        highlightCallback: (event, t) => onPoint(study.t.indexOf(t)),
        unhighlightCallback: () => onPoint(-1),
      },
    );
    plot.updateOptions({axes: {y: {axisLabelFormatter: y => Math.round(100 * y) + '%', axisLabelWidth: 44}}});
    return walkable(element, plot);
  }

  /* Means with whiskers, joined by a line. */
  function drawWhiskers(e) {
    const context = e.drawingContext;
    context.strokeStyle = context.fillStyle = e.color;
    context.lineWidth = 1.5;
    context.beginPath();
    e.points.forEach(p => context.lineTo(p.canvasx, p.canvasy));
    context.stroke();
    for (const p of e.points) {
      const low = e.dygraph.toDomYCoord(p.yval_minus),
        high = e.dygraph.toDomYCoord(p.yval_plus);
      context.beginPath();
      for (const y of [low, high]) {
        context.moveTo(p.canvasx - 4, y);
        context.lineTo(p.canvasx + 4, y);
      }
      context.moveTo(p.canvasx, low);
      context.lineTo(p.canvasx, high);
      context.stroke();
      context.beginPath();
      context.arc(p.canvasx, p.canvasy, 3.5, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /* What a + b ln N would be. */
  function drawGrowth(context, area, plot, growth, hidden) {
    const [low, high] = plot.xAxisExtremes();
    context.save();
    context.setLineDash([3, 5]);
    growth.forEach(({logarithmic}, a) => {
      if (hidden.has(a)) return;
      context.strokeStyle = color(a);
      context.beginPath();
      for (let i = 0; i <= 80; i++) {
        const x = low * (high / low) ** (i / 80);
        context.lineTo(pixel(plot, area, x), plot.toDomYCoord(logarithmic.intercept + logarithmic.slope * Math.log(x)));
      }
      context.stroke();
    });
    context.restore();
  }

  /* points: [[x, [low, middle, high] of each agent], ...] by x. */
  function sweep(element, points, {log, hidden, growth, onPoint}) {
    const n = points[0].length - 1;
    const shown = points.flatMap(row => row.slice(1).filter((bar, a) => !hidden.has(a) && bar[2] !== null));
    const first = points[0][0],
      last = points[points.length - 1][0],
      pad = (last - first) * 0.03;
    const plot = new Dygraph(element, points, {
      ...base(log),
      labels: names(n),
      colors: Array.from({length: n}, (_, a) => color(a)),
      customBars: true,
      plotter: drawWhiskers,
      valueRange: [Math.min(0, ...shown.map(bar => bar[0])), 1.06 * Math.max(1e-9, ...shown.map(bar => bar[2]))],
      dateWindow: log ? [first / 1.12, last * 1.12] : [first - pad, last + pad],
      visibility: Array.from({length: n}, (_, a) => !hidden.has(a)),
      underlayCallback: (context, area, g) => drawGrowth(context, area, g, first > 0 ? growth : [], hidden),
      highlightCallback: (event, x) => onPoint(points.findIndex(row => row[0] === x)),
      unhighlightCallback: () => onPoint(-1),
    });
    return walkable(element, plot);
  }

  /* A colour between the ends of the heat map's scale, and whether words on it must be light. */
  function heat(share) {
    const channels = name =>
      css(name)
        .match(/[0-9a-f]{2}/gi)
        .map(c => parseInt(c, 16));
    const low = channels('--heat-low'),
      high = channels('--heat-high');
    const mixed = low.map((c, i) => Math.round(c + share * (high[i] - c)));
    const light = 0.3 * mixed[0] + 0.59 * mixed[1] + 0.11 * mixed[2];
    return {background: `rgb(${mixed.join(',')})`, ink: light > 140 ? '#111a20' : '#f4f7f9'};
  }

  return {regret, setHidden, shares, sweep, heat, color, expertColor, dash, compact, css};
})();
