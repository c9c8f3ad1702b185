import { describe, expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import { asEpochMs, asSymbol, DAY_MS, Engine, type EngineEvent, type MarketSymbol, MINUTE_MS } from '@tickwire/engine';
import { recording } from '../../../../testing/shared-data.fixture.ts';
import { loadInstruments } from '../../instruments.ts';
import { binanceMapper } from './binance/mapper.ts';

const SYMBOLS: readonly string[] = ['BTCUSDT', 'ETHUSDT'];

interface Recorded {
  readonly text: string;
  readonly receivedAt: number;
}

/** Messages of the streams that the venue subscribes to; the recording has others as well. */
async function recordedLines(symbol: string): Promise<Recorded[]> {
  const file = recording(`binance-spot/${symbol.toLowerCase()}_20240808.gz`);
  const lines = gunzipSync(await Bun.file(file).bytes())
    .toString()
    .split('\n');
  return lines
    .filter((line) => /@(trade|bookTicker)"/.test(line))
    .map((line) => ({ text: line.slice(line.indexOf('{')), receivedAt: Number(line.slice(0, 13)) }));
}

/** Sums of trade sizes by the start of their interval, straight from the raw messages. */
function tradedSizes(lines: readonly Recorded[], length: number): [number, number][] {
  const sums = new Map<number, number>();
  for (const { text } of lines) {
    const { stream, data } = JSON.parse(text) as { stream: string; data: { T: number; q: string } };
    if (!stream.endsWith('@trade')) continue;
    const start = data.T - (data.T % length);
    sums.set(start, (sums.get(start) ?? 0) + Number(data.q));
  }
  return [...sums].sort(([a], [b]) => a - b);
}

describe('the first bars of a venue', () => {
  test.each(SYMBOLS)('of %s have the traded volume, whatever is quoted before the first trade', async (code) => {
    const symbol: MarketSymbol = asSymbol(code);
    const instruments = loadInstruments({
      data: '/nonexistent',
      feeds: ['binance'],
      venues: {},
      instruments: null,
      realm: 'live',
    });
    const engine = new Engine(instruments);
    const map = binanceMapper(new Map([[code, symbol]]));
    const lines = await recordedLines(code);
    const out: EngineEvent[] = [];
    for (const { text, receivedAt } of lines)
      for (const event of map(text, receivedAt).events) engine.apply(event, out);
    const [first] = tradedSizes(lines, MINUTE_MS);
    engine.apply({ kind: 'clock', time: asEpochMs(first![0] + 2 * DAY_MS) }, out);
    for (const [timeframe, length] of [
      ['1m', MINUTE_MS],
      ['5m', 5 * MINUTE_MS],
      ['1d', DAY_MS],
    ] as const) {
      const bars = out.flatMap((event) => (event.kind === 'bar' && event.timeframe === timeframe ? [event.bar] : []));
      const expected = tradedSizes(lines, length);
      expect(bars.map(({ time, basis }) => [time as number, basis])).toEqual(expected.map(([time]) => [time, 'trade']));
      for (const [index, [, size]] of expected.entries()) expect(bars[index]!.volume).toBeCloseTo(size, 6);
    }
  });
});
