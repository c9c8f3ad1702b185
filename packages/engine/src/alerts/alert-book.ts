// Judges alerts in journal order. Pure and synchronous: the same events give the same firings, also if the book was replaced
// in between by a new one with the saved states.
import { type AlertCondition, conditionsOf, isState, type SimpleCondition, type Timeframe } from '@tickwire/contract';
import type { ClockEvent, FlowEvent, TickEvent } from '../market/events.ts';
import type { InstrumentSpec, MarketSymbol } from '../market/instrument.ts';
import { PerInstrument } from '../market/per-instrument.ts';
import type { EpochMs } from '../market/time.ts';
import type { AlertInput, AlertSpec, Firing, StandingPrices, WarmUp, WarmUpNeed } from './alert.ts';
import { CalendarSchedule } from './calendar-schedule.ts';
import { closeLevel, levelsOf, type SavedShares, type Shared, TREND_LINE } from './condition-levels.ts';
import { HeadlineAlerts } from './headline-alerts.ts';
import { JudgedAlert, type SavedAlert } from './judged-alert.ts';
import { JudgingContext } from './judging-context.ts';
import { Market } from './market.ts';
import type { SavedMarket } from './saved-market.ts';
import { SignalAlerts } from './signal-alerts.ts';
import { Threshold } from './threshold.ts';
import { warmUpOf } from './warm-up.ts';

export interface AlertBookOptions {
  /** The list may grow. */
  readonly instruments: readonly InstrumentSpec[];
  /** Called at the end of `read`, in the order in which the alerts were added. */
  readonly onFire: (firing: Firing) => void;
}

interface SavedState {
  /** Decimals of the instrument's prices: everything else is in ticks. */
  readonly digits: number | null;
  readonly alert: SavedAlert;
  readonly market: SavedMarket | null;
  readonly shares: SavedShares;
  /** Clock of calendar alerts. */
  readonly clock: number | null;
}

interface BookEntry {
  readonly alert: JudgedAlert;
  readonly market: Market | null;
  readonly shared: readonly Shared[];
  readonly release: readonly (() => void)[];
}

export class AlertBook {
  readonly #markets: PerInstrument<Market>;
  readonly #entries = new Map<string, BookEntry>();
  readonly #context = new JudgingContext();
  readonly #calendar = new CalendarSchedule(this.#context);
  readonly #headlines = new HeadlineAlerts();
  readonly #signals = new SignalAlerts();
  readonly #onFire: (firing: Firing) => void;
  #ordinal = 0;
  #clock = Number.NEGATIVE_INFINITY;

