import { beforeEach, describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type FeedEvent } from '@tickwire/engine';
import { silentLog } from '../../ops/log.ts';
import { Failover } from './failover.ts';

const BTC = asSymbol('BTCUSD');
const ETH = asSymbol('ETHUSD');
let now = 1_000_000;
let accepted: FeedEvent[] = [];
/** Of each accepted batch. */
let sources: string[] = [];
let failover: Failover;
const quote = (symbol = BTC): FeedEvent => ({
  kind: 'quote',
  symbol,
  time: asEpochMs(now),
  bid: 1,
  ask: 2,
  bidSize: 0,
  askSize: 0,
});

beforeEach(() => {
  now = 1_000_000;
  accepted = [];
  sources = [];
  const accept = (events: readonly FeedEvent[], source: string): void => {
    accepted.push(...events);
    sources.push(source);
  };
  failover = new Failover({ accept, now: () => now, log: silentLog });
  failover.add('kraken', [BTC]);
  failover.add('coinbase', [BTC, ETH]);
  for (const source of ['kraken', 'coinbase']) failover.accept(source, []);
});

describe('Failover', () => {
  test('gives a symbol to the first configured source and drops events of the others', () => {
    failover.accept('coinbase', [quote(), quote(ETH)]);
    failover.accept('kraken', [quote()]);
    expect(accepted).toEqual([quote(ETH), quote()]);
    expect(sources).toEqual(['coinbase', 'kraken']);
    expect(failover.dropped).toBe(1);
  });

  test('fails over from an owner that stays down, and not back while the successor is up', () => {
    failover.markDown('kraken');
    now += 9_000;
    failover.check();
    expect(failover.owner(BTC)).toBe('kraken');
    now += 2_000;
    failover.check();
    expect(accepted).toEqual([{ kind: 'failover', symbols: [BTC], source: 'coinbase', time: asEpochMs(now) }]);
    failover.accept('kraken', [quote()]);
    failover.check();
    expect(failover.owner(BTC)).toBe('coinbase');
    failover.accept('coinbase', [quote()]);
    expect(sources).toEqual(['coinbase', 'coinbase']);
  });

  test('keeps an owner that comes back in time', () => {
    failover.markDown('kraken');
    now += 8_000;
    failover.accept('kraken', [quote()]);
    now += 8_000;
    failover.check();
    expect(failover.owner(BTC)).toBe('kraken');
  });

  test('changes nothing if every source is down', () => {
    failover.markDown('kraken');
    failover.markDown('coinbase');
    now += 60_000;
    failover.check();
    expect(accepted).toEqual([]);
    expect(failover.owner(ETH)).toBe('coinbase');
  });

  test('fails over at once from an owner that will not be back soon', () => {
    failover.markDown('kraken', true);
    failover.check();
    expect(failover.owner(BTC)).toBe('coinbase');
  });

  test('fails over a symbol that its owner refuses, and never to a source that refuses it', () => {
    const refused = new Set(['kraken BTCUSD']);
    const refuses = (source: string, symbol: string) => refused.has(`${source} ${symbol}`);
    failover = new Failover({ accept: (events) => accepted.push(...events), refuses, now: () => now, log: silentLog });
    for (const source of ['kraken', 'coinbase', 'bybit']) failover.add(source, [BTC, ETH]);
    for (const source of ['kraken', 'coinbase', 'bybit']) failover.accept(source, []);
    refused.add('coinbase BTCUSD');
    failover.check();
    expect([failover.owner(BTC), failover.owner(ETH)]).toEqual(['bybit', 'kraken']);
    expect(accepted).toEqual([{ kind: 'failover', symbols: [BTC], source: 'bybit', time: asEpochMs(now) }]);
  });

  test('limits status events to the symbols the source owns', () => {
    failover.accept('coinbase', [{ kind: 'disconnect', symbols: [BTC, ETH], time: asEpochMs(now) }]);
    expect(accepted).toEqual([{ kind: 'disconnect', symbols: [ETH], time: asEpochMs(now) }]);
  });
});
