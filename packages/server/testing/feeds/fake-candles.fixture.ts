// Candles of a fake exchange, made of the trades on its tape by an implementation of its own.
import type { FakeTape } from './fake-tape.fixture.ts';

export interface FakeCandle {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly bought: string;
}

/** The candles with `from` ≤ start ≤ `to` that have trades, ascending; the newest may be running. */
export function candlesOf(tape: FakeTape, symbol: string, length: number, from: number, to: number): FakeCandle[] {
  const inRange = tape.of(symbol).filter(({ timeUs }) => timeUs >= from * 1_000 && timeUs < (to + length) * 1_000);
  const groups = Map.groupBy(inRange, ({ timeUs }) => Math.floor(timeUs / 1_000 / length) * length);
  return [...groups]
    .filter(([time]) => time >= from && time <= to)
    .map(([time, trades]) => {
      const ascending = trades.toSorted((a, b) => Number(a.price) - Number(b.price));
      const sum = (list: typeof trades) => list.reduce((total, { size }) => total + Number(size), 0).toFixed(8);
      return {
        time,
        open: trades[0]!.price,
        high: ascending.at(-1)!.price,
        low: ascending[0]!.price,
        close: trades.at(-1)!.price,
        volume: sum(trades),
        bought: sum(trades.filter(({ taker }) => taker === 'buy')),
      };
    });
}
