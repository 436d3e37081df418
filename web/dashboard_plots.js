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

  /* Of what is known well enough, or else of all; out to the next twentieth, so that it does not tremble. Bands that
     are wide are cut off rather than flatten the rest. */
  function range(points, shown) {
    const all = points.flatMap(p => shown.map(k => p.estimates[k] || [null, null])).filter(([mid]) => mid !== null);
    const sure = all.filter(([, half]) => half !== null && half <= WIDE);
    const seen = sure.length > 0 ? sure : all.map(([mid]) => [mid, WIDE]);
    if (seen.length === 0) return [0, 1];
    const low = seen.reduce((least, [mid, half]) => Math.min(least, mid - half), 1);
    const high = seen.reduce((most, [mid, half]) => Math.max(most, mid + half), 0);
    return [Math.max(0, Math.floor(low * 20 - 0.2) / 20), Math.min(1.02, Math.ceil(high * 20 + 0.2) / 20)];
  }

  function band([mid, half]) {
    if (mid === null) return [NaN, NaN, NaN];
    return half === null ? [0, mid, 1] : [Math.max(0, mid - half), mid, Math.min(1, mid + half)];
  }

  /* A line where an episode begins. */
  function episodes(points) {
    return (context, area, graph) => {
      context.save();
      context.strokeStyle = context.fillStyle = css('--muted');
      context.font = '12px system-ui, sans-serif';
      context.setLineDash([4, 4]);
      for (let i = 1; i < points.length; i++) {
        if (points[i].episode === points[i - 1].episode) continue;
        const x = Math.round(graph.toDomXCoord(points[i].at)) + 0.5;
        context.beginPath();
        context.moveTo(x, area.y);
        context.lineTo(x, area.y + area.h);
        context.stroke();
        context.fillText(`episode ${points[i].episode + 1}`, x + 5, area.y + 12);
      }
      context.restore();
    };
  }

  const labels = shown => ['t', ...shown.map(k => 's' + k)];

  /* No line leads from one episode to the next. */
  function estimateRows(points, shown) {
    const nothing = shown.map(() => [NaN, NaN, NaN]);
    const row = p => [new Date(p.at), ...shown.map(k => band(p.estimates[k] || [null, null]))];
    return points.flatMap((p, i) =>
      i > 0 && points[i - 1].episode !== p.episode ? [[new Date(p.at - 1), ...nothing], row(p)] : [row(p)]);
  }

  function estimates(points, shown) {
    const rows = estimateRows(points, shown);
    draw('estimates-plot', 'estimates', labels(shown), rows, base({
      customBars: true,
      fillAlpha: 0.11,
      colors: shown.map(color),
      dateWindow: span(points),
      valueRange: range(points, shown),
      underlayCallback: episodes(points),
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
    estimates(points, shown);
    traffic(points, shown);
    rates(points);
  }

  return {all, color, clock};
})();
