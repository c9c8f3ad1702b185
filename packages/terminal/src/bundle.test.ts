import { expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('./index.html', import.meta.url));

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
  const files = new Bun.Glob('**/*.ts').scan({ cwd: fileURLToPath(new URL('.', import.meta.url)), absolute: true });
  const sinks =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|srcdoc|eval\(|new Function/;
  let seen = 0;
  for await (const file of files) {
    if (file.endsWith('.test.ts')) continue;
    seen++;
    expect([file, sinks.exec(await Bun.file(file).text())?.[0]]).toEqual([file, undefined]);
  }
  expect(seen).toBeGreaterThan(40);
  // The chart's library has one, for its logo, which is off: the browser would refuse it, too (trusted types).
  const all = new RegExp(sinks, 'g');
  const library = await Bun.file(fileURLToPath(import.meta.resolve('lightweight-charts'))).text();
  expect(library.match(all)).toEqual(['innerHTML']);
  expect((await (await bundle()).text('.js')).match(all)).toEqual(['innerHTML']);
  const options = await Bun.file(fileURLToPath(new URL('./chart/plot-options.ts', import.meta.url))).text();
  expect(options).toContain('attributionLogo: false');
});
