import { beforeEach, describe, expect, test } from 'bun:test';
import { asEpochMs, asSymbol, type FeedEvent } from '@tickwire/engine';
import { silentLog } from '../ops/log.ts';
import { Ownership } from './ownership.ts';

const BTC = asSymbol('BTCUSD');
const ETH = asSymbol('ETHUSD');
let now = 1_000_000;
let accepted: FeedEvent[] = [];
/** Of each batch that was accepted. */
let sources: string[] = [];
let ownership: Ownership;
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
  ownership = new Ownership({ accept, now: () => now, log: silentLog });
  ownership.add('kraken', [BTC]);
  ownership.add('coinbase', [BTC, ETH]);
  for (const source of ['kraken', 'coinbase']) ownership.accept(source, []);
});

describe('ownership of symbols', () => {
  test('the first source that is configured owns a symbol; what another sends of it is dropped and counted', () => {
    ownership.accept('coinbase', [quote(), quote(ETH)]);
    ownership.accept('kraken', [quote()]);
    expect(accepted).toEqual([quote(ETH), quote()]);
    expect(sources).toEqual(['coinbase', 'kraken']);
    expect(ownership.dropped).toBe(1);
  });

  test('an owner that stays away hands over, which is declared, and gets nothing back while its heir lives', () => {
    ownership.lost('kraken');
    now += 9_000;
    ownership.watch();
    expect(ownership.owner(BTC)).toBe('kraken');
    now += 2_000;
    ownership.watch();
    expect(accepted).toEqual([{ kind: 'failover', symbols: [BTC], source: 'coinbase', time: asEpochMs(now) }]);
    ownership.accept('kraken', [quote()]);
    ownership.watch();
    expect(ownership.owner(BTC)).toBe('coinbase');
    ownership.accept('coinbase', [quote()]);
    expect(sources).toEqual(['coinbase', 'coinbase']);
  });

  test('an owner that comes back in time keeps its symbols', () => {
    ownership.lost('kraken');
    now += 8_000;
    ownership.accept('kraken', [quote()]);
    now += 8_000;
    ownership.watch();
    expect(ownership.owner(BTC)).toBe('kraken');
  });

  test('where every source is away nothing changes hands', () => {
    ownership.lost('kraken');
    ownership.lost('coinbase');
    now += 60_000;
    ownership.watch();
    expect(accepted).toEqual([]);
    expect(ownership.owner(ETH)).toBe('coinbase');
  });

  test('news of a feed names only the symbols it owns', () => {
    ownership.accept('coinbase', [{ kind: 'disconnect', symbols: [BTC, ETH], time: asEpochMs(now) }]);
    expect(accepted).toEqual([{ kind: 'disconnect', symbols: [ETH], time: asEpochMs(now) }]);
  });
});