  constructor({ instruments, onFire }: AlertBookOptions) {
    this.#markets = PerInstrument.of(instruments, (spec) => new Market(spec, this.#context));
    this.#onFire = onFire;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Levels that events had to look at so far: the work that alerts cost, apart from a few comparisons per event. */
  get looked(): number {
    let looked = 0;
    for (const market of this.#markets.values()) looked += market.looked;
    return looked;
  }

  /** Prices known before the first event. Call it before alerts are added. */
  seed(symbol: MarketSymbol, prices: StandingPrices): void {
    this.#markets.get(symbol)?.seed(prices);
  }

  /**
   * Judges an alert from the next event on. Replaces the one with its id. Its condition has passed `checkCondition`.
   * `warmUp`: what `warmUpOf` asks for, up to the last event that was read, or up to `newestBars` of the saved state.
   * An alert on an instrument that is not known is left out.
   */
  add(spec: AlertSpec, warmUp: WarmUp = {}): void {
    this.remove(spec.id);
    const market = spec.symbol === null ? null : this.#markets.get(spec.symbol);
    if (market === undefined) return;
    const saved = readState(spec, market);
    if (saved?.market) market?.restore(saved.market);
    if (saved?.clock) {
      this.#clock = Math.max(this.#clock, saved.clock);
      this.#calendar.restore(saved.clock);
    }
    const alert = new JudgedAlert(spec, this.#ordinal++, barOf(spec), () => market?.spreadTicks ?? 0, this.#context);
    const shared: Shared[] = [];
    const release: (() => void)[] = [];
    const conditions = conditionsOf(spec.condition);
    for (const condition of conditions) {
      if (market) {
        const found = levelsOf(condition, market, warmUp, saved?.shares ?? {}, spec.sinceTime);
        // A state on its own fires at the moment it begins.
        const thresholds = isState(condition) && conditions.length > 1 ? alert.states : alert.triggers;
        thresholds.push(...found.levels.map((level) => new Threshold(level, alert)));
        shared.push(...found.shared);
        release.push(...found.release);
      }
      if (!saved?.alert.done) this.#listen(alert, condition, market);
    }
    alert.start(saved?.alert ?? null);
    this.#entries.set(spec.id, { alert, market, shared, release });
  }

  /** Call once the alerts of an earlier run and what is left to judge of it are read: the service did not run until now. */
  resume(): void {
    for (const { clock } of this.#markets.values()) clock.resume();
  }

  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.alert.stop();
    for (const release of entry.release) release();
    this.#entries.delete(id);
  }

  /** Start of the newest closed bar that the indicators of an alert have read, by interval: part of its state. */
  newestBars(id: string): Partial<Record<Timeframe, number>> {
    const entry = this.#entries.get(id);
    const newest: Partial<Record<Timeframe, number>> = {};
    for (const condition of entry ? conditionsOf(entry.alert.spec.condition) : []) {
      if (condition.type !== 'indicator') continue;
      const bar = entry!.market?.indicators.get(condition.interval)?.newest;
      if (bar) newest[condition.interval] = bar.time;
    }
    return newest;
  }

  /** The state of an alert as of the last event: JSON for `AlertSpec.state`. */
  stateOf(id: string): string {
    const entry = this.#entries.get(id);
    if (!entry) throw new Error(`there is no alert ${id}`);
    const { alert, market, shared } = entry;
    return JSON.stringify({
      digits: market?.instrument.digits ?? null,
      alert: alert.save(),
      market: market?.save() ?? null,
      shares: Object.fromEntries(shared.map(({ key, save }) => [key, save()])),
      clock: Number.isFinite(this.#clock) ? this.#clock : null,
    } satisfies SavedState);
  }

  /**
   * Call for every event in journal order. `seq` is `null` for what is caught up from a store. Calendar items that were known
   * in the run before are read before the first clock event.
   */
  read(seq: number | null, event: AlertInput): void {
    // Most events: nothing is due, and nothing else is touched.
    if (event.kind === 'tick') {
      if (this.#markets.get(event.symbol)?.readTick(seq, event)) this.#context.flush(this.#onFire);
      return;
    }
    if (event.kind === 'flow') {
      if (this.#markets.get(event.symbol)?.readFlow(seq, event)) this.#context.flush(this.#onFire);
      return;
    }
    this.#readOther(seq, event);
  }

  #readOther(seq: number | null, event: Exclude<AlertInput, TickEvent | FlowEvent>): void {
    switch (event.kind) {
      case 'minute':
        this.#markets.get(event.symbol)?.readMinute(seq, event.bar);
        break;
      case 'bar':
        this.#markets.get(event.symbol)?.readBar(seq, event);
        break;
      case 'clock':
        this.#readClock(seq, event);
        break;
      case 'headline':
        this.#beginOutside(seq, event.time, `news:${event.id}`);
        this.#context.knownAt = event.knownAt ?? event.time;
        this.#headlines.read(event);
        break;
      case 'signal_happening':
        this.#beginOutside(seq, event.time, `signal:${event.n}:${event.happening}`);
        this.#signals.read(event);
        break;
      case 'calendar_item':
        this.#calendar.readItem(seq, event);
        break;
    }
    this.#context.flush(this.#onFire);
  }

  /** The history that `add` needs. */
  warmUpOf(condition: AlertCondition): readonly WarmUpNeed[] {
    return warmUpOf(condition);
  }

  /** An event from outside the market, with the time of its source. */
  #beginOutside(seq: number | null, time: EpochMs, cause: string): void {
    this.#context.begin(seq, time, cause);
    this.#context.ignoresTime = true;
  }

  #readClock(seq: number | null, { time }: ClockEvent): void {
    if (time < this.#clock) return;
    this.#clock = time;
    for (const market of this.#markets.values()) market.readClock(seq, time);
    this.#calendar.readClock(seq, time);
  }

  /** Moments that are not the crossing of a level. */
  #listen(alert: JudgedAlert, condition: SimpleCondition, market: Market | null): void {
    const join = <T>(alerts: { add(alert: JudgedAlert): T; delete(alert: JudgedAlert): boolean }): void => {
      alerts.add(alert);
      alert.leave.push(() => alerts.delete(alert));
    };
    switch (condition.type) {
      case 'bar_close': {
        const threshold = new Threshold(closeLevel(condition, market!), {
          // It keeps watching: each bar is a separate moment.
          begins: ({ level }) => alert.close(level.report().price!),
          ends: () => {},
          beginsLate: () => {},
        });
        threshold.watchBegin();
        alert.leave.push(() => threshold.unwatch());
        break;
      }
      case 'absorption':
        market!.absorption.alerts.set(alert, condition.side);
        alert.leave.push(() => market!.absorption.alerts.delete(alert));
        break;
      case 'market':
        join(condition.state === 'opens' ? market!.clock.opening : market!.clock.closing);
        break;
      case 'headline':
        this.#headlines.add(alert, condition);
        break;
      case 'signal':
        this.#signals.add(alert, condition);
        break;
      case 'calendar':
        this.#calendar.add(alert, condition);
        break;
      default:
        return;
    }
    alert.hasMoment = true;
  }
}

/** If the instrument got other decimals since, what is in ticks means nothing: the next price re-arms the alert. Lines count bars. */
function readState({ state }: AlertSpec, market: Market | null): SavedState | null {
  if (state === null) return null;
  const saved = JSON.parse(state) as SavedState;
  if (saved.digits === (market?.instrument.digits ?? null)) return saved;
  const shares = { [TREND_LINE]: saved.shares[TREND_LINE] };
  return { ...saved, market: null, shares, alert: { ...saved.alert, armed: [], clear: [], together: false } };
}

/** Bar of `once_per_bar`. */
function barOf({ interval, condition }: AlertSpec): Timeframe {
  if (interval) return interval;
  for (const each of conditionsOf(condition)) if ('interval' in each) return each.interval;
  return '1m';
}
