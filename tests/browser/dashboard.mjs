// dashboard.mjs ROSTER EXPERIMENTS SCREENSHOTS: the page of `roster serve` in headless Chromium, with real traffic from
// `roster drive`; prints TAP. BROWSER: the program. MODULES: where playwright-core is.
import {spawn} from 'node:child_process';
import {createRequire} from 'node:module';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';

const [roster, experiments, screenshots] = process.argv.slice(2).map(name => path.resolve(name));
const {chromium} = createRequire(path.join(process.env.MODULES, 'any.js'))('playwright-core');
const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'];
const folder = mkdtempSync(path.join(tmpdir(), 'roster-dashboard-'));
const children = [];
let cases = 0,
  failures = 0;

function check(text, holds, detail = '') {
  cases++;
  if (!holds) failures++;
  console.log(`${holds ? 'ok' : 'not ok'} - ${text}`);
  if (!holds && detail !== '') console.log(String(detail).replace(/^/gm, '#   '));
}

function start(...words) {
  const child = spawn(roster, words, {stdio: ['ignore', 'pipe', 'inherit']});
  children.push(child);
  return child;
}

/* The address that a server says it listens on. */
function serve(name, ...options) {
  const child = start('serve', '--data', path.join(folder, name), '--listen', '127.0.0.1:0',
      '--log', 'errors', ...options);
  return new Promise((resolve, reject) => {
    child.stdout.on('data', data => {
      const found = /http:\/\/\S+:\d+\//.exec(data);
      if (found) resolve(found[0].slice(0, -1));
    });
    child.on('exit', code => reject(new Error(`roster serve ended with ${code}`)));
  });
}

const drive = (server, ...options) =>
  start('drive', path.join(experiments, 'cifar10.json'), '--server', server,
    '--connections', '4', '--events', '1000000', ...options);

mkdirSync(screenshots, {recursive: true});
const browser = await chromium.launch({executablePath: process.env.BROWSER, args: flags});

/* A page of its own, with what it complained about and whom it asked. */
async function open(address, options = {}, ignored = /^$/) {
  const context = await browser.newContext({viewport: {width: 1280, height: 1000}, colorScheme: 'light', ...options});
  const page = await context.newPage();
  const said = [],
    foreign = [];
  page.on('console', message => {
    if (message.type() !== 'log' && !ignored.test(message.text())) said.push(message.text());
  });
  page.on('pageerror', error => said.push(error.stack));
  page.on('request', request => {
    if (!request.url().startsWith(new URL(address).origin) && !request.url().startsWith('data:'))
      foreign.push(request.url());
  });
  await page.goto(address);
  const quiet = async name => {
    check(`${name}: nothing on the console`, said.length === 0, said.join('\n'));
    check(`${name}: nothing asked of anybody else`, foreign.length === 0, foreign.join('\n'));
    await context.close();
  };
  return {page, quiet};
}

const text = (page, id) => page.locator(id).textContent();
const number = async (page, id) => Number((await text(page, id)).replace(/,/g, ''));
const shoot = (page, name) => page.screenshot({path: path.join(screenshots, `${name}.png`), fullPage: true});
const get = async (server, name) => (await fetch(`${server}/v1/campaigns/${name}`)).json();

