// `npm run guide` builds the site into packages/guide/dist: the pages, their Markdown, and `pages.json`. Pages that have not
// changed since the last build are not built again.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Glob } from 'bun';
import { ALL_PAGES, SECTION_OF } from './contents.ts';
import { stagePage } from './stage.ts';

const PACKAGE = resolve(import.meta.dir, '..');
const ROOT = resolve(PACKAGE, '../..');
const STAGE = join(PACKAGE, 'dist/stage');
export const SITE = join(PACKAGE, 'dist/site');
const STAMP = join(PACKAGE, 'dist/built-from.txt');

/** Whether the site was built from the sources as they are. */
export const isCurrent = (): boolean =>
  existsSync(STAMP) && existsSync(SITE) && readFileSync(STAMP, 'utf8') === sourcesHash();

/** What VitePress prints when it begins with a step, and the step. */
const STEPS = [
  ['building client', '2 of 3: translating the pages'],
  ['rendering pages', '3 of 3: writing the pages'],
] as const;

/** Builds the site unless it is current. */
export async function buildGuide(onStep: (step: string) => void = () => {}): Promise<void> {
  if (isCurrent()) return;
  const hash = sourcesHash();
  rmSync(join(PACKAGE, 'dist'), { recursive: true, force: true });
  onStep('1 of 3: reading the pages');
  stage();
  const build = Bun.spawn([process.execPath, join(ROOT, 'node_modules/vitepress/bin/vitepress.js'), 'build', PACKAGE], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let out = '';
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      const chunk = decoder.decode(bytes, { stream: true });
      out += chunk;
      for (const [text, step] of STEPS) if (chunk.includes(text)) onStep(step);
    }
  };
  const [code] = await Promise.all([build.exited, read(build.stdout), read(build.stderr)]);
  if (code !== 0) throw new Error(`building the guide failed:\n${out}`);
  // Markdown beside each page, for readers that want no HTML.
  for (const { path } of ALL_PAGES) cpSync(join(STAGE, `${path}.md`), join(SITE, `${path}.md`));
  cpSync(join(STAGE, 'pages.json'), join(SITE, 'pages.json'));
  writeFileSync(STAMP, hash);
}

const stagedPages = () =>
  ALL_PAGES.map((page) => ({
    page,
    staged: stagePage(page, readFileSync(join(ROOT, page.source), 'utf8'), ALL_PAGES),
  }));

/** All pages with title, description and place in the side bar; needs no build. */
export const pageList = () => listOf(stagedPages());

const listOf = (pages: ReturnType<typeof stagedPages>) =>
  pages.map(({ page, staged }) => ({
    path: page.path,
    title: staged.heading,
    description: staged.description,
    section: SECTION_OF.get(page)!,
    label: page.title,
  }));

function stage(): void {
  const pictures = new Set<string>();
  const pages = stagedPages();
  for (const { page, staged } of pages) {
    write(join(STAGE, `${page.path}.md`), staged.markdown);
    for (const picture of staged.pictures) pictures.add(picture);
  }
  for (const picture of pictures) {
    const target = join(STAGE, picture.replace(/^docs\//, ''));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(ROOT, picture), target);
  }
  write(join(STAGE, 'pages.json'), JSON.stringify(listOf(pages)));
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
  // The service shows these lines on the page that waits for the site.
  await buildGuide((step) => console.log(step));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(fresh ? `The guide is up to date: ${SITE}` : `Built ${ALL_PAGES.length} pages in ${seconds} s: ${SITE}`);
}
