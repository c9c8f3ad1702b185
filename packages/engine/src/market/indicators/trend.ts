// Direction and strength of a trend.
import { type IndicatorBar, type IndicatorFormula, int, runOf, wilderSettledAfter } from './indicator.ts';
import { AfterStart, AverageTrueRange, Previous, TrueRange, wilder } from './running.ts';

export const ADX: IndicatorFormula = {
  settledAfter: (inputs) => 2 * wilderSettledAfter(int(inputs)),
  start: (inputs) => {
    const length = int(inputs);
    const [highs, lows, ranges] = [new Previous(), new Previous(), new TrueRange()];
    const [range, plus, minus] = [0, 1, 2].map(() => new AfterStart(wilder(length))) as [
      AfterStart,
      AfterStart,
      AfterStart,
    ];
    const [strength, lastStrength] = [new AfterStart(wilder(length)), new Previous()];
    return runOf([highs, lows, ranges, range, plus, minus, strength, lastStrength], (bar, final) => {
      const up = bar.high - highs.step(bar.high, final);
      const down = lows.step(bar.low, final) - bar.low;
      const average = range.step(ranges.step(bar, final), final);
      const rising = plus.step(movement(up, down), final);
      const falling = minus.step(movement(down, up), final);
      const [plusDi, minusDi] = average === 0 ? [0, 0] : [(100 * rising) / average, (100 * falling) / average];
      const total = plusDi + minusDi;
      const before = lastStrength.step(Number.NaN, false);
      const now = total === 0 ? (Number.isNaN(before) ? 0 : before) : (100 * Math.abs(plusDi - minusDi)) / total;
      if (final) lastStrength.step(now, true);
      return [strength.step(now, final), plusDi, minusDi];
    });
  },
};

/** Directional movement: only the larger of both counts, and only if it is positive. `NaN` for the first bar. */
const movement = (one: number, other: number): number =>
  Number.isNaN(one) ? Number.NaN : one > other && one > 0 ? one : 0;

interface Bands {
  readonly upper: number;
  readonly lower: number;
  readonly close: number;
  readonly rising: boolean;
  /** A band is the same in any longer history once a close beyond it has reset it. */
  readonly upperKnown: boolean;
  readonly lowerKnown: boolean;
}

export const SUPERTREND: IndicatorFormula = {
  settledAfter: (inputs) => wilderSettledAfter(int(inputs)),
  history: (inputs) => ({ kind: 'bars', count: 600 + wilderSettledAfter(int(inputs)), mayNeedMore: true }),
  start: (inputs) => {
    const range = new AverageTrueRange(int(inputs));
    const factor = int(inputs, 'factor');
    const rangeSettledAfter = wilderSettledAfter(int(inputs));
    let count = 0;
    let bands: Bands | null = null;
    let settled = false;
    return {
      get settled() {
        return settled;
      },
      update: (bar, final) => {
        const width = factor * range.step(bar, final);
        const position = count + 1;
        if (final) count = position;
        if (Number.isNaN(width)) return [Number.NaN, Number.NaN];
        const next = nextBands(bands, bar, width, position > rangeSettledAfter);
        settled = next.upperKnown && next.lowerKnown;
        if (final) bands = next;
        return next.rising ? [next.lower, 1] : [next.upper, -1];
      },
      save: () => {
        const [restore, countBefore, bandsBefore] = [range.save(), count, bands];
        return () => {
          restore();
          count = countBefore;
          bands = bandsBefore;
        };
      },
    };
  },
};

/** A band only moves towards the price, until a close beyond it turns the trend and resets it. */
function nextBands(before: Bands | null, bar: IndicatorBar, width: number, rangeSettled: boolean): Bands {
  const { high, low, close } = bar;
  const middle = (high + low) / 2;
  const [widest, deepest] = [middle + width, middle - width];
  if (!before) return { upper: widest, lower: deepest, close, rising: true, upperKnown: false, lowerKnown: false };
  const [resetsUpper, resetsLower] = [before.close > before.upper, before.close < before.lower];
  const upper = resetsUpper || widest < before.upper ? widest : before.upper;
  const lower = resetsLower || deepest > before.lower ? deepest : before.lower;
  return {
    upper,
    lower,
    close,
    rising: before.rising ? close >= lower : close > upper,
    upperKnown: before.upperKnown || (resetsUpper && rangeSettled),
    lowerKnown: before.lowerKnown || (resetsLower && rangeSettled),
  };
}

