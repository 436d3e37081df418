/*
 * report_dom.js: elements, tables, choices and numbers in words, for the report. Children that are strings become text,
 * never markup.
 */
'use strict';

const dom = (() => {
  const at = id => document.getElementById(id);

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith('on')) element[name] = value;
      else if (value !== null) element.setAttribute(name, value);
    }
    element.append(...children.filter(child => child !== null));
    return element;
  }

  const fill = (id, ...children) => at(id).replaceChildren(...children);
  const whole = x => Number(x).toLocaleString('en-US');
  const plural = (n, word) => `${whole(n)} ${word}${Number(n) === 1 ? '' : 's'}`;

  /* The decimals that suit a number of this size, the same all over a table. */
  const decimalsFor = size => (size < 10 ? 3 : size < 1000 ? 2 : size < 1e5 ? 1 : 0);
  function number(x, decimals) {
    if (x === null) return '–';
    return x
      .toLocaleString('en-US', {minimumFractionDigits: decimals, maximumFractionDigits: decimals})
      .replace('-', '−');
  }
  const short = x => number(x, decimalsFor(Math.abs(x || 0)));
  const percent = x => (x === null ? '–' : (100 * x).toFixed(1) + '%');
  const half = s => (s.high === null ? null : (s.high - s.low) / 2);

  function line(color, dash) {
    const space = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(space, 'svg');
    const stroke = document.createElementNS(space, 'line');
    for (const [name, value] of [
      ['width', 20],
      ['height', 10],
      ['aria-hidden', 'true'],
    ])
      svg.setAttribute(name, value);
    for (const [name, value] of [
      ['x1', 1],
      ['x2', 19],
      ['y1', 5],
      ['y2', 5],
      ['stroke', color],
      ['stroke-width', 3.5],
      ['stroke-linecap', dash ? 'butt' : 'round'],
    ])
      stroke.setAttribute(name, value);
    if (dash) stroke.setAttribute('stroke-dasharray', dash.join(' '));
    svg.append(stroke);
    return svg;
  }

  const swatch = color => {
    const box = make('span', {class: 'swatch', 'aria-hidden': 'true'});
    box.style.backgroundColor = color;
    return box;
  };

  /* A row of buttons of which one is pressed. */
  function choice(id, options, chosen, onChoose) {
    fill(
      id,
      ...options.map(([value, text]) =>
        make(
          'button',
          {
            type: 'button',
            'aria-pressed': String(value === chosen()),
            onclick: () => {
              onChoose(value);
              [...at(id).children].forEach((b, i) =>
                b.setAttribute('aria-pressed', String(options[i][0] === chosen())),
              );
            },
          },
          text,
        ),
      ),
    );
  }

  function select(id, options, onChange) {
    fill(id, ...options.map((text, i) => make('option', {value: i}, text)));
    at(id).onchange = event => onChange(Number(event.target.value));
  }

  function table(heads, lines, caption) {
    return make(
      'table',
      {},
      caption ? make('caption', {}, caption) : null,
      make('thead', {}, make('tr', {}, ...heads.map(head => make('th', {scope: 'col'}, head)))),
      make(
        'tbody',
        {},
        ...lines.map(cells =>
          make(
            'tr',
            {},
            ...cells.map((cell, i) =>
              cell instanceof Element && /^T[DH]$/.test(cell.tagName)
                ? cell
                : i === 0
                  ? make('th', {scope: 'row'}, cell)
                  : make('td', {}, cell),
            ),
          ),
        ),
      ),
    );
  }

  return {
    at,
    make,
    fill,
    whole,
    plural,
    decimalsFor,
    number,
    short,
    percent,
    half,
    line,
    swatch,
    choice,
    select,
    table,
  };
})();
