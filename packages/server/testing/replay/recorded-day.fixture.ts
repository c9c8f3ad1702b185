// A stretch of the past as a service has recorded it: random quotes and trades with late ticks, on the tape and as bars in a store,
// and a naive reference of what was known at any time.
import {
  asEpochMs,
  asSymbol,
  type Bar,
  CATALOGUE,
  Engine,
  type EngineEvent,
  type FlowEvent,
  type InstrumentSpec,
  MINUTE_MS,
  type PriceEvent,
  roundTo,
  SECOND_MS,
} from '@tickwire/engine';
import { Recorder } from '../../src/market/recorder.ts';
import { silentLog } from '../../src/ops/log.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { Random } from '../signals/random.fixture.ts';

export const EURUSD = asSymbol('EURUSD');
export const BTCUSD = asSymbol('BTCUSD');
export const SPECS: readonly InstrumentSpec[] = [EURUSD, BTCUSD].map((symbol) => ({
  ...CATALOGUE.find((spec) => spec.symbol === symbol)!,
}));

/** A tick with the time at which a replay plays it. */
export interface RecordedTick {
  readonly tick: PriceEvent;
  readonly arrival: number;
}

export interface RecordedPast {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly RecordedTick[];
}

/** Ticks in the order of arrival, some of them late. */
export function randomPast(from: number, to: number, seed: number): RecordedPast {
  const random = new Random(seed);
  const ticks: RecordedTick[] = [];
  for (const { symbol, digits } of SPECS) {
    const start = symbol === EURUSD ? 1.08 : 60_000;
    let price = start;
    const delayed: { readonly tick: PriceEvent; readonly due: number }[] = [];
    let newest = 0;
    const arrive = (tick: PriceEvent): void => {
      newest = Math.max(newest, tick.time);
      ticks.push({ tick, arrival: newest });
    };
    for (let time = from + random.whole(0, 5_000); time < to; time += random.magnitude(50, 90_000)) {
      while (delayed.length > 0 && delayed[0]!.due <= time) arrive(delayed.shift()!.tick);
      price = roundTo(price + start * (random.next() - 0.5) * 0.0004, digits);
      const at = { symbol, time: asEpochMs(time) };
      const isTrade = symbol === BTCUSD && random.chance(0.6);
      const tick: PriceEvent = isTrade
        ? {
            ...at,
            kind: 'trade',
            price,
            size: random.whole(1, 500) / 100,
            side: random.of(['buy', 'sell'] as const),
            sideMethod: null,
          }
        : {
            ...at,
            kind: 'quote',
            bid: price,
            ask: roundTo(price + 2 * 10 ** -digits, digits),
            bidSize: random.whole(0, 3),
            askSize: random.whole(0, 3),
          };
      if (random.chance(0.03)) delayed.push({ tick, due: time + random.whole(1, 9 * MINUTE_MS) });
      else arrive(tick);
      delayed.sort((a, b) => a.due - b.due);
    }
  }
  return { from, to, ticks: ticks.sort((a, b) => a.arrival - b.arrival) };
}

/** The same past up to a time, and another one from then on. */
export function otherwiseAfter({ from, to, ticks }: RecordedPast, time: number, seed: number): RecordedPast {
  const known = ticks.filter(({ arrival }) => arrival <= time);
  return { from, to, ticks: [...known, ...randomPast(time + 1, to, seed).ticks] };
}

/** Records ticks in the realm `live` of a data folder, as a service does while it runs. */
export async function record(folder: string, past: RecordedPast): Promise<void> {
  const { ticks, to } = past;
  const store = openSqliteStore({ folder, realm: 'live', exclusive: true });
  const recorder = new Recorder({ store: store.market, instruments: SPECS, log: silentLog, barsUntil: 0 });
  let seq = 1_000;
  await play(ticks, to, async (events) => {
    recorder.read({ firstSeq: seq, source: 'push:pub_test', events });
    seq += events.length;
    if (events.at(-1)?.kind === 'clock') await recorder.flush();
  });
  await recorder.drain();
  await store.market.setNumber('seq_reserved', seq + 1);
  await store.close();
}

/** What a service knew at a time: bars of minutes by symbol, and the newest trade. */
export interface KnownThen {
  readonly minutes: ReadonlyMap<string, Bar>;
  readonly flows: readonly FlowEvent[];
}

export async function knownAt({ ticks }: RecordedPast, clock: number): Promise<KnownThen> {
  const minutes = new Map<string, Bar>();
  const flows: FlowEvent[] = [];
  const engine = new Engine(SPECS);
  const arrived = ticks.filter(({ arrival }) => arrival <= clock);
  await play(
    arrived,
    clock,
    async (events) => {
      for (const event of events) {
        if (event.kind === 'bar' && event.timeframe === '1m')
          minutes.set(`${event.symbol} ${event.bar.time}`, event.bar);
        if (event.kind === 'flow') flows.push(event);
      }
    },
    engine,
  );
  for (const { symbol } of SPECS) {
    const bar = engine.forming(symbol, '1m');
    if (bar) minutes.set(`${symbol} ${bar.time}`, bar);
  }
  return { minutes, flows };
}

/** Runs ticks through an engine, with the clock of each second. */
async function play(
  ticks: readonly RecordedTick[],
  to: number,
  read: (events: readonly EngineEvent[]) => Promise<void>,
  engine = new Engine(SPECS),
): Promise<void> {
  let clock = ticks[0] ? ticks[0].arrival - (ticks[0].arrival % SECOND_MS) : to;
  const tellTime = async (time: number): Promise<void> => {
    const out: EngineEvent[] = [];
    engine.apply({ kind: 'clock', time: asEpochMs(time) }, out);
    await read(out);
  };
  for (const { tick, arrival } of ticks) {
    // Only full minutes close bars.
    for (let next = clock - (clock % MINUTE_MS) + MINUTE_MS; next <= arrival; next += MINUTE_MS) {
      await tellTime(next);
      clock = next;
    }
    const out: EngineEvent[] = [];
    engine.apply(tick, out);
    await read(out);
  }
  for (let next = clock - (clock % MINUTE_MS) + MINUTE_MS; next <= to; next += MINUTE_MS) {
    await tellTime(next);
    clock = next;
  }
}
