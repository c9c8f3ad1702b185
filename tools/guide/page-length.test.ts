// Guides are short; what is long and normative is in docs/reference.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ALL_PAGES } from '../../packages/guide/src/contents.ts';
import { blocksOf } from './blocks.ts';

const ROOT = resolve(import.meta.dir, '../..');
const MAX_WORDS = 3_000;
/** Every release adds to it. */
const GROWS = 'CHANGELOG.md';

const read = (source: string): string => readFileSync(join(ROOT, source), 'utf8');
const wordsOf = (text: string): number => text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
const guides = ALL_PAGES.map(({ source }) => source).filter(
  (source) => !source.startsWith('docs/reference/') && source !== GROWS,
);

test(`no page outside docs/reference has more than ${MAX_WORDS} words`, () => {
  const long = guides.filter((source) => wordsOf(read(source)) > MAX_WORDS);
  expect(long).toEqual([]);
  expect(guides.length).toBeGreaterThan(50);
});

test('what publishers and followers need to know is one page of 800 words, without its code', () => {
  const page = read('docs/signals.md');
  const code = blocksOf(page).reduce((sum, { text }) => sum + wordsOf(text), 0);
  expect(wordsOf(page) - code).toBeLessThanOrEqual(800);
});
