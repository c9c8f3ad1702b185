// Random alerts over a stretch of recorded events, judged by the engine's book and by the naive judge.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import {
  AlertBook,
  type AlertInput,
  type AlertSpec,
  asEpochMs,
  type Bar,
  type EpochMs,
  type Firing,
  type InstrumentSpec,
  type PriceEvent,
  type WarmUp,
} from '@tickwire/engine';
import type { Random } from '../signals/random.fixture.ts';
import { NaiveAlert } from './naive-alerts.fixture.ts';
import { INTERVALS, NaiveMarket } from './naive-moments.fixture.ts';
import { RandomAlerts } from './random-alerts.fixture.ts';
import { recordedEvents } from './recorded-events.fixture.ts';

const FIRST_SEQ = 1_000;

interface SetAlert {
  readonly spec: AlertSpec;
  /** It is set before this event. */
  readonly at: number;
}

export interface Judged {
  readonly index: number;
  readonly alert: string;
  readonly cause: string;
  readonly time: number;
  /** `NaN` if several values began at the same moment. */
  readonly price: number | null;
}

export class AlertTrial {
  readonly events: readonly AlertInput[];
  readonly alerts: readonly SetAlert[];
  readonly #spec: InstrumentSpec;
  readonly #market: NaiveMarket;

  constructor(spec: InstrumentSpec, ticks: readonly PriceEvent[], count: number, random: Random) {
    this.#spec = spec;
    this.events = recordedEvents(spec, ticks, random);
    this.#market = new NaiveMarket(spec, this.events, FIRST_SEQ);
    const bids = ticks.flatMap((tick) => (tick.kind === 'quote' ? [tick.bid] : []));
    const range = { low: Math.min(...bids), high: Math.max(...bids) };
    const hasTrades = ticks.some(({ kind }) => kind === 'trade');
    const alerts = new RandomAlerts(random, spec, range, hasTrades);
    const times = timesOf(this.events);
    const places = Array.from({ length: count }, () =>
      random.chance(0.3) ? 1 : random.whole(1, Math.floor(this.events.length * 0.8)),
    ).sort((a, b) => a - b);
    this.alerts = places.map((at, n) => ({
      at,
      spec: alerts.next(`a${n}`, { seq: FIRST_SEQ + at - 1, time: times[at - 1]! }),
    }));
  }

  /** By the book. It is replaced by a new one with the saved states before each of the `cuts`. */
  judge(cuts: readonly number[] = []): Judged[] {
    const judged: Judged[] = [];
    let index = 0;
    const onFire = ({ alert, cause, time, price }: Firing): void =>
      void judged.push({ index, alert, cause, time, price });
    const instruments = [this.#spec];
    let book = new AlertBook({ instruments, onFire });
    let set = 0;
    for (; index < this.events.length; index++) {
      if (cuts.includes(index)) {
        const next = new AlertBook({ instruments, onFire });
        this.#seed(next, index);
        for (const { spec } of this.alerts.slice(0, set))
          next.add({ ...spec, state: book.stateOf(spec.id) }, this.#warmUp(index));
        book = next;
      }
      for (; set < this.alerts.length && this.alerts[set]!.at === index; set++)
        book.add(this.alerts[set]!.spec, this.#warmUp(index));
      book.read(FIRST_SEQ + index, this.events[index]!);
    }
    return judged;
  }

  /** By the naive judge. */
  expected(): Judged[] {
    const movesFrom = new Map<string, number>();
    for (const { spec, at } of this.alerts) {
      const moves = (spec.condition.type === 'all' ? spec.condition.of : [spec.condition]).filter(
        (condition) => condition.type === 'move',
      );
      for (const { side, minutes } of moves) {
        const key = `${side}:${minutes}`;
        const before = this.#market.moments.findLast(({ index }) => index < at);
        if (!movesFrom.has(key)) movesFrom.set(key, before?.counts[side] ?? 0);
      }
    }
    const judged = this.alerts.flatMap(({ spec, at }, ordinal) =>
      new NaiveAlert(spec, this.#spec, this.#market, movesFrom)
        .judge(at)
        .firings.map((firing) => ({ ordinal, judged: { alert: spec.id, ...firing } })),
    );
    return judged.sort((a, b) => a.judged.index - b.judged.index || a.ordinal - b.ordinal).map((each) => each.judged);
  }

  /** What a service that restarts knows besides the states: the standing prices and the calendar. */
  #seed(book: AlertBook, index: number): void {
    const last = this.#market.moments.findLast((moment) => moment.index < index);
    if (!last) return;
    const known = (price: number) => (Number.isNaN(price) ? undefined : price);
    const prices = { bid: known(last.bid), ask: known(last.ask), trade: known(last.trade) };
    book.seed(this.#spec.symbol, { ...(prices as object), time: asEpochMs(0) });
    for (const event of this.events.slice(0, index)) if (event.kind === 'calendar_item') book.read(null, event);
  }

  /** Closed bars and forming bars before an event. */
  #warmUp(index: number): WarmUp {
    const last = this.#market.moments.findLast((moment) => moment.index < index);
    const closed: Partial<Record<Timeframe, readonly Bar[]>> = {};
    const forming: Partial<Record<Timeframe, Bar>> = {};
    for (const [position, interval] of INTERVALS.entries()) {
      closed[interval] = this.#market.versions[position]![last?.bars[position] ?? 0]!;
      if (last) forming[interval] = formingBar(last.now, interval, last.volume[position]!, last.delta[position]!);
    }
    return { closed, forming };
  }
}

function formingBar(now: number, interval: Timeframe, volume: number, delta: number): Bar {
  const time = asEpochMs(now - (now % TIMEFRAME_MS[interval]));
  const [askVolume, bidVolume] = [(volume + delta) / 2, (volume - delta) / 2];
  return { time, open: 1, high: 1, low: 1, close: 1, volume, askVolume, bidVolume, basis: 'trade' };
}

/** The latest time of the market after each event. */
function timesOf(events: readonly AlertInput[]): EpochMs[] {
  let latest = 0;
  return events.map((event) => {
    if (event.kind === 'tick' || event.kind === 'flow' || event.kind === 'clock') latest = Math.max(latest, event.time);
    return asEpochMs(latest);
  });
}
