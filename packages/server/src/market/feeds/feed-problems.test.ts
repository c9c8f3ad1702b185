import { beforeEach, describe, expect, test } from 'bun:test';
import { asSymbol, HOUR_MS, type MarketSymbol } from '@tickwire/engine';
import { silentLog } from '../../ops/log.ts';
import { failureOf } from './failure.ts';
import { FeedProblemLog } from './feed-problem-log.ts';
import { FeedProblems, NOTHING_REACHABLE, type VenueStatus } from './feed-problems.ts';

type Changing = { -readonly [K in keyof VenueStatus]: VenueStatus[K] };

const BTC = asSymbol('BTCUSDT');
const ETH = asSymbol('ETHUSDT');
const BLOCKED = failureOf('status 451', '');
let binance: Changing;
let bybit: Changing;
let owners: Map<MarketSymbol, string>;
let problems: FeedProblems;

beforeEach(() => {
  binance = { name: 'binance', title: 'Binance', state: 'live', symbols: [BTC, ETH], failure: null };
  bybit = { name: 'bybit', title: 'Bybit', state: 'live', symbols: [BTC], failure: null };
  owners = new Map([
    [BTC, 'binance'],
    [ETH, 'binance'],
  ]);
  const venues = [binance, bybit];
  problems = new FeedProblems(() => venues, {
    candidates: (symbol) => venues.filter(({ symbols }) => symbols.includes(symbol)).map(({ name }) => name),
    owner: (symbol) => owners.get(symbol),
  });
});
const block = (venue: Changing): void => {
  Object.assign(venue, { state: 'waiting', failure: BLOCKED });
};

describe('problems of feeds', () => {
  test('are none while each venue delivers its symbols', () => {
    expect(problems.byFeed).toEqual(new Map());
    expect(problems.of(BTC)).toEqual({ feed: 'binance', problem: null });
    expect(problems.nothingReachable).toBeNull();
  });

  test('name the venue, the cause, and what replaces it', () => {
    block(binance);
    expect(problems.of(ETH)).toEqual({
      feed: null,
      problem: 'Binance refuses connections from this region (HTTP 451). Nothing replaces it.',
    });
    owners.set(BTC, 'bybit');
    expect(problems.byFeed.get('binance')).toBe(
      'Binance refuses connections from this region (HTTP 451). BTCUSDT now comes from Bybit. Nothing replaces it for ETHUSDT.',
    );
    expect(problems.of(BTC)).toEqual({
      feed: 'bybit',
      problem: 'Binance refuses connections from this region (HTTP 451). BTCUSDT now comes from Bybit.',
    });
  });

  test('say nothing of an instrument whose first venue works, and only that others deliver it of the venue that does not', () => {
    block(bybit);
    expect(problems.of(BTC)).toEqual({ feed: 'binance', problem: null });
    expect(problems.byFeed.get('bybit')).toEndWith('(HTTP 451). Other venues deliver its instruments.');
  });

  test('are those of single symbols if a venue that works does not deliver them', () => {
    binance.refused = new Map([
      [BTC, 'not offered'],
      [ETH, 'not trading'],
    ]);
    owners.set(BTC, 'bybit');
    expect(problems.byFeed.get('binance')).toBe(
      'Binance does not offer BTCUSDT. BTCUSDT now comes from Bybit. Binance has halted ETHUSDT. Nothing replaces it.',
    );
    expect(problems.of(ETH)).toEqual({ feed: null, problem: 'Binance has halted ETHUSDT. Nothing replaces it.' });
  });

  test('do not take an instrument for delivered that the venue has not subscribed to', () => {
    binance.isSubscribed = (symbol) => symbol !== ETH;
    expect(problems.of(BTC).feed).toBe('binance');
    expect(problems.of(ETH).feed).toBeNull();
  });

  test('list a few of many symbols', () => {
    binance.symbols = bybit.symbols = Array.from({ length: 8 }, (_, n) => asSymbol(`C${n}USDT`));
    owners = new Map(binance.symbols.map((symbol) => [symbol, 'bybit']));
    block(binance);
    expect(problems.byFeed.get('binance')).toContain('C0USDT, C1USDT, C2USDT, C3USDT, C4USDT and 3 more now come from');
  });

  test('are that no feed offers an instrument, unless it may be pushed', () => {
    const unknown = asSymbol('XAUUSD');
    const delivery = { candidates: () => [], owner: () => undefined };
    expect(problems.of(unknown)).toEqual({ feed: null, problem: 'No configured feed offers XAUUSD.' });
    expect(new FeedProblems(() => [binance], delivery, true).of(unknown)).toEqual({ feed: null, problem: null });
  });

  test('become one, with a way out, if nothing is reachable', () => {
    block(binance);
    block(bybit);
    expect(problems.nothingReachable).toBe(NOTHING_REACHABLE);
    expect(problems.of(BTC)).toEqual({ feed: null, problem: NOTHING_REACHABLE });
    const delivery = { candidates: () => [], owner: () => undefined };
    expect(
      new FeedProblems(
        () => [binance, bybit],
        delivery,
        true,
        () => true,
      ).nothingReachable,
    ).toBeNull();
  });
});

describe('the log of problems', () => {
  let lines: string[];
  let time: number;
  let log: FeedProblemLog;
  beforeEach(() => {
    lines = [];
    time = 1_000_000;
    log = new FeedProblemLog(problems, { ...silentLog, warn: (message) => lines.push(message) });
  });
  const pass = (ms: number): void => {
    for (const end = time + ms; time < end; time += 1_000) log.check(time);
  };

  test('has one line for a problem, however often the venue is tried, then further ones at growing intervals', () => {
    block(binance);
    owners.set(BTC, 'bybit');
    pass(59_000);
    expect(lines).toHaveLength(1);
    pass(6 * HOUR_MS);
    expect(lines.length).toBeWithin(8, 13);
    expect(new Set(lines).size).toBe(1);
  });

  test('waits for the replacement, so that the first line names it', () => {
    block(binance);
    pass(9_000);
    expect(lines).toEqual([]);
    owners.set(BTC, 'bybit');
    pass(5_000);
    expect(lines).toEqual([problems.byFeed.get('binance')!]);
    expect(lines[0]).toContain('now comes from Bybit');
  });

  test('has a line for another cause, but none for other figures of the same one', () => {
    bybit.symbols = [];
    binance.state = 'waiting';
    for (const seconds of [31, 32, 33]) {
      binance.failure = failureOf(`silent for ${seconds} s`, 'binance');
      pass(2_000);
    }
    expect(lines).toHaveLength(1);
    binance.failure = BLOCKED;
    pass(2_000);
    expect(lines).toHaveLength(2);
  });

  test('takes a problem that returns soon for the same, and one that returns later for another', () => {
    bybit.symbols = [];
    for (const pause of [20_000, 120_000]) {
      block(binance);
      pass(2_000);
      Object.assign(binance, { state: 'live', failure: null });
      pass(pause);
    }
    expect(lines).toHaveLength(1);
    block(binance);
    pass(2_000);
    expect(lines).toHaveLength(2);
  });

  test('says once that nothing is reachable', () => {
    block(binance);
    block(bybit);
    pass(30_000);
    expect(lines.filter((line) => line === NOTHING_REACHABLE)).toHaveLength(1);
    expect(lines).toHaveLength(3);
  });
});
