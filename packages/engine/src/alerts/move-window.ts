// The move of a price within the last minutes, in percent: up from the lowest price, down from the highest. Each is kept in a
// monotonic queue, so that a price costs the same however long the time is. Prices are in ticks.
import { MINUTE_MS } from '../market/time.ts';
import { ValueStream } from './value-stream.ts';

type Point = readonly [time: number, ticks: number];

export interface SavedMoveWindow {
  readonly lows: readonly Point[];
  readonly highs: readonly Point[];
}

/** The lowest of the last values. For the highest, negate them. */
class LowestOf {
  /** Times and values that are in force lie from `head` to `end`; what lies behind is overwritten. */
  #times = new Float64Array(64);
  #values = new Float64Array(64);
  #head = 0;
  #end = 0;

  /** The lowest value and its time. There is one. */
  get lowest(): number {
    return this.#values[this.#head]!;
  }

  get time(): number {
    return this.#times[this.#head]!;
  }

  add(time: number, value: number): void {
    const values = this.#values;
    let end = this.#end;
    while (end > this.#head && values[end - 1]! >= value) end--;
    this.#end = end;
    if (end === values.length) this.#makeRoom();
    this.#times[this.#end] = time;
    this.#values[this.#end++] = value;
  }

  /** Forgets values that are older than `from`, but not the newest. */
  drop(from: number): void {
    while (this.#head < this.#end - 1 && this.#times[this.#head]! < from) this.#head++;
  }

  get points(): Point[] {
    const points: Point[] = [];
    for (let at = this.#head; at < this.#end; at++) points.push([this.#times[at]!, this.#values[at]!]);
    return points;
  }

  set points(points: readonly Point[]) {
    this.#head = this.#end = 0;
    for (const [time, value] of points) this.add(time, value);
  }

  /** Moves what is in force to the start, into twice the space if it fills more than half of it. */
  #makeRoom(): void {
    const length = this.#end - this.#head;
    const space = length * 2 > this.#values.length ? this.#values.length * 2 : this.#values.length;
    const [times, values] = [new Float64Array(space), new Float64Array(space)];
    times.set(this.#times.subarray(this.#head, this.#end));
    values.set(this.#values.subarray(this.#head, this.#end));
    [this.#times, this.#values] = [times, values];
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
    return { lows: this.lows.points, highs: this.highs.points };
  }

  restore({ lows, highs }: SavedMoveWindow): void {
    const last = lows.at(-1);
    if (!last) return;
    this.lows.points = lows;
    this.highs.points = highs;
    this.measure(last[0], last[1]);
  }
}
