// Every link of the documentation leads to a file, a heading or a path that exists.
import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { Glob } from 'bun';
import { openApiDocument } from '../../packages/contract/src/documents/openapi.ts';
import { ALL_PAGES } from '../../packages/guide/src/contents.ts';
import { TERMINAL_PATHS } from '../../packages/server/src/pages/pages.ts';
import { anchorsOf, linksOf } from './links.ts';

const ROOT = resolve(import.meta.dir, '../..');
const PAGES = [...new Set([...ALL_PAGES.map(({ source }) => source), 'README.md', 'CONTRIBUTING.md'])];
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Paths of the service that pages may link to. */
const SERVED = new Set<string>([
  ...TERMINAL_PATHS,
  ...['/docs', '/openapi.json', '/asyncapi.json', '/guide/', '/llms.txt'],
  ...ALL_PAGES.flatMap(({ path }) => [`/guide/${path}`, `/guide/${path}.md`]),
  ...Object.keys((openApiDocument() as { paths: object }).paths),
]);

/** Returns what is wrong with a link, or null. */
function wrong(page: string, target: string): string | null {
  if (/^(https?:|mailto:)/.test(target)) return null;
  const [path = '', anchor] = target.split('#');
  if (path.startsWith('/')) return SERVED.has(path.split('?')[0]!) ? null : 'no path of the service';
  if (/^[a-z]+:/i.test(path)) return 'an unknown scheme';
  const file = path === '' ? page : posix.join(posix.dirname(page), decodeURI(path));
  if (file.startsWith('..') || !existsSync(join(ROOT, file))) return 'no file';
  if (anchor === undefined) return null;
  if (!file.endsWith('.md')) return 'an anchor in a file that is no page';
  return anchorsOf(read(file)).has(anchor) ? null : 'no heading';
}

test.each(PAGES)('the links of %s lead somewhere', (page) => {
  const faults = linksOf(read(page)).flatMap(({ target, line }) => {
    const fault = wrong(page, target);
    return fault === null ? [] : [`${page}:${line}: ${target}: ${fault}`];
  });
  expect(faults).toEqual([]);
});

/** What code, settings and comments say about pages: `docs/x.md` and `/guide/x#y`. */
const MENTION = /(?<![\w./-])(?:\.\.\/)*(docs\/[\w/-]+\.md)\b|(?<=["'])\/guide\/([a-z][\w/-]*)(?:#([\w-]+))?(?=["'])/g;
const SOURCES = new Glob(
  '{bench,deploy,docs,e2e,examples,packages,proof,python,tools}/**/*.{ts,tsx,mjs,py,yaml,conf,example,md}',
);

test('pages that other files name exist', () => {
  const sources = new Map(ALL_PAGES.map(({ path, source }) => [path, source]));
  const faults: string[] = [];
  let mentions = 0;
  for (const file of SOURCES.scanSync(ROOT)) {
    if (/node_modules|\/dist\/|\.(?:test|suite)\.ts$/.test(file)) continue;
    for (const [mention, page, path, anchor] of read(file).matchAll(MENTION)) {
      mentions++;
      const source = page ?? sources.get(path!);
      const exists = source !== undefined && existsSync(join(ROOT, source));
      if (!exists || (anchor !== undefined && !anchorsOf(read(source)).has(anchor))) faults.push(`${file}: ${mention}`);
    }
  }
  expect(faults).toEqual([]);
  expect(mentions).toBeGreaterThan(40);
});

test('the pages have links to check', () => {
  expect(PAGES.flatMap((page) => linksOf(read(page))).length).toBeGreaterThan(200);
});

describe('links of a page', () => {
  test('are found outside code', () => {
    const page =
      '# A\n[b](b.md#c) and [`d`](e.md "f")\n`[g](h.md)`\n```sh\n[i](j.md)\n```\n[k]: l.md\n<img src="m.png">\n![n](o.png)';
    expect(linksOf(page)).toEqual([
      { target: 'b.md#c', line: 2 },
      { target: 'e.md', line: 2 },
      { target: 'l.md', line: 7 },
      { target: 'm.png', line: 8 },
      { target: 'o.png', line: 9 },
    ]);
  });

  test('lead to headings, which are numbered if they occur again', () => {
    const page = '# Every `answer`, now\n## Für _alle_\n```sh\n# no\n```\n## Rules\n## Rules\n<a id="old"></a>';
    expect([...anchorsOf(page)]).toEqual(['every-answer-now', 'für-_alle_', 'rules', 'rules-1', 'old']);
  });

  test.each([
    ['docs/alerts.md', 'feeds.md#real-markets', null],
    ['docs/alerts.md', 'feeds.md#no-such', 'no heading'],
    ['docs/alerts.md', '#channels', null],
    ['docs/alerts.md', 'missing.md', 'no file'],
    ['docs/alerts.md', '../../outside.md', 'no file'],
    ['docs/alerts.md', '/docs#headers', null],
    ['docs/alerts.md', '/nowhere', 'no path of the service'],
    ['docs/alerts.md', 'https://example.org', null],
  ] as const)('%s: %s', (page, target, fault) => {
    expect(wrong(page, target)).toBe(fault);
  });
});
