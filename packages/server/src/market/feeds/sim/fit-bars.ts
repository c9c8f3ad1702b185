// Fits drawn bars into a longer one, so that their aggregate is exactly that bar: its open, high, low, close and volumes.
//
// The drawn bars follow the path. They are moved as little and as smoothly as possible: a straight line corrects both ends, the
// distance from the line between open and close is scaled towards the right range, and an arch and a tent lift the highest
// point to the high and lower the lowest one to the low. What is left over becomes part of a wick, within the size of a usual
// move of a shorter bar, because the next shorter bars are fitted into these ones in the same way.
import type { DrawnBar } from './bar-draw.ts';
import type { BarSpan } from './bar-plan.ts';
import type { TickBar } from './tick-bar.ts';

/** Limits of the scaling of a range. */
const MIN_SCALE = 0.5;
const MAX_SCALE = 2;

/** `spans` and `drawn` belong together, ascending, at least one. `tickScale`: ticks per unit of price. */
export function fitBars(
  whole: TickBar,
  spans: readonly BarSpan[],
  drawn: readonly DrawnBar[],
  tickScale: number,
): TickBar[] {
  const shape = new Shape(whole, spans, drawn, tickScale);
  shape.scale();
  shape.reach(1);
  shape.reach(-1);
  const prices = shape.round();
  const steps = splitSteps(
    whole.steps,
    drawn.map((bar) => bar.steps),
  );
  const askSteps = splitWithin(
    whole.askSteps,
    drawn.map((bar, at) => Math.round((steps[at]! * bar.askSteps) / bar.steps)),
    steps,
  );
  return prices.map((price, at) => ({ ...price, steps: steps[at]!, askSteps: askSteps[at]! }));
}

/** Prices of the bars in ticks, not rounded, at places from 0 (start of the whole) to 1 (its end). */
class Shape {
  readonly #whole: TickBar;
  readonly #starts: number[] = [];
  readonly #middles: number[] = [];
  readonly #ends: number[] = [];
  readonly #opens: number[] = [];
  readonly #highs: number[] = [];
  readonly #lows: number[] = [];
  readonly #closes: number[] = [];

  constructor(whole: TickBar, spans: readonly BarSpan[], drawn: readonly DrawnBar[], tickScale: number) {
    this.#whole = whole;
    const start = spans[0]!.from;
    const length = spans.at(-1)!.to - start;
    for (const [at, { from, to }] of spans.entries()) {
      const { open, high, low, close } = drawn[at]!;
      this.#starts.push((from - start) / length);
      this.#ends.push((to - start) / length);
      this.#middles.push((from + to - 2 * start) / (2 * length));
      this.#opens.push(open * tickScale);
      this.#highs.push(high * tickScale);
      this.#lows.push(low * tickScale);
      this.#closes.push(close * tickScale);
    }
    // Moves both ends to the open and the close of the whole.
    const first = whole.open - this.#opens[0]!;
    const last = whole.close - this.#closes.at(-1)!;
    this.#change((value, place) => value + first + (last - first) * place);
  }

  /** Scales the distance from the line between open and close. */
  scale(): void {
    const { open, close, high, low } = this.#whole;
    const range = Math.max(...this.#highs) - Math.min(...this.#lows);
    if (range <= 0) return;
    const factor = Math.max(MIN_SCALE, Math.min(MAX_SCALE, (high - low) / range));
    this.#change((value, place) => {
      const line = open + (close - open) * place;
      return line + (value - line) * factor;
    });
  }

  /** Moves the highest point (sign 1) to the high, or the lowest one (−1) to the low. Nothing remains beyond it. */
  reach(sign: 1 | -1): void {
    const [limit, extremes] = sign > 0 ? [this.#whole.high, this.#highs] : [this.#whole.low, this.#lows];
    const arch = limit - extremes[farthest(extremes, sign)]!;
    this.#change((value, place) => {
      const moved = value + arch * 4 * place * (1 - place);
      // An arch downwards leaves the ends where they are: what is still beyond the limit is reflected.
      return sign * (moved - limit) > 0 ? 2 * limit - moved : moved;
    });
    const at = farthest(extremes, sign);
    const tent = limit - extremes[at]!;
    const top = this.#middles[at]!;
    this.#change((value, place) => value + tent * (place < top ? place / top : (1 - place) / (1 - top)));
    extremes[at] = limit;
  }

  /** Rounds to ticks within the whole bar, of which at least one bar has the high and one the low. */
  round(): Pick<TickBar, 'open' | 'high' | 'low' | 'close'>[] {
    const whole = this.#whole;
    const ticks = (value: number): number => Math.max(whole.low, Math.min(whole.high, Math.round(value)));
    const last = this.#opens.length - 1;
    const [highest, lowest] = [farthest(this.#highs, 1), farthest(this.#lows, -1)];
    return this.#opens.map((value, at) => {
      const open = at === 0 ? whole.open : ticks(value);
      const close = at === last ? whole.close : ticks(this.#closes[at]!);
      return {
        open,
        high: at === highest ? whole.high : Math.max(open, close, ticks(this.#highs[at]!)),
        low: at === lowest ? whole.low : Math.min(open, close, ticks(this.#lows[at]!)),
        close,
      };
    });
  }

  #change(moved: (value: number, place: number) => number): void {
    for (let at = 0; at < this.#opens.length; at++) {
      const open = moved(this.#opens[at]!, this.#starts[at]!);
      const close = moved(this.#closes[at]!, this.#ends[at]!);
      const high = moved(this.#highs[at]!, this.#middles[at]!);
      const low = moved(this.#lows[at]!, this.#middles[at]!);
      this.#opens[at] = open;
      this.#closes[at] = close;
      // A reflection may swap them.
      this.#highs[at] = Math.max(open, close, high, low);
      this.#lows[at] = Math.min(open, close, high, low);
    }
  }
}

/** Index of the highest (sign 1) or lowest (−1) value, the first of several. */
function farthest(values: readonly number[], sign: 1 | -1): number {
  let best = 0;
  for (let at = 1; at < values.length; at++) if (sign * (values[at]! - values[best]!) > 0) best = at;
  return best;
}

/** Splits an integer in proportion to the weights: every part has at least 1 if there is enough. */
export function splitSteps(total: number, weights: readonly number[]): number[] {
  const least = total >= weights.length ? 1 : 0;
  return proportional(total - least * weights.length, weights).map((part) => part + least);
}

/** Changes integer parts, each from 0 to its limit, so that they add up to `total`; that is at most the sum of the limits. */
export function splitWithin(total: number, parts: readonly number[], limits: readonly number[]): number[] {
  const missing = total - sum(parts);
  const room = missing >= 0 ? limits.map((limit, at) => limit - parts[at]!) : parts;
  const changes = proportional(Math.abs(missing), room);
  return parts.map((part, at) => part + (missing >= 0 ? changes[at]! : -changes[at]!));
}

/** Parts of an integer that add up to it. None is above its weight, rounded up, if the total is at most the sum of integer weights. */
function proportional(total: number, weights: readonly number[]): number[] {
  const all = sum(weights);
  let seen = 0;
  let given = 0;
  return weights.map((weight) => {
    seen += weight;
    const until = all > 0 ? Math.round((total * seen) / all) : 0;
    const part = until - given;
    given = until;
    return part;
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
