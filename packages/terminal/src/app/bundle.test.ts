import { expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../index.html', import.meta.url));

/** As the service builds it. */
async function bundle() {
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    minify: true,
    splitting: true,
    modulePreload: false,
    publicPath: '/',
    external: ['/assets/*'],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const files = await Promise.all(
    outputs.map(async (each) => ({ path: each.path.replace(/^\.?\/?/, '/'), text: await each.text() })),
  );
  const text = (ending: string) =>
    files
      .filter(({ path }) => path.endsWith(ending))
      .map((each) => each.text)
      .join('\n');
  // A file is loaded later if it is named in dynamic imports only. A static import makes it part of the first load.
  const named = files.map((each) => each.text.replaceAll(/\bimport\("[^"]+"\)/g, '')).join('\n');
  const loadedFirst = files.filter(({ path }) => named.includes(`"${path}"`));
  return { files, text, loadedFirst };
}

const packed = (files: readonly { readonly text: string }[]): number =>
  files.reduce((sum, { text }) => sum + Bun.gzipSync(text).byteLength, 0);

test('the first load is one page, one style sheet and a few scripts, which the page preloads', async () => {
  const { loadedFirst } = await bundle();
  const types = loadedFirst.map(({ path }) => path.replace(/.*\./, '')).sort();
  expect(types[0]).toBe('css');
  // What the first view shares with modules that are loaded later are scripts of their own.
  expect(types.slice(1).every((type) => type === 'js')).toBe(true);
  expect(types.length).toBeLessThanOrEqual(5);
});

test('a policy that allows only files of the own origin is enough for the page', async () => {
  const { text } = await bundle();
  const page = text('.html');
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
  const elsewhere = /(?:src|href)="(?:https?:)?\/\//;
  expect(page).not.toMatch(elsewhere);
  // The only file that a style sheet names is the font, in the version that is installed.
  const { version } = await Bun.file(import.meta.resolve('@fontsource-variable/inter/package.json').slice(7)).json();
  const named = [...text('.css').matchAll(/@import|url\(([^)]*)\)/g)].map(([all, path]) => path ?? all);
  expect(named).toEqual([`/assets/inter-latin-${version}.woff2`]);
});

test('the schemas of the contract stay out of the browser', async () => {
  expect((await bundle()).text('.js')).not.toContain('ZodError');
});

test('scripts and styles stay small', async () => {
  const { files, loadedFirst } = await bundle();
  const scripts = (each: { readonly path: string }): boolean => each.path.endsWith('.js');
  // The chart library is 57,000 of it. With Brotli, it is a tenth less; 180,000 is the most that a first load may ever have.
  expect(packed(loadedFirst.filter(scripts))).toBeLessThanOrEqual(167_000);
  // With what is loaded when it is opened: the other pages and the relay between tabs (70,000), drawing, footprints, the editors of
  // the chart and the tickets beside it (35,000), snippets and the checks of evidence (9,000), replays (9,000).
  expect(packed(files.filter(scripts))).toBeLessThanOrEqual(298_000);
  expect(packed(files.filter(({ path }) => path.endsWith('.css')))).toBeLessThan(17_500);
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
  expect(sinksIn((await bundle()).text('.js'))).toEqual([...chart, ...preact].sort());
  const options = await Bun.file(fileURLToPath(new URL('../chart/layers/plot-options.ts', import.meta.url))).text();
  expect(options).toContain('attributionLogo: false');
});
