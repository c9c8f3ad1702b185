// Volume at price of a bar that is forming or has just closed, from memory alone.
import { TIMEFRAME_MS, type Timeframe } from '@tickwire/contract';
import {
  type Bar,
  explainsBar,
  type InstrumentSpec,
  MINUTE_MS,
  roundSize,
  shownLevelTicks,
  tradedVolume,
  VolumeByPrice,
  type VolumeLevel,
  type VolumeProfile,
} from '@tickwire/engine';
import type { VolumeSources } from './recorded-volume.ts';

/** Levels of one message. If a bar has more, its levels are made higher. */
export const MAX_LIVE_LEVELS = 500;
const STEPS = [2, 5, 10];

export interface Footprint {
  /** Height of a level in ticks. */
  readonly levelTicks: number;
  /** `null` without trades. */
  readonly profile: VolumeProfile | null;
  /** `SIDES_…` bits. */
  readonly sides: number;
  /** Traded volume whose prices are not known. */
  readonly uncovered: number;
}

interface Sum {
  readonly start: number;
  /** Start of the minute that is not included. */
  readonly without: number;
  levels: readonly VolumeLevel[];
  sides: number;
  uncovered: number;
}

export class LiveFootprint {
  readonly #sources: Pick<VolumeSources, 'view' | 'generate'>;
  readonly #spec: InstrumentSpec;
  readonly #timeframe: Timeframe;
  /** All minutes of a bar but the running one: they are added up once. */
  #closed: Sum | null = null;
  /** The newest footprint: many may ask for it before it changes. */
  #newest: { readonly start: number; readonly version: number; readonly footprint: Footprint } | null = null;

  constructor(sources: Pick<VolumeSources, 'view' | 'generate'>, spec: InstrumentSpec, timeframe: Timeframe) {
    this.#sources = sources;
    this.#spec = spec;
    this.#timeframe = timeframe;
  }

  /** A closed minute of the instrument was added or amended. */
  minuteChanged(): void {
    this.#closed = this.#newest = null;
  }

  /** The footprint of the bar that starts at `start`. `version` rises with each trade and minute of the instrument. */
  at(start: number, version: number): Footprint {
    const newest = this.#newest;
    if (newest?.start === start && newest.version === version) return newest.footprint;
    const footprint = this.#at(start);
    this.#newest = { start, version, footprint };
    return footprint;
  }

  #at(start: number): Footprint {
    const { view } = this.#sources;
    const { symbol } = this.#spec;
    const levelTicks = shownLevelTicks(this.#spec);
    const running = view.forming(symbol, '1m');
    const without = running?.time ?? 0;
    if (this.#closed?.start !== start || this.#closed.without !== without)
      this.#closed = this.#sum(
        start,
        without,
        view.recent(symbol, '1m', start, start + TIMEFRAME_MS[this.#timeframe] - 1),
      );
    const { levels, sides, uncovered } = this.#closed;
    const isInside = running && running.time >= start && running.time < start + TIMEFRAME_MS[this.#timeframe];
    const newest = isInside ? this.#sum(start, 0, [running]) : null;
    const byPrice = new VolumeByPrice(levelTicks);
    for (const level of levels) byPrice.add(level);
    for (const level of newest?.levels ?? []) byPrice.add(level);
    return {
      ...fitting(byPrice, levelTicks),
      sides: sides | (newest?.sides ?? 0),
      uncovered: roundSize(uncovered + (newest?.uncovered ?? 0)),
    };
  }

  #sum(start: number, without: number, minutes: readonly Bar[]): Sum {
    const { view, generate } = this.#sources;
    const byPrice = new VolumeByPrice(shownLevelTicks(this.#spec));
    const sum: Sum = { start, without, levels: [], sides: 0, uncovered: 0 };
    const [from, to] = [minutes[0]?.time ?? start, (minutes.at(-1)?.time ?? start) + MINUTE_MS];
    const histograms = new Map(view.histograms(this.#spec.symbol, from, to).map((each) => [each.time, each]));
    for (const bar of minutes) {
      const volume = tradedVolume(bar);
      if (bar.time === without || volume === 0) continue;
      const recorded = histograms.get(bar.time);
      const histogram = recorded && explainsBar(recorded, bar) ? recorded : generate?.(this.#spec, bar);
      if (!histogram) {
        sum.uncovered += volume;
        continue;
      }
      sum.sides |= histogram.sides;
      for (const level of histogram.levels) byPrice.add(level);
    }
    sum.levels = byPrice.levels();
    return sum;
  }
}

/** Makes levels higher until there are few enough. */
function fitting(byPrice: VolumeByPrice, levelTicks: number): Pick<Footprint, 'levelTicks' | 'profile'> {
  const profile = byPrice.profile();
  if (!profile || profile.levels.length <= MAX_LIVE_LEVELS) return { levelTicks, profile };
  for (let factor = 1; ; factor *= 10) {
    for (const step of STEPS) {
      const higher = new VolumeByPrice(levelTicks * factor * step);
      for (const level of profile.levels) higher.add(level);
      const fewer = higher.profile()!;
      if (fewer.levels.length <= MAX_LIVE_LEVELS) return { levelTicks: levelTicks * factor * step, profile: fewer };
    }
  }
}
