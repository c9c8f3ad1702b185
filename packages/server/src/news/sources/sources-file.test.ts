import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../config/config.ts';
import { silentLog } from '../../ops/log.ts';
import { BUILT_IN_SOURCES } from './built-in-sources.ts';
import { openNewsSources } from './open-sources.ts';
import { parseSources } from './sources-file.ts';

const parse = (value: unknown): ReturnType<typeof parseSources> => parseSources(JSON.stringify(value), 'news.json');
const one = { name: 'Desk', url: 'https://desk.example/feed' };

describe('the news sources file', () => {
  test('has an interval and sources; other fields are optional', () => {
    expect(
      parse({ sources: [one, { ...one, name: 'Two', url: 'http://10.0.0.1/x', category: 'gold', weight: 2.5 }] }),
    ).toEqual({
      intervalMs: 60_000,
      contact: null,
      sources: [
        { ...one, category: null, weight: 1, mayBePrivate: true },
        { name: 'Two', url: 'http://10.0.0.1/x', category: 'gold', weight: 2.5, mayBePrivate: true },
      ],
    });
    expect(parse({ interval_seconds: 15, contact: 'desk@example.com', sources: [one] })).toMatchObject({
      intervalMs: 15_000,
      contact: 'desk@example.com',
    });
  });

  test.each<[string, unknown]>([
    ['interval_seconds must be at least 15', { interval_seconds: 14, sources: [one] }],
    ['interval_seconds must be a number', { interval_seconds: '60', sources: [one] }],
    ['sources must be a list of at least 1 item', { sources: [] }],
    ['sources must be a list', {}],
    ['sources.0.name must be a text', { sources: [{ url: one.url }] }],
    ['sources.0.url must be an http or https address', { sources: [{ ...one, url: 'file:///etc/passwd' }] }],
    ['sources.0.url must be an http or https address', { sources: [{ ...one, url: 'desk.example/feed' }] }],
    [
      'sources.0.url must not contain a user name or password',
      { sources: [{ ...one, url: 'https://a:b@desk.example/' }] },
    ],
    ['sources.0.category must be one of forex, gold, crypto, macro', { sources: [{ ...one, category: 'sports' }] }],
    ['sources.0.weight must be at least 0', { sources: [{ ...one, weight: -1 }] }],
    ['sources.0 must be an object without the unknown field wieght', { sources: [{ ...one, wieght: 2 }] }],
    ['contact must be plain ASCII', { contact: 'desk\r\nX-Evil: 1', sources: [one] }],
    ['name Desk occurs twice', { sources: [one, { ...one, url: 'https://other.example/' }] }],
    ['url https://desk.example/feed occurs twice', { sources: [one, { ...one, name: 'Other' }] }],
    ['the file must be an object', []],
  ])('is rejected with a reason: %s', (reason, value) => {
    expect(() => parse(value)).toThrow(ConfigError);
    expect(() => parse(value)).toThrow(`news.json: ${reason}`);
  });

  test('is named in the error if it is missing or not JSON', () => {
    expect(() => parseSources('{', 'news file x.json')).toThrow(/^news file x\.json: /);
    const options = { cwd: import.meta.dir, take: () => {}, now: Date.now, log: silentLog };
    expect(() => openNewsSources({ ...options, setting: 'none.json' })).toThrow(
      `news file ${join(import.meta.dir, 'none.json')}: ENOENT`,
    );
  });
});

describe('the built-in sources', () => {
  test('have unique names and https URLs, and none may be private', () => {
    expect(new Set(BUILT_IN_SOURCES.map(({ name }) => name)).size).toBe(BUILT_IN_SOURCES.length);
    expect(new Set(BUILT_IN_SOURCES.map(({ url }) => url)).size).toBe(BUILT_IN_SOURCES.length);
    for (const { url, weight, mayBePrivate } of BUILT_IN_SOURCES) {
      expect(new URL(url).href).toBe(url);
      expect(new URL(url).protocol).toBe('https:');
      expect([1, 2, 3]).toContain(weight);
      expect(mayBePrivate).toBe(false);
    }
  });

  test('match the list in the documentation', () => {
    const page = readFileSync(join(import.meta.dir, '../../../../../docs/reference/news.md'), 'utf8');
    const rows = BUILT_IN_SOURCES.map(
      ({ name, category, weight, url }) => `| ${name} | ${category ?? 'by its text'} | ${weight} | ${url} |`,
    );
    expect(page.split('\n').filter((line) => line.includes('| https://'))).toEqual(rows);
  });

  test('cover all four categories', () => {
    const categories = new Set(BUILT_IN_SOURCES.map(({ category }) => category));
    for (const category of ['forex', 'gold', 'crypto', 'macro'] as const) expect(categories.has(category)).toBe(true);
  });

  test('are opened by `feeds`, and no request is sent before the start', async () => {
    const source = openNewsSources({ setting: 'feeds', cwd: '.', take: () => {}, now: Date.now, log: silentLog });
    expect(source.statuses()).toHaveLength(BUILT_IN_SOURCES.length);
    expect(source.statuses().every(({ state, lastPollAt }) => state === 'starting' && lastPollAt === 0)).toBe(true);
    await source.stop();
    expect(source.statuses().every(({ state }) => state === 'stopped')).toBe(true);
  });
});
