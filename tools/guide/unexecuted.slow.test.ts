// Every code block of the site is run by `npm run guide:check`, or is on the list of those that are not, and passes their checks.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ALL_PAGES } from '../../packages/guide/src/contents.ts';
import { type Block, blocksOf, pageNotRun } from './blocks.ts';
import { UNEXECUTED, wrongUnexecuted } from './unexecuted.ts';

const ROOT = resolve(import.meta.dir, '../..');
const pages = [...ALL_PAGES.map(({ source }) => source), 'README.md'].map((source) => ({
  source,
  markdown: readFileSync(join(ROOT, source), 'utf8'),
}));
/** Languages that guide:check runs, or compares with the output before. */
const RUN = ['sh', 'ts', 'js', 'python', 'sql', 'json', 'text'];

const blocks = pages
  .filter(({ markdown }) => pageNotRun(markdown) === null)
  .flatMap(({ source, markdown }) => blocksOf(markdown).map((block) => ({ source, block })));
const isListed = ({ directive }: Block): boolean => directive.kind === 'not run';

test('a block is run, written to a file, or on the list', () => {
  const others = blocks
    .filter(({ block }) => !isListed(block) && block.directive.kind !== 'file' && !RUN.includes(block.language))
    .map(({ source, block }) => `${source}:${block.line}`);
  expect(others).toEqual([]);
});

test('a file that a page shows is used by a later block, or by a test', () => {
  const unused = blocks.flatMap(({ source, block }) => {
    if (block.directive.kind !== 'file') return [];
    const { name } = block.directive;
    const later = blocks.some(
      (other) => other.source === source && other.block !== block && other.block.text.includes(name),
    );
    return later || TESTED_FILES.includes(`${source} ${name}`) ? [] : [`${source} ${name}`];
  });
  expect(unused).toEqual([]);
});
/** By e2e/browser-quickstart.test.ts, e2e/udf-chart.test.ts, tradingview.test.ts and the tests of examples/; the last by each command. */
const TESTED_FILES = [
  'docs/start/browser.md index.html',
  'docs/plugs.md chart.html',
  'docs/reference/signals.md message.json',
  'docs/recipes/react-chart.md chart.tsx',
  'docs/recipes/react-chart.md main.tsx',
  'docs/configuration.md tickwire.json',
];

test('all pages are run by CI', () => {
  const run = readFileSync(join(ROOT, '.ci/run'), 'utf8');
  expect(run).toMatch(/^beside guide npm run guide:check$/m);
  expect(run).toMatch(/^finish .*\bguide\b/m);
});

describe('the list', () => {
  test.each(
    blocks
      .filter(({ block }) => isListed(block))
      .map(({ source, block }) => [`${source}:${block.line}`, block] as const),
  )('%s passes its checks', (_, block) => {
    expect(wrongUnexecuted(block)).toBeNull();
  });

  test('has no entry that no block uses', () => {
    const used = new Set([
      ...blocks.map(({ block }) => (block.directive.kind === 'not run' ? block.directive.name : '')),
      ...pages.map(({ markdown }) => pageNotRun(markdown)),
    ]);
    expect(Object.keys(UNEXECUTED).filter((name) => !used.has(name))).toEqual([]);
  });

  test('is the only way not to be run', () => {
    const block = { text: 'ls', directive: { kind: 'not run', name: 'no time' } } as const;
    expect(wrongUnexecuted(block)).toContain('no entry');
  });

  test.each([
    ['docker', 'docker compose up ('],
    ['docker', 'docker compose -f deploy/none.yaml up'],
    ['docker', 'docker compose run --rm gateway-7 keys list'],
    ['docker', 'docker compose run --rm gateway-1 keys create --teir premium'],
    ['a clone', 'npm ci && npm run begin'],
    ['an exchange', 'TICKWIRE_FEED=sim npm start'],
    [
      'settings of an agent',
      '{"mcpServers":{"tickwire":{"url":"http://127.0.0.1:8080/mpc","headers":{"X-API-Key":"tw_…"}}}}',
    ],
    ['a settings file', '{"feeds":"sim","venue":{}}'],
    ['news sources', '{"sources":[{"name":"ECB"}]}'],
    ['messages of a signal', '{"id":"sig_1"}'],
    ['an API of others', 'GET https://api.twelvedata.example/quote'],
    ['ccxt', 'exchange.fetch_ticker('],
    ['the charting library', 'new TradingView.widget({ symbol: "EURUSD" });'],
  ])('finds what is wrong with a block: %s, %s', (name, text) => {
    expect(wrongUnexecuted({ text, directive: { kind: 'not run', name } })).not.toBeNull();
  });
});
