// Links from the terminal and from the pages of the service to the guide lead to a page and a heading that exist.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Glob } from 'bun';
import { ALL_PAGES } from './contents.ts';
import { slugOf } from './slug.ts';

const ROOT = resolve(import.meta.dir, '../../..');

/** Anchors of a page: those of its headings, and explicit ones. */
function anchorsOf(source: string): readonly string[] {
  const text = readFileSync(join(ROOT, source), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slugOf(heading!.replace(/[`*]/g, '')));
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id!)];
}

test('links to the guide lead to a heading', () => {
  const anchors = new Map(
    ALL_PAGES.map(({ path, source }) => [path === 'index' ? '' : path, anchorsOf(source)] as const),
  );
  const wrong: string[] = [];
  let found = 0;
  for (const file of new Glob('packages/{terminal,server}/src/**/*.{ts,tsx,html}').scanSync(ROOT)) {
    if (/\.test\.tsx?$/.test(file)) continue;
    const links = readFileSync(join(ROOT, file), 'utf8').matchAll(/["']\/guide\/([\w/-]*)(?:#([\w-]+))?["']/g);
    for (const [link, page = '', heading] of links) {
      found++;
      const known = anchors.get(page);
      if (!known || (heading !== undefined && !known.includes(heading))) wrong.push(`${file}: ${link}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(found).toBeGreaterThan(30);
});
