import { afterAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Markets } from '@tickwire/contract';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { type Config, type ConfigSources, loadConfig } from '../config/config.ts';
import { MARKETS_FILE, storedMarkets } from '../config/stored-markets.ts';
import { MarketChoice } from './market-choice.ts';

const root = temporaryFolder();
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;

function choiceWith({ flags, ...sources }: ConfigSources = {}) {
  const data = join(root, String(folders++));
  const load = (markets?: Markets): Config =>
    loadConfig({ env: {}, cwd: root, flags: { data, ...flags }, ...sources, ...(markets && { markets }) });
  return { choice: new MarketChoice(load(), load), load, data };
}
const refusalOf = (choice: MarketChoice, markets: Markets): string => {
  try {
    choice.prepare(markets);
  } catch (error) {
    expect(error).toMatchObject({ code: 'markets_fixed' });
    return (error as Error).message;
  }
  throw new Error('it was not refused');
};

test('a change is stored and reported at once, and a later configuration follows it', async () => {
  const { choice, load, data } = choiceWith();
  expect(choice.report()).toEqual({ markets: 'simulated', changing_to: null, fixed: null, failure: null });
  await choice.prepare('live')!();
  expect(choice.report()).toMatchObject({ markets: 'simulated', changing_to: 'live' });
  expect(storedMarkets(data)).toBe('live');
  expect(load()).toMatchObject({ realm: 'live', feedsFrom: null });
  const next = await choice.due;
  expect(next.realm).toBe('live');
  choice.started(next);
  expect(choice.report()).toEqual({ markets: 'live', changing_to: null, fixed: null, failure: null });
});

test('nothing happens for markets that run or are coming, and another change waits for the next start', async () => {
  const { choice, data } = choiceWith();
  expect(choice.prepare('simulated')).toBeNull();
  expect(existsSync(join(data, MARKETS_FILE))).toBe(false);
  const twice = choice.prepare('live')!;
  await choice.prepare('live')!();
  await twice();
  expect(choice.prepare('live')).toBeNull();
  expect(() => choice.prepare('simulated')).toThrow(expect.objectContaining({ code: 'shutting_down' }));
});

test('markets that could not start are named, and those before are stored again', async () => {
  const { choice, load, data } = choiceWith();
  const before = choice.config;
  await choice.prepare('live')!();
  choice.failed(before, await choice.due, new Error('market.db is damaged'));
  const failure = 'The live markets could not start: market.db is damaged.';
  expect(choice.report()).toMatchObject({ markets: 'simulated', changing_to: null, failure });
  choice.lost();
  expect(choice.report().failure).toBe(`${failure} Some of the last ticks of the markets before could not be stored.`);
  expect(storedMarkets(data)).toBe('simulated');
  expect(load().realm).toBe('sim');
  expect(choice.prepare('live')).toBeFunction();
});

test('what sets the feeds, or contradicts the other markets, is named in the refusal', () => {
  expect(refusalOf(choiceWith({ flags: { feeds: 'sim' } }).choice, 'live')).toContain('set by --feeds.');
  expect(refusalOf(choiceWith({ env: { TICKWIRE_FEEDS: 'push' } }).choice, 'simulated')).toContain('TICKWIRE_FEEDS');
  expect(refusalOf(choiceWith({ live: true }).choice, 'simulated')).toContain('set by --live.');
  expect(refusalOf(choiceWith({ flags: { news: 'sim' } }).choice, 'live')).toContain('TICKWIRE_NEWS is "sim"');
  expect(refusalOf(new MarketChoice(choiceWith().choice.config), 'live')).toContain('plays a recording');
  const cluster = { role: 'gateway', database_url: 'postgres://u@h/d', redis_url: 'redis://h' };
  const { choice } = choiceWith({ flags: cluster });
  expect(refusalOf(choice, 'live')).toContain('TICKWIRE_FEEDS for all of its nodes');
  expect(choice.report().fixed).toBe(refusalOf(choice, 'live'));
});

test('a choice that cannot be stored is refused, and nothing changes', async () => {
  const { choice, data } = choiceWith();
  mkdirSync(join(data, MARKETS_FILE), { recursive: true });
  await expect(choice.prepare('live')!()).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(choice.report().changing_to).toBeNull();
});
