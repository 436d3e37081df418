/*
 * dashboard_plots.js: the moving plots, over dygraphs. Series are named s0, s1, ...: names of experts are a stranger's
 * words and stay out of it.
 */
'use strict';

const plots = (() => {
  const SPAN = 20000; /* milliseconds that a plot shows at least */
  const WIDE = 0.15; /* half of an interval that says little */
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const color = k => css('--c' + (k % 8));
  const graphs = new Map(); /* by element */

  /* The legend of dygraphs measures its letters with a style that the page's policy does not allow; we have our own. */
  Dygraph.PLUGINS = Dygraph.PLUGINS.filter(plugin => plugin !== Dygraph.Plugins.Legend);

  const two = n => String(n).padStart(2, '0');
  const clock = t => {
    const d = new Date(t);
    return `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
  };
  const compact = x =>
    Math.abs(x) >= 1e6 ? +(x / 1e6).toPrecision(3) + 'M'
    : Math.abs(x) >= 1e4 ? +(x / 1e3).toPrecision(3) + 'k'
    : String(+x.toPrecision(3));

  function base(extra) {
    return Object.assign(
      {
        gridLineColor: css('--grid'),
        axisLineColor: css('--line'),
        strokeWidth: 2,
        interactionModel: {},
        highlightCircleSize: 0,
        xRangePad: 0,
        axes: {
          x: {axisLabelFormatter: clock, drawGrid: false, pixelsPerLabel: 90},
          y: {axisLabelWidth: 40, pixelsPerLabel: 40, axisLabelFormatter: compact},
        },
      },
      extra,
    );
  }

  /* From the first poll on; the last minutes once there are more than are kept. */
  function span(points) {
    const first = points[0].at;
    return [first, Math.max(points[points.length - 1].at, first + SPAN)];
  }

  /* One more series than there is to draw changes the labels, and dygraphs wants a new graph then. */
  function draw(id, kind, labels, file, options) {
    const element = document.getElementById(id);
    const known = graphs.get(id);
    const key = kind + labels.join() + css('--grid');
    if (known && known.key === key) {
      known.graph.updateOptions(Object.assign({file}, options));
      return;
    }
    if (known) known.graph.destroy();
    const graph = new Dygraph(element, file, Object.assign({labels}, options));
    graphs.set(id, {key, graph});
  }

  const NOTHING = [null, null, null];
  const half = ([low, , high]) => (high - low) / 2;

  /* Of what is known well enough, or else of all; out to the next twentieth, so that it does not tremble. Intervals
     that are wide are cut off rather than flatten the rest. */
  function range(points, shown) {
    const all = points.flatMap(p => shown.map(k => p.values[k] || NOTHING)).filter(([, value]) => value !== null);
    const sure = all.filter(interval => half(interval) <= WIDE);
    const seen = sure.length > 0 ? sure : all.map(([, value]) => [value - WIDE, value, value + WIDE]);
    if (seen.length === 0) return [0, 1];
    const low = seen.reduce((least, interval) => Math.min(least, interval[0]), 1);
    const high = seen.reduce((most, interval) => Math.max(most, interval[2]), 0);
    return [Math.max(0, Math.floor(low * 20 - 0.2) / 20), Math.min(1.02, Math.ceil(high * 20 + 0.2) / 20)];
  }

  const band = interval => interval.map(x => (x === null ? NaN : x));

  function mark(context, area, x, words, line) {
    context.beginPath();
    context.moveTo(x, area.y);
    context.lineTo(x, area.y + area.h);
    context.stroke();
    context.fillText(words, x + 5, area.y + line);
  }

  /* A line where an episode begins, and one where an alarm was raised. */
  function marks(points) {
    return (context, area, graph) => {
      const at = time => Math.round(graph.toDomXCoord(time)) + 0.5;
      context.save();
      context.strokeStyle = context.fillStyle = css('--muted');
      context.font = '12px system-ui, sans-serif';
      context.setLineDash([4, 4]);
      for (let i = 1; i < points.length; i++)
        if (points[i].episode !== points[i - 1].episode)
          mark(context, area, at(points[i].at), `episode ${points[i].episode + 1}`, 12);
      context.strokeStyle = context.fillStyle = css('--bad');
      context.setLineDash([]);
      let free = -Infinity; /* from where on there is room for words */
      for (const alarm of points[points.length - 1].alarms) {
        const x = at(Date.parse(alarm.at));
        if (x < area.x) continue;
        mark(context, area, x, x < free ? '' : `${alarm.what} changed`, 28);
        free = Math.max(free, x + 105);
      }
      context.restore();
    };
  }

  const labels = shown => ['t', ...shown.map(k => 's' + k)];

  /* No line leads from one episode to the next. */
  function valueRows(points, shown) {
    const nothing = shown.map(() => [NaN, NaN, NaN]);
    const row = p => [new Date(p.at), ...shown.map(k => band(p.values[k] || NOTHING))];
    return points.flatMap((p, i) =>
      i > 0 && points[i - 1].episode !== p.episode ? [[new Date(p.at - 1), ...nothing], row(p)] : [row(p)]);
  }

  function values(points, shown) {
    const rows = valueRows(points, shown);
    draw('values-plot', 'values', labels(shown), rows, base({
      customBars: true,
      fillAlpha: 0.11,
      colors: shown.map(color),
      dateWindow: span(points),
      valueRange: range(points, shown),
      underlayCallback: marks(points),
    }));
  }

  function traffic(points, shown) {
    const rows = points.map(p => [new Date(p.at), ...shown.map(k => (p.shares ? 100 * p.shares[k] : NaN))]);
    const options = base({
      stackedGraph: true,
      stackedGraphNaNFill: 'none',
      fillAlpha: 0.8,
      strokeWidth: 0,
      colors: shown.map(color),
      dateWindow: span(points),
      valueRange: [0, 100.5],
    });
    options.axes.y.axisLabelFormatter = x => x + '%';
    draw('traffic-plot', 'traffic', labels(shown), rows, options);
  }

  function rates(points) {
    const rows = points.map(p => [new Date(p.at), p.decisions === null ? NaN : p.decisions,
        p.rewards === null ? NaN : p.rewards]);
    const most = Math.max(1, ...rows.flatMap(r => r.slice(1)).filter(Number.isFinite));
    const unit = 10 ** Math.floor(Math.log10(most));
    draw('rates-plot', 'rates', ['t', 'decisions', 'rewards'], rows, base({
      colors: [css('--decisions'), css('--rewards')],
      dateWindow: span(points),
      valueRange: [0, (Math.ceil((2 * most * 1.05) / unit) / 2) * unit],
    }));
  }

  function all(points, shown) {
    values(points, shown);
    traffic(points, shown);
    rates(points);
  }

  return {all, color, clock, range};
})();
