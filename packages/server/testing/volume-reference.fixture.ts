// A second implementation of volume at price, over plain trades: for tests only, as short as possible, without any code of the
// service. Sizes are whole numbers of 1e-8.
import { gunzipSync } from 'node:zlib';

export interface RawTrade {
  readonly time: number;
  readonly price: number;
  /** In 1e-8. */
  readonly size: bigint;
  readonly side: 'buy' | 'sell';
}

export interface ReferenceLevel {
  readonly price: number;
  readonly buy: bigint;
  readonly sell: bigint;
}

/** The trades of a recording of Binance streams, straight from its lines. `m`: the buyer is the maker, so the taker sold. */
export function binanceTrades(file: Uint8Array): RawTrade[] {
  const trades: RawTrade[] = [];
  for (const line of new TextDecoder().decode(gunzipSync(file)).split('\n')) {
    if (!line.includes('@trade')) continue;
    const { T, p, q, m } = JSON.parse(line.slice(line.indexOf(' ') + 1)).data;
    trades.push({ time: T, price: Number(p), size: BigInt(q.replace('.', '')), side: m ? 'sell' : 'buy' });
  }
  return trades;
}

/** Levels of `height` (a multiple of 0.01), ascending. */
export function levelsOf(trades: readonly RawTrade[], height: number): ReferenceLevel[] {
  const step = Math.round(height * 100);
  const levels = new Map<number, { buy: bigint; sell: bigint }>();
  for (const { price, size, side } of trades) {
    const at = Math.floor(Math.round(price * 100) / step) * step;
    const level = levels.get(at) ?? { buy: 0n, sell: 0n };
    level[side] += size;
    levels.set(at, level);
  }
  return [...levels].sort(([a], [b]) => a - b).map(([at, level]) => ({ price: at / 100, ...level }));
}

/** Point of control and value area, by the rules of docs/order-flow.md. */
export function referenceArea(levels: readonly ReferenceLevel[]): { poc: number; low: number; high: number } {
  const volume = levels.map(({ buy, sell }) => buy + sell);
  const middle = (levels[0]!.price + levels.at(-1)!.price) / 2;
  const most = volume.reduce((a, b) => (a > b ? a : b));
  const [poc] = levels
    .map(({ price }, at) => ({ at, price }))
    .filter(({ at }) => volume[at] === most)
    .sort((a, b) => Math.abs(a.price - middle) - Math.abs(b.price - middle) || a.price - b.price);
  const total = volume.reduce((a, b) => a + b);
  let [low, high, inside] = [poc!.at, poc!.at, most];
  while (inside * 10n < total * 7n) {
    const [below, above] = [volume[low - 1] ?? -1n, volume[high + 1] ?? -1n];
    inside += above >= below ? volume[++high]! : volume[--low]!;
  }
  return { poc: poc!.price, low: levels[low]!.price, high: levels[high]!.price };
}
