// Draws the icons of the installed terminal from the SVG beside this file, with a Chromium that is at hand. They change
// about never, so the pictures are kept in the repository: `node packages/terminal/src/icons/draw-icons.mjs`.
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const svg = await readFile(new URL('./icon.svg', import.meta.url), 'utf8');
/** A mask may cut off all but the inner 80 %: the sign gets smaller and the ground goes to the edges. */
const maskable = svg
  .replace(' rx="96"', '')
  .replace('<path ', '<path transform="translate(256 256) scale(0.72) translate(-256 -256)" ');

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  for (const [name, drawing, size] of [
    ['icon-192.png', svg, 192],
    ['icon-512.png', svg, 512],
    ['maskable-192.png', maskable, 192],
    ['maskable-512.png', maskable, 512],
  ]) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${drawing}`);
    const path = new URL(`./${name}`, import.meta.url).pathname;
    await page.screenshot({ path, omitBackground: true });
    await page.close();
  }
} finally {
  await browser.close();
}