interface Stop {
  readonly rising: boolean;
  /** The stop of the next bar. */
  readonly sar: number;
  readonly extreme: number;
  readonly acceleration: number;
}

/** Paths from different starts meet after some turns of the trend: within ten on every recording. */
const TURNS_TO_SETTLE = 20;

export const PARABOLIC_SAR: IndicatorFormula = {
  settledAfter: () => 2,
  history: () => ({ kind: 'bars', count: 1_000, mayNeedMore: true }),
  start: (inputs) => {
    const [step, maximum] = [int(inputs, 'step'), Math.max(int(inputs, 'step'), int(inputs, 'maximum'))];
    let before: IndicatorBar | null = null;
    // The trend at the first bar is a guess. Both are followed until they agree.
    let [rising, falling]: [Stop | null, Stop | null] = [null, null];
    let turnsSinceAgreed = 0;
    let settled = false;
    return {
      get settled() {
        return settled;
      },
      update: (bar, final) => {
        if (!before) {
          if (final) before = bar;
          return [Number.NaN];
        }
        // Directional movement of the first two bars decides which guess is shown.
        const isUp = !(before.low - bar.low > Math.max(0, bar.high - before.high));
        const one = nextStop(rising ?? firstStop(before, bar, true, step), before, bar, step, maximum);
        const other = nextStop(falling ?? firstStop(before, bar, false, step), before, bar, step, maximum);
        const agree =
          one.next.rising === other.next.rising && one.next.sar === other.next.sar && one.value === other.value;
        const turns = rising?.rising === one.next.rising ? 0 : 1;
        const turned = agree ? turnsSinceAgreed + turns : 0;
        settled = turned >= TURNS_TO_SETTLE;
        const shown = rising || falling ? one : isUp ? one : other;
        if (final) {
          // The guess that is shown comes first from now on.
          [rising, falling] = shown === one ? [one.next, other.next] : [other.next, one.next];
          before = bar;
          turnsSinceAgreed = turned;
        }
        return [shown.value];
      },
      save: () => {
        const [bar, one, other, turns] = [before, rising, falling, turnsSinceAgreed];
        return () => {
          before = bar;
          [rising, falling] = [one, other];
          turnsSinceAgreed = turns;
        };
      },
    };
  },
};

const firstStop = (before: IndicatorBar, bar: IndicatorBar, rising: boolean, step: number): Stop => ({
  rising,
  sar: rising ? before.low : before.high,
  extreme: rising ? bar.high : bar.low,
  acceleration: step,
});

/** The stop for this bar, and the state after it. Falling trends are mirrored, so that one set of rules covers both. */
function nextStop(
  { rising, sar, extreme, acceleration }: Stop,
  before: IndicatorBar,
  bar: IndicatorBar,
  step: number,
  maximum: number,
): { readonly value: number; readonly next: Stop } {
  const sign = rising ? 1 : -1;
  const [low, high] = rising ? [bar.low, bar.high] : [-bar.high, -bar.low];
  const [lowBefore, highBefore] = rising ? [before.low, before.high] : [-before.high, -before.low];
  const [stop, best] = [sign * sar, sign * extreme];
  if (low <= stop) {
    // The trend turns: the stop is at the extreme, beyond the last two bars.
    const turned = Math.max(best, highBefore, high);
    const next = Math.max(turned + step * (low - turned), highBefore, high);
    return {
      value: sign * turned,
      next: { rising: !rising, sar: sign * next, extreme: sign * low, acceleration: step },
    };
  }
  const isNewExtreme = high > best;
  const top = isNewExtreme ? high : best;
  const faster = isNewExtreme ? Math.min(acceleration + step, maximum) : acceleration;
  const next = Math.min(stop + faster * (top - stop), lowBefore, low);
  return { value: sar, next: { rising, sar: sign * next, extreme: sign * top, acceleration: faster } };
}
