// A small chart of prices for a terminal, of block characters without colours.
const WIDTH = 60;
const HEIGHT = 8;
const BLOCKS = ['', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const EIGHTHS = 8;
/** Columns of time that are collected before they are joined in pairs. */
const MAX_BUCKETS = 1_024;
const FIRST_BUCKET_MS = 60_000;

interface Bucket {
  time: number;
  close: number;
  low: number;
  high: number;
}

/** Collects prices in any order of time, in bounded memory. */
export class PriceChart {
  readonly #buckets = new Map<number, Bucket>();
  #length = FIRST_BUCKET_MS;
  #from = Number.POSITIVE_INFINITY;

  add({ time, high, low, close }: Bucket): void {
    this.#from = Math.min(this.#from, time);
    this.#put({ time, high, low, close });
    while (this.#buckets.size > MAX_BUCKETS) {
      this.#length *= 2;
      const all = [...this.#buckets.values()];
      this.#buckets.clear();
      for (const bucket of all) this.#put(bucket);
    }
  }

  /** The lines of the chart; none if there are fewer than two different times. */
  lines(digits: number): string[] {
    const buckets = [...this.#buckets.values()].sort((a, b) => a.time - b.time);
    const to = buckets.at(-1)?.time ?? this.#from;
    if (buckets.length < 2) return [];
    const closes = columnsOf(buckets);
    const low = Math.min(...buckets.map((bucket) => bucket.low));
    const high = Math.max(...buckets.map((bucket) => bucket.high));
    const levels = closes.map((close) =>
      close === null ? 0 : Math.max(1, Math.round(((close - low) / (high - low || 1)) * HEIGHT * EIGHTHS)),
    );
    const [top, bottom] = [high.toFixed(digits), low.toFixed(digits)];
    const width = Math.max(top.length, bottom.length);
    const rows = Array.from({ length: HEIGHT }, (_, row) => {
      const base = (HEIGHT - 1 - row) * EIGHTHS;
      const cells = levels.map((level) => BLOCKS[Math.min(EIGHTHS, Math.max(0, level - base))] || ' ').join('');
      const label = row === 0 ? top : row === HEIGHT - 1 ? bottom : '';
      return `${label.padStart(width)} |${cells}`.trimEnd();
    });
    const from = minuteText(this.#from);
    return [...rows, `${' '.repeat(width + 2)}${from}${minuteText(to).padStart(closes.length - from.length)}`];
  }

  #put(bucket: Bucket): void {
    const start = bucket.time - (bucket.time % this.#length);
    const known = this.#buckets.get(start);
    if (!known) {
      this.#buckets.set(start, { ...bucket });
      return;
    }
    if (bucket.time >= known.time) known.close = bucket.close;
    known.time = Math.max(known.time, bucket.time);
    known.low = Math.min(known.low, bucket.low);
    known.high = Math.max(known.high, bucket.high);
  }
}

/** The last close of each column; `null` in one without data. Few bars are drawn wider. */
function columnsOf(buckets: readonly Bucket[]): (number | null)[] {
  const from = buckets[0]!.time;
  const span = buckets.at(-1)!.time - from;
  const step = Math.min(...buckets.slice(1).map(({ time }, index) => time - buckets[index]!.time));
  const count = Math.min(WIDTH, Math.round(span / step) + 1);
  const columns: (number | null)[] = Array(count).fill(null);
  for (const { time, close } of buckets) columns[Math.round(((time - from) / span) * (count - 1))] = close;
  const width = Math.floor(WIDTH / count);
  return columns.flatMap((close) => Array(width).fill(close) as (number | null)[]);
}

const minuteText = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ');
