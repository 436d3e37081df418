// report.mjs REPORTS SCREENSHOTS: opens REPORTS/NAME/report.html in headless Chromium, uses it, and prints TAP.
// BROWSER: the program. MODULES: where playwright-core is.
import {createRequire} from 'node:module';
import {mkdirSync} from 'node:fs';
import path from 'node:path';

const [reports, screenshots] = process.argv.slice(2).map(folder => path.resolve(folder));
const {chromium} = createRequire(path.join(process.env.MODULES, 'any.js'))('playwright-core');
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const desktop = {width: 1200, height: 900},
  phone = {width: 375, height: 812};
let cases = 0,
  failures = 0;

function check(text, holds, detail = '') {
  cases++;
  if (!holds) failures++;
  console.log(`${holds ? 'ok' : 'not ok'} - ${text}`);
  if (!holds && detail) console.log(String(detail).replace(/^/gm, '#   '));
}

mkdirSync(screenshots, {recursive: true});
const browser = await chromium.launch({executablePath: process.env.BROWSER, args: flags});

/* A page of its own, with what it complained about and what it asked the network for. */
async function open(name, options = {}) {
  const context = await browser.newContext({viewport: desktop, colorScheme: 'light', ...options});
  const page = await context.newPage();
  const said = [],
    asked = [];
  page.on('console', message => {
    if (message.type() !== 'log') said.push(message.text());
  });
  page.on('pageerror', error => said.push(error.stack));
  page.on('dialog', dialog => {
    said.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', request => {
    if (!/^(file|data):/.test(request.url())) asked.push(request.url());
  });
  await page.goto(`file://${reports}/${name}/report.html`);
  await page.waitForSelector('#regret-plot canvas');
  const quiet = async () => {
    check(`${name}: nothing on the console`, said.length === 0, said.join('\n'));
    check(`${name}: nothing asked of the network`, asked.length === 0, asked.join('\n'));
    await context.close();
  };
  return {page, quiet};
}

const picture = (page, id) => page.locator(id).screenshot();
const shoot = (page, name) => page.screenshot({path: path.join(screenshots, `${name}.png`), fullPage: true});
/* Does the action change what the element looks like? */
async function changes(text, page, id, action) {
  const before = await picture(page, id);
  await action();
  check(text, !before.equals(await picture(page, id)));
}

async function useReport() {
  const {page, quiet} = await open('episodes');
  await shoot(page, 'episodes-light');
  check('the page has its title', (await page.title()).startsWith('five experts'));
  const agents = await page.locator('#legend button').count();
  check('the legend has every agent', agents === 5, agents);
  check('the table has every agent', (await page.locator('#table tbody tr').count()) === agents);
  check('every episode is listed', (await page.locator('#episodes tbody tr').count()) === 3);
  check('the divergences of five experts are there', (await page.locator('#divergence tbody td').count()) === 25);
  check(
    'a label is text, whatever it says',
    (await page.locator('#legend button .label').nth(4).textContent()) ===
      'last </script><img src=x onerror=alert(1)> "one", \'two\' & ünï',
  );
  await changes('the log switch redraws the curves', page, '#regret-plot', () =>
    page.click('#scale button:nth-child(2)'),
  );
  check('the log switch says so', (await page.getAttribute('#scale button:nth-child(2)', 'aria-pressed')) === 'true');
  await shoot(page, 'episodes-log');
  await changes('the linear switch redraws them', page, '#regret-plot', () => page.click('#scale button:nth-child(1)'));
  await changes('a click in the legend hides an agent', page, '#regret-plot', () =>
    page.click('#legend button:nth-child(5)'),
  );
  check('the legend says so', (await page.getAttribute('#legend button:nth-child(5)', 'aria-pressed')) === 'false');
  await changes('a second click shows it again', page, '#regret-plot', () => page.click('#legend button:nth-child(5)'));
  await changes('another agent has other plays', page, '#shares-plot', () => page.selectOption('#agent', {value: '2'}));
  await changes('another episode has other divergences', page, '#divergence', () =>
    page.selectOption('#episode', {value: '1'}),
  );
  await useKeys(page);
  await quiet();
}

async function useKeys(page) {
  await page.focus('#scale button:nth-child(2)');
  await changes('the keyboard works the switch', page, '#regret-plot', () => page.keyboard.press('Enter'));
  await page.focus('#regret-plot');
  const before = await page.textContent('#regret-axis');
  await page.keyboard.press('ArrowLeft');
  const after = await page.textContent('#regret-axis');
  check('arrow keys walk along the curves', before !== after && /^at round/.test(after), after);
}

async function lookDark() {
  const {page, quiet} = await open('episodes', {colorScheme: 'dark'});
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  check('the dark page is dark', /^rgb\((\d|[1-5]\d), /.test(background), background);
  await shoot(page, 'episodes-dark');
  await changes('a change of scheme redraws', page, '#regret-plot', () => page.emulateMedia({colorScheme: 'light'}));
  await quiet();
}

async function lookOnPhone(name) {
  const {page, quiet} = await open(name, {viewport: phone, deviceScaleFactor: 2, isMobile: true, hasTouch: true});
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  check(`${name}: nothing is wider than a phone`, width <= phone.width, width);
  await shoot(page, `${name}-phone`);
  await quiet();
}

async function lookAtSweep() {
  const {page, quiet} = await open('sweep');
  check('a sweep has its plot', (await page.locator('#sweep-plot canvas').count()) > 0);
  check('both fits have their R²', /R²[\s\S]*R²/.test(await page.textContent('#growth')));
  await shoot(page, 'sweep-light');
  await changes('regret and time are two plots', page, '#sweep-plot', () =>
    page.click('#sweep-metric button:nth-child(2)'),
  );
  const last = (await page.locator('#case option').count()) - 1;
  await changes('another case has other curves', page, '#regret-plot', () =>
    page.selectOption('#case', {value: String(last)}),
  );
  await quiet();
}

async function lookAtOneRun() {
  const {page, quiet} = await open('one');
  check('one run has no interval', !(await page.textContent('#table')).includes('±'));
  check('no number is broken', !/NaN|Infinity|undefined|null/.test(await page.locator('main').innerText()));
  await quiet();
}

await useReport();
await lookDark();
await lookOnPhone('episodes');
await lookOnPhone('sweep');
await lookAtSweep();
await lookAtOneRun();
const {page, quiet} = await open('unbounded');
check('infinite divergences are shown as such', (await page.textContent('#divergence')).includes('∞'));
await shoot(page, 'unbounded-light');
await quiet();
await browser.close();
console.log(`1..${cases}`);
process.exit(failures > 0 ? 1 : 0);
