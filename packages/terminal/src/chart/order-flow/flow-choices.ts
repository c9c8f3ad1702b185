// What of the order flow is shown in the chart, stored in this browser.
import { type RecordStorage, readRecord, storeRecord } from '../../ui/stored-record.ts';
import type { AnchorChoice } from './cumulative-delta.ts';

export type ProfileRange = 'off' | 'view' | 'day' | 'fixed';
export type Edge = 'left' | 'right';

/** Times in milliseconds since the epoch. `to` is `null` while the range goes on to the newest bar. */
export interface FixedRange {
  readonly from: number;
  readonly to: number | null;
}

export interface FlowChoices {
  /** Delta and cumulative delta below the candles. */
  readonly delta: boolean;
  readonly anchor: AnchorChoice;
  /** Start of the cumulative delta by symbol, milliseconds since the epoch. */
  readonly anchorBars: Readonly<Record<string, number>>;
  readonly footprint: boolean;
  readonly profile: ProfileRange;
  readonly profileEdge: Edge;
  /** Fixed ranges of the volume profile by symbol. */
  readonly fixedRanges: Readonly<Record<string, FixedRange>>;
}

const NAME = 'tickwire.order-flow';
/** The oldest are dropped. */
const MAX_SYMBOLS = 50;
const ANCHORS: readonly AnchorChoice[] = ['auto', 'day', 'week', 'view', 'bar'];
const RANGES: readonly ProfileRange[] = ['off', 'view', 'day', 'fixed'];

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isRange = (value: unknown): value is FixedRange => {
  const { from, to } = Object(value) as Partial<FixedRange>;
  return isTime(from) && (to === null || (isTime(to) && to >= from));
};
function bySymbol<T>(stored: unknown, accept: (value: unknown) => value is T): Readonly<Record<string, T>> {
  const entries = Object.entries(Object(stored) as object).filter((entry): entry is [string, T] => accept(entry[1]));
  return Object.fromEntries(entries.slice(-MAX_SYMBOLS));
}

export function readFlowChoices(storage: RecordStorage): FlowChoices {
  const { delta, anchor, anchorBars, footprint, profile, profileEdge, fixedRanges } = readRecord(storage, NAME);
  return {
    delta: delta !== false,
    anchor: ANCHORS.find((each) => each === anchor) ?? 'auto',
    anchorBars: bySymbol(anchorBars, isTime),
    footprint: footprint === true,
    profile: RANGES.find((each) => each === profile) ?? 'off',
    profileEdge: profileEdge === 'left' ? 'left' : 'right',
    fixedRanges: bySymbol(fixedRanges, isRange),
  };
}

/** The choices of one chart. */
export class FlowSettings {
  readonly #storage: RecordStorage;
  readonly #onChange: (choices: FlowChoices, before: FlowChoices) => void;
  #choices: FlowChoices;

  constructor(storage: RecordStorage, onChange: (choices: FlowChoices, before: FlowChoices) => void) {
    this.#storage = storage;
    this.#onChange = onChange;
    this.#choices = readFlowChoices(storage);
  }

  get choices(): FlowChoices {
    return this.#choices;
  }

  change(changes: Partial<FlowChoices>): void {
    const before = this.#choices;
    this.#choices = { ...before, ...changes };
    storeRecord(this.#storage, NAME, this.#choices);
    this.#onChange(this.#choices, before);
  }

  /** Starts the cumulative delta of an instrument at a bar. */
  startSumAt(symbol: string, time: number): void {
    const { [symbol]: _, ...others } = this.#choices.anchorBars;
    this.change({ delta: true, anchor: 'bar', anchorBars: { ...others, [symbol]: time } });
  }

  /** Sets the fixed range of the volume profile of an instrument, and shows it. */
  setRange(symbol: string, range: FixedRange): void {
    const { [symbol]: _, ...others } = this.#choices.fixedRanges;
    this.change({ profile: 'fixed', fixedRanges: { ...others, [symbol]: range } });
  }
}
