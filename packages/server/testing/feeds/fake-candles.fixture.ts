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
  const traded = tradedCandles(tape, symbol, length, from, to);
  if (tape.listedAt === null) return traded;
  const first = tape.of(symbol)[0];
  const end = Math.min(to + 1, floor(first ? first.timeUs / 1_000 : tape.now, length));
  const made: FakeCandle[] = [];
  for (let time = floor(Math.max(from, tape.listedAt) + length - 1, length); time < end; time += length)
    made.push(madeUp(time, length));
  return [...made, ...traded];
}

const floor = (time: number, length: number): number => Math.floor(time / length) * length;

/** Prices near those of the tape, continued by the next candle. */
function madeUp(time: number, length: number): FakeCandle {
  const [open, close] = [time, time + length].map((at) => 60_500 + 400 * Math.sin(at / 1e7)) as [number, number];
  return {
    time,
    open: open.toFixed(2),
    high: (Math.max(open, close) + 1).toFixed(2),
    low: (Math.min(open, close) - 1).toFixed(2),
    close: close.toFixed(2),
    volume: '2.50000000',
    bought: '1.00000000',
  };
}

function tradedCandles(tape: FakeTape, symbol: string, length: number, from: number, to: number): FakeCandle[] {
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
