import { expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../index.html', import.meta.url));

async function bundle() {
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const text = async (ending: string) => (await outputs.find(({ path }) => path.endsWith(ending))?.text()) ?? '';
  return { kinds: outputs.map(({ path }) => path.replace(/.*\./, '')).sort(), text };
}

test('the terminal bundles into one page, one script and one style sheet', async () => {
  expect((await bundle()).kinds).toEqual(['css', 'html', 'js']);
});

test('a policy that allows only files of the own origin is enough for the page', async () => {
  const { text } = await bundle();
  const page = await text('.html');
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
  const elsewhere = /(?:src|href)="(?:https?:)?\/\//;
  expect(page).not.toMatch(elsewhere);
  expect(await text('.css')).not.toMatch(/@import|url\(/);
});

test('the schemas of the contract stay out of the browser', async () => {
  expect(await (await bundle()).text('.js')).not.toContain('ZodError');
});

test('what the first page loads stays small', async () => {
  const { text } = await bundle();
  const packed = async (ending: string) => Bun.gzipSync(await text(ending)).byteLength;
  expect(await packed('.js')).toBeLessThan(200_000);
  expect(await packed('.css')).toBeLessThan(16_000);
});

test('no text is ever read as HTML or run as script, so a hostile name is only a name', async () => {
  const files = new Bun.Glob('**/*.{ts,tsx}').scan({
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    absolute: true,
  });
  const sinks =
    /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc|eval\(|new Function/;
  let seen = 0;
  for await (const file of files) {
    if (/\.test\.tsx?$/.test(file)) continue;
    seen++;
    expect([file, sinks.exec(await Bun.file(file).text())?.[0]]).toEqual([file, undefined]);
  }
  expect(seen).toBeGreaterThan(40);
  // The libraries have some that are never reached: the chart's logo is off, and no component sets inner HTML. The browser
  // would refuse them, too (trusted types).
  const sinksIn = (text: string): readonly string[] => (text.match(new RegExp(sinks, 'g')) ?? []).sort();
  const sinksOf = async (name: string) => sinksIn(await Bun.file(fileURLToPath(import.meta.resolve(name))).text());
  const [chart, preact] = [await sinksOf('lightweight-charts'), await sinksOf('preact')];
  expect(chart).toEqual(['innerHTML']);
  expect(preact).toEqual(['dangerouslySetInnerHTML', 'dangerouslySetInnerHTML', 'innerHTML', 'innerHTML']);
  expect(sinksIn(await (await bundle()).text('.js'))).toEqual([...chart, ...preact].sort());
  const options = await Bun.file(fileURLToPath(new URL('../chart/plot-options.ts', import.meta.url))).text();
  expect(options).toContain('attributionLogo: false');
});
