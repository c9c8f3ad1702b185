import { expect, test } from 'bun:test';
import { newLiquidations } from './liquidations.ts';
import { type ChartLiquidation, liquidatedIn } from './liquidations-part.ts';

const MINUTE_MS = 60_000;
const liquidation = (time: number, side: ChartLiquidation['side'], price: number, size: number): ChartLiquidation => ({
  time,
  side,
  price,
  size,
});

test('the legend adds up what was liquidated in a bar, long and short positions apart', () => {
  const all = [
    liquidation(59, 'sell', 100, 1),
    liquidation(60, 'sell', 100, 200),
    liquidation(61, 'buy', 50, 10),
    liquidation(119, 'sell', 101, 100),
    liquidation(120, 'buy', 100, 1),
  ];
  expect(liquidatedIn(all, MINUTE_MS, 2 * MINUTE_MS)).toEqual([
    { name: 'Longs liquidated', text: '30.1k', words: 'Longs liquidated 30.1k' },
    { name: 'Shorts liquidated', text: '500', words: 'Shorts liquidated 500' },
  ]);
});

test('a bar without liquidations has no figures', () => {
  expect(liquidatedIn([liquidation(59, 'sell', 100, 1)], MINUTE_MS, 2 * MINUTE_MS)).toEqual([]);
});

test('a chart that was closed while the part was loaded gets none', async () => {
  const end = new AbortController();
  const used: PropertyKey[] = [];
  const host = new Proxy({ signal: end.signal } as Record<PropertyKey, unknown>, {
    get: (target, name) => {
      used.push(name);
      return target[name];
    },
  });
  const opened = newLiquidations(host as never).open?.({ instrument: { symbol: 'BTCUSDT.P' } } as never);
  end.abort();
  await opened;
  expect(used).toEqual(['signal']);
});