async function holds(condition, seconds = 15) {
  for (const end = Date.now() + 1000 * seconds; Date.now() < end; ) {
    if (await condition()) return true;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  return false;
}

async function answer(page, yes = true) {
  await page.waitForSelector('#ask[open]');
  await page.click(yes ? '#ask-yes' : '#ask-no');
  return holds(async () => !(await page.locator('#ask').evaluate(dialog => dialog.open)), 5);
}

async function useEmpty(server) {
  const {page, quiet} = await open(server);
  await page.waitForSelector('#empty h1');
  check('an empty server says how to begin',
    (await text(page, '#empty-drive')).includes(`roster drive experiments/cifar10.json --server ${server}`));
  await shoot(page, 'dashboard-empty');
  drive(server, '--rate', '300', '--delay', '0-1', '--loss', '0.05', '--duplicates', '0.02');
  check('the first campaign appears by itself', await holds(async () => page.locator('#shell').isVisible()));
  await quiet('empty');
}

async function seeMoving(server) {
  const {page, quiet} = await open(server);
  await page.waitForSelector('#values-plot canvas');
  check('the name is that of the campaign', (await text(page, '#name')) === 'cifar10');
  const before = {decisions: await number(page, '#t-decisions'),
      plot: await page.locator('#values-plot').screenshot()};
  check('decisions go up', await holds(async () => (await number(page, '#t-decisions')) > before.decisions + 100));
  check('rates are shown', await holds(async () => /\d+ per second/.test(await text(page, '#t-rewards-rate'))));
  check('the plot moves', !before.plot.equals(await page.locator('#values-plot').screenshot()));
  check('every expert has its row', (await page.locator('#experts tbody tr').count()) === 5);
  check('values have intervals', await holds(async () =>
    /^0\.\d{3} to [01]\.\d{3}$/.test(await text(page, '#experts tbody tr:nth-child(2) td:nth-child(3)'))));
  check('every expert is a dot with its interval', (await page.locator('#dots .mark:visible').count()) === 5);
  check('the interval is said to hold at any time',
    (await text(page, '#values-about')).includes('with its 95% interval, valid at any time'));
  check('the agent that auto chose is shown', (await text(page, '#facts')).startsWith('agent auto: direct · 5 experts'),
    await text(page, '#facts'));
  check('whether the reward depends on who acts is said',
    /does not depend on who acts/.test(await text(page, '#model')), await text(page, '#model'));
  check('events are listed', await holds(async () => (await page.locator('#events tbody tr').count()) === 12));
  const leads = / leads by about [\d.]+; .* may still be better\. (It takes about [\d,]+ to |It is too early to say)/;
  const verdict = await text(page, '#verdict');
  check('a leader is named', leads.test(verdict) || verdict.includes('is the best expert with 95% probability'),
    verdict);
  check('the store is shown', /\d records · .*B · fsync/.test(await text(page, '#store-short')),
    await text(page, '#store-short'));
  const shift = await page.evaluate(
    () =>
      new Promise(resolve => {
        let sum = 0;
        new PerformanceObserver(list => list.getEntries().forEach(entry => (sum += entry.value)))
          .observe({type: 'layout-shift'});
        setTimeout(() => resolve(sum), 4000);
      }),
  );
  check('nothing jumps', shift < 0.01, shift);
  await shoot(page, 'dashboard-light');
  await quiet('moving');
}

async function useButtons(server) {
  const {page, quiet} = await open(server);
  await page.waitForSelector('#values-plot canvas');
  await page.click('#do-pause');
  check('cancelled, nothing is changed',
    (await answer(page, false)) && (await get(server, 'cifar10')).controls.learning);
  await page.click('#do-pause');
  await page.waitForSelector('#ask[open]');
  await shoot(page, 'dashboard-question');
  await answer(page);
  check('learning is paused', !(await get(server, 'cifar10')).controls.learning);
  check('and said to be', await holds(async () => (await text(page, '#name')).includes('learning is paused')));
  await page.click('#do-pause');
  await answer(page);
  check('learning goes on', (await get(server, 'cifar10')).controls.learning);
  await page.click('#experts tbody tr:nth-child(3) button');
  await answer(page);
  check('an expert is pinned', (await get(server, 'cifar10')).controls.pin === 'without deer');
  check('and said to be',
    await holds(async () => (await text(page, '#experts tbody tr:nth-child(3) .badge')) === 'pinned'));
  await page.click('#do-unpin');
  await answer(page);
  check('it is unpinned', (await get(server, 'cifar10')).controls.pin === null);
  await page.focus('#do-episode');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#ask[open]');
  await page.keyboard.press('Enter');
  check('an episode is started by keys alone', await holds(async () => (await get(server, 'cifar10')).episode === 1));
  check('and listed', await holds(async () => (await page.locator('#episodes tbody tr').count()) === 2));
  await quiet('buttons');
}

async function seeRefusal(server) {
  const {page, quiet} = await open(server, {}, /410 \(Gone\)/);
  await page.waitForSelector('#values-plot canvas');
  await page.click('#do-episode');
  await page.waitForSelector('#ask[open]');
  await fetch(`${server}/v1/campaigns/cifar10`, {method: 'DELETE'});
  await page.click('#ask-yes');
  check('what the server refuses is said in its words',
    await holds(async () => (await text(page, '#ask-refused')).includes('archived')),
    await text(page, '#ask-refused'));
  await page.click('#ask-no');
  check('an archived campaign has no buttons', await holds(async () => page.locator('#do-episode').isDisabled()));
  await quiet('refusal');
}

async function seeWidths(server) {
  for (const [name, options] of Object.entries({
    'dashboard-dark': {colorScheme: 'dark'},
    'dashboard-phone': {viewport: {width: 375, height: 812}},
  })) {
    const {page, quiet} = await open(server, options);
    await page.waitForSelector('#values-plot canvas');
    await page.waitForTimeout(6000);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(`${name}: nothing stands out`, wide <= 0, wide);
    await shoot(page, name);
    await quiet(name);
  }
}

async function useToken() {
  const file = path.join(folder, 'tokens');
  writeFileSync(file, 'admin 0123456789abcdef\ndecide fedcba9876543210\n');
  const server = await serve('guarded', '--tokens', file);
  const traffic = drive(server, '--rate', '100', '--token', file);
  const {page, quiet} = await open(server, {}, /401 \(Unauthorized\)|403 \(Forbidden\)/);
  for (const [token, words] of [['wrong-wrong-wrong', 'not known'], ['fedcba9876543210', 'for admins']]) {
    await page.waitForSelector('#ask-field:not([hidden])');
    await page.fill('#ask-token', token);
    await page.click('#ask-yes');
    check(`refused: ${words}`, await holds(async () => (await text(page, '#ask-refused')).includes(words)));
  }
  await page.fill('#ask-token', '0123456789abcdef');
  await page.click('#ask-yes');
  check('the token of an admin opens the page', await holds(async () => (await text(page, '#name')) === 'cifar10'));
  await page.reload();
  check('it is kept while the tab is open', await holds(async () => (await text(page, '#name')) === 'cifar10'));
  const kept = await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]);
  check('and nowhere else', JSON.stringify(kept) === '[0,1,""]', JSON.stringify(kept));
  traffic.kill('SIGINT');
  await quiet('token');
}

