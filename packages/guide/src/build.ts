// `npm run guide` builds the site into packages/guide/dist: the pages, their Markdown, and `pages.json`. Pages that have not
// changed since the last build are not built again.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Glob } from 'bun';
import { ALL_PAGES } from './contents.ts';
import { stagePage } from './stage.ts';

const PACKAGE = resolve(import.meta.dir, '..');
const ROOT = resolve(PACKAGE, '../..');
const STAGE = join(PACKAGE, 'dist/stage');
export const SITE = join(PACKAGE, 'dist/site');
const STAMP = join(PACKAGE, 'dist/built-from.txt');

/** Whether the site was built from the sources as they are. */
export const isCurrent = (): boolean =>
  existsSync(STAMP) && existsSync(SITE) && readFileSync(STAMP, 'utf8') === sourcesHash();

/** Builds the site unless it is current. */
export async function buildGuide(): Promise<void> {
  if (isCurrent()) return;
  const hash = sourcesHash();
  rmSync(join(PACKAGE, 'dist'), { recursive: true, force: true });
  stage();
  const build = Bun.spawn([process.execPath, join(ROOT, 'node_modules/vitepress/bin/vitepress.js'), 'build', PACKAGE], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [code, out, errors] = await Promise.all([
    build.exited,
    new Response(build.stdout).text(),
    new Response(build.stderr).text(),
  ]);
  if (code !== 0) throw new Error(`building the guide failed:\n${out}${errors}`);
  // Markdown beside each page, for readers that want no HTML.
  for (const { path } of ALL_PAGES) cpSync(join(STAGE, `${path}.md`), join(SITE, `${path}.md`));
  cpSync(join(STAGE, 'pages.json'), join(SITE, 'pages.json'));
  writeFileSync(STAMP, hash);
}

function stage(): void {
  const pictures = new Set<string>();
  const list = ALL_PAGES.map((page) => {
    const staged = stagePage(page, readFileSync(join(ROOT, page.source), 'utf8'), ALL_PAGES);
    write(join(STAGE, `${page.path}.md`), staged.markdown);
    for (const picture of staged.pictures) pictures.add(picture);
    return { path: page.path, title: staged.heading, description: staged.description };
  });
  for (const picture of pictures) {
    const target = join(STAGE, picture.replace(/^docs\//, ''));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(ROOT, picture), target);
  }
  write(join(STAGE, 'pages.json'), JSON.stringify(list));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Of everything that the site is made of. */
function sourcesHash(): string {
  const hash = createHash('sha256');
  const own = [...new Glob('{src,.vitepress}/**/*.{ts,css}').scanSync({ cwd: PACKAGE, dot: true })].filter(
    (path) => !path.startsWith('.vitepress/cache'),
  );
  const files = [
    ...own.map((path) => join(PACKAGE, path)),
    ...ALL_PAGES.map(({ source }) => join(ROOT, source)),
    ...[...new Glob('docs/pictures/*').scanSync({ cwd: ROOT })].map((path) => join(ROOT, path)),
  ].sort();
  for (const file of files) hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

if (import.meta.main) {
  const started = performance.now();
  const fresh = isCurrent();
  await buildGuide();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(fresh ? `The guide is up to date: ${SITE}` : `Built ${ALL_PAGES.length} pages in ${seconds} s: ${SITE}`);
}
