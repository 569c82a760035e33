// The playground in a headless Chromium, on the files of dist/ served as a static site.
// FILTER='part of a name' runs some of the tests; PICTURES=FOLDER keeps a picture of each.
import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

const dist = new URL('../dist', import.meta.url).pathname;
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.gz': 'application/octet-stream', '.br': 'application/octet-stream' };
const patience = 60_000; // milliseconds; no test asserts a time

const site = createServer((request, response) => {
  const path = normalize(new URL(request.url, 'http://localhost').pathname);
  const file = join(dist, path === '/' ? 'index.html' : path);
  if (!existsSync(file)) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(response);
});
await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${site.address().port}/`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });

/** Opens the page in a fresh profile. */
async function open(fragment = '', options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  page.outside = [];
  page.on('request', (request) => { if (!request.url().startsWith(address) && !/^(blob|data):/.test(request.url())) page.outside.push(request.url()); });
  page.on('pageerror', (error) => console.error('page:', error.message));
  await page.goto(address + fragment);
  return page;
}

/** Waits for a problem of a rule, and returns its card. */
function problem(page, rule, place = '') {
  return page.locator('.problem', { hasText: `· ${rule}` }).filter({ hasText: place }).first();
}

const line = (page, text) => page.locator('#editor .cm-line', { hasText: text }).first();

/** Scrolls to a line of the editor, which has only the visible ones in the page. */
async function scrollTo(page, text) {
  await line(page, '').waitFor();
  await page.locator('#editor .cm-content').click();
  for (let pages = 0; pages < 50 && !await line(page, text).isVisible(); pages++) await page.keyboard.press('PageDown');
  await line(page, text).waitFor();
}

/** Puts the cursor behind the text of a line of the editor. */
async function cursorBehind(page, text) {
  await scrollTo(page, text);
  await line(page, text).click();
  await page.keyboard.press('End');
}

const tests = {
  async 'first diagnostics of the mistakes'(page) {
    await problem(page, 'image-no-match').waitFor();
    await problem(page, 'missing-path', 'overlays/prod/kustomization.yaml:6').waitFor();
    await page.locator('#editor .cm-lintRange-error').first().waitFor();
    assert.deepEqual(page.outside, [], 'the page asks nobody else for anything');
  },
  async 'hover on a replacement'(page) {
    await problem(page, 'missing-path').waitFor();
    await page.selectOption('#examples', 'structured-data/story-1');
    await scrollTo(page, 'data.config\\.json.config.hostname');
    const box = await line(page, 'data.config\\.json.config.hostname').boundingBox();
    await page.mouse.move(box.x + 100, box.y + box.height / 2);
    await page.mouse.move(box.x + 104, box.y + box.height / 2, { steps: 4 });
    await page.locator('.cm-tooltip-hover').first().waitFor();
    const text = await page.locator('.cm-tooltip-hover').allInnerTexts();
    assert.match(text.join('\n'), /config\.json/);
  },
  async 'a fix is applied, and its problem goes'(page) {
    const card = problem(page, 'missing-path', 'overlays/prod/kustomization.yaml:6');
    await card.getByRole('button', { name: /ingress\.yaml/ }).first().click();
    await line(page, '- ingress.yaml').waitFor();
    await problem(page, 'missing-path').waitFor({ state: 'detached' });
  },
  async 'completion into embedded JSON'(page) {
    await problem(page, 'missing-path').waitFor();
    await cursorBehind(page, 'config\\.json.databse.host');
    for (let i = 0; i < 'databse.host'.length; i++) await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+Space');
    await page.locator('.cm-tooltip-autocomplete', { hasText: 'database' }).waitFor();
  },
  async 'a rendered line leads to where it was written, and back'(page) {
    await page.selectOption('#examples', 'shop');
    await page.getByRole('tab', { name: 'Rendered' }).click();
    await page.locator('#preview .cm-line', { hasText: 'kind: ServiceAccount' }).first().click();
    await page.locator('#blame', { hasText: /serviceaccount\.yaml:2/ }).waitFor();
    assert.match(await page.locator('#open-name').innerText(), /serviceaccount\.yaml$/);
    await page.locator('#editor .cm-line.cm-marked', { hasText: 'kind: ServiceAccount' }).waitFor();
    await line(page, 'apiVersion: v1').click();
    await page.locator('#preview .cm-line.cm-marked', { hasText: 'apiVersion: v1' }).first().waitFor();
  },
  async 'typing changes what is rendered'(page) {
    await page.selectOption('#examples', 'shop');
    await page.getByRole('tab', { name: 'Rendered' }).click();
    await page.locator('#preview .cm-line').nth(3).waitFor();
    await page.locator('#editor .cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('\nnameSuffix: -typed\n');
    await page.locator('#preview .cm-line', { hasText: '-typed' }).first().waitFor();
  },
  async 'a link holds the tree, in a fresh profile'(page) {
    await problem(page, 'missing-path').waitFor();
    await cursorBehind(page, 'kind: Kustomization');
    await page.keyboard.insertText(' # grün 🚀');
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.waitForFunction(() => location.hash.length > 100);
    const other = await open(new URL(page.url()).hash);
    await line(other, 'kind: Kustomization # grün 🚀').waitFor();
    await problem(other, 'image-no-match').waitFor();
    await other.context().close();
  },
  async 'a damaged link says so and the page goes on'() {
    const page = await open('#1.AAAA');
    await page.locator('#status.bad', { hasText: 'This link is damaged' }).waitFor();
    await problem(page, 'missing-path').waitFor();
    await page.context().close();
  },
  async 'a zip that is too large is refused'(page) {
    await page.setInputFiles('#zip-input', { name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from('no zip') });
    await page.locator('#status.bad', { hasText: 'cannot be read' }).waitFor();
  },
  async 'explain and graph'(page) {
    await page.selectOption('#examples', 'shop');
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page.frameLocator('iframe').locator('canvas').first().waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('tab', { name: 'Explain', selected: true }).waitFor();
    await page.locator('#files button', { hasText: 'deployment.yaml' }).first().click();
    await line(page, 'kind: Deployment').click();
    await page.locator('#panel-explain pre', { hasText: 'Deployment' }).waitFor();
  },
  async 'usable on a phone'() {
    const page = await open('', { viewport: { width: 390, height: 800 } });
    await problem(page, 'missing-path').waitFor();
    await keep(page, 'phone');
    const tooWide = await page.evaluate(() => [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth && !e.closest('.cm-scroller, .bar')).map((e) => e.tagName + e.id + e.className));
    assert.deepEqual(tooWide, [], 'nothing is wider than the screen');
    await page.context().close();
  },
};

async function keep(page, name) {
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`) });
}

let failed = 0;
for (const [name, run] of Object.entries(tests)) {
  if (!name.includes(process.env.FILTER ?? '')) continue;
  const page = run.length > 0 ? await open() : undefined;
  try {
    await run(page);
    console.log(`ok   ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}: ${error.message}`);
  }
  if (page) {
    await keep(page, name);
    await page.context().close();
  }
}
await browser.close();
site.close();
process.exit(failed > 0 ? 1 : 0);