async function useMany() {
  const server = await serve('many');
  for (let i = 0; i < 150; i++) {
    const body = {name: `c${i}`, contexts: 1, actions: 2, agent: 'ucb', seed: 1,
        experts: [{table: [[0.5, 0.5]]}, {name: '<b>x</b>', table: [[0.9, 0.1]]}]};
    await fetch(`${server}/v1/campaigns`, {method: 'POST', headers: {'Content-Type': 'application/json'},
      body: JSON.stringify(body)});
  }
  const {page, quiet} = await open(server + '/#c140');
  check('the address names the campaign', await holds(async () => (await text(page, '#name')) === 'c140'));
  await page.fill('#filter', 'c14');
  check('the list is filtered', (await page.locator('#list li').count()) === 11);
  check('the agent, its experts and contexts are in words',
    /^agent ucb · 2 experts · context probabilities: assumed uniform$/.test(await text(page, '#facts')),
    await text(page, '#facts'));
  check('before any reward the page says so', (await text(page, '#verdict')).startsWith('Nothing is known yet'));
  await page.click('#experts tbody tr:nth-child(1) button');
  await answer(page);
  await page.click('#do-pause');
  await answer(page);
  const listed = () => page.locator('#events tbody').textContent();
  check('controls are listed in words',
    await holds(async () => /learning paused.*pinned to expert 1.*campaign created/.test(await listed())),
    await listed());
  check('reasons are listed in words', (await text(page, '#episodes tbody')).includes('creation'),
    await text(page, '#episodes tbody'));
  await page.click('#list li:first-child a');
  check('a click shows another', await holds(async () => (await text(page, '#name')) === 'c14'));
  check('names are text, whatever they say',
    (await text(page, '#experts tbody tr:nth-child(2) .label')) === '<b>x</b>');
  await quiet('many');
}

try {
  const server = await serve('open');
  await useEmpty(server);
  await seeMoving(server);
  await useButtons(server);
  await seeWidths(server);
  await useToken();
  await useMany();
  await seeRefusal(server);
} finally {
  for (const child of children) child.kill('SIGTERM');
  await browser.close();
  rmSync(folder, {recursive: true, force: true, maxRetries: 10});
}
console.log(`1..${cases}`);
process.exit(failures ? 1 : 0);
