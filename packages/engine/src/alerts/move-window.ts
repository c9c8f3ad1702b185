// The move of a price within the last minutes, in percent: up from the lowest price, down from the highest. A price stands until
// the next one, so the price that stood when the time began counts, however old it is. Each extreme is kept in a monotonic queue,
// so that a price costs the same however long the time is. Prices are in ticks.
import { MINUTE_MS } from '../market/time.ts';
import { ValueStream } from './value-stream.ts';

/** `until`: when the next price came; of the newest price, its own time. */
type Point = readonly [until: number, ticks: number];

export interface SavedMoveWindow {
  readonly lows: readonly Point[];
  readonly highs: readonly Point[];
}

/** The lowest of the last values. For the highest, negate them. */
class LowestOf {
  /** Values that are in force lie from `head` to `end`, with the times until which they stood; what lies behind is overwritten. */
  #untils = new Float64Array(64);
  #values = new Float64Array(64);
  #head = 0;
  #end = 0;

  /** The lowest value, and until when it stood; infinite if it still stands. There is one. */
  get lowest(): number {
    return this.#values[this.#head]!;
  }

  get until(): number {
    return this.#untils[this.#head]!;
  }

  /** The newest value stood until this time. */
  replace(time: number): void {
    if (this.#end > this.#head) this.#untils[this.#end - 1] = time;
  }

  add(value: number, until = Number.POSITIVE_INFINITY): void {
    const values = this.#values;
    let end = this.#end;
    while (end > this.#head && values[end - 1]! >= value) end--;
    this.#end = end;
    if (end === values.length) this.#makeRoom();
    this.#untils[this.#end] = until;
    this.#values[this.#end++] = value;
  }

  /** Forgets values that did not stand after `from`. The newest still stands. */
  drop(from: number): void {
    while (this.#head < this.#end - 1 && this.#untils[this.#head]! <= from) this.#head++;
  }

  /** `newest`: time of the newest value. */
  save(newest: number): Point[] {
    const points: Point[] = [];
    for (let at = this.#head; at < this.#end; at++)
      points.push([Math.min(this.#untils[at]!, newest), this.#values[at]!]);
    return points;
  }

  restore(points: readonly Point[]): void {
    this.#head = this.#end = 0;
    for (const [until, value] of points) this.add(value, until);
    this.replace(Number.POSITIVE_INFINITY);
  }

  /** Moves what is in force to the start, into twice the space if it fills more than half of it. */
  #makeRoom(): void {
    const length = this.#end - this.#head;
    const space = length * 2 > this.#values.length ? this.#values.length * 2 : this.#values.length;
    const [untils, values] = [new Float64Array(space), new Float64Array(space)];
    untils.set(this.#untils.subarray(this.#head, this.#end));
    values.set(this.#values.subarray(this.#head, this.#end));
    [this.#untils, this.#values] = [untils, values];
    this.#head = 0;
    this.#end = length;
  }
}

/** Its streams have the move at the last call of `measure`. */
export class MoveWindow {
  readonly up: ValueStream;
  readonly down: ValueStream;
  /** Newest price that was measured; 0 until there is one. */
  ticks = 0;
  /** Time of the newest price that was taken or measured. */
  time = 0;
  readonly minutes: number;
  readonly lengthMs: number;
  readonly lows = new LowestOf();
  readonly highs = new LowestOf();

  /** `onWatch`: called when other levels of the move are waited for. */
  constructor(minutes: number, onWatch: () => void) {
    this.minutes = minutes;
    this.lengthMs = minutes * MINUTE_MS;
    this.up = new ValueStream(onWatch);
    this.down = new ValueStream(onWatch);
  }

  /** The move at the newest price, which has been added to `lows` and `highs`. */
  measure(time: number, ticks: number): void {
    this.ticks = ticks;
    this.time = time;
    const from = time - this.lengthMs;
    this.lows.drop(from);
    this.highs.drop(from);
    const low = this.lows.lowest;
    const high = -this.highs.lowest;
    // One division of whole numbers: a move of exactly the percentage is equal to it.
    this.up.value = ((ticks - low) * 100) / low;
    this.down.value = ((high - ticks) * 100) / high;
  }

  wake(): void {
    this.up.wake();
    this.down.wake();
  }

  save(): SavedMoveWindow {
    return { lows: this.lows.save(this.time), highs: this.highs.save(this.time) };
  }

  restore({ lows, highs }: SavedMoveWindow): void {
    const last = lows.at(-1);
    if (!last) return;
    this.lows.restore(lows);
    this.highs.restore(highs);
    this.measure(last[0], last[1]);
  }
}
