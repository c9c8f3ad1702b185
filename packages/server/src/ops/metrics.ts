// Metrics in the Prometheus text format. Parts keep plain counters; a metric is a function that reads them on each scrape.

type Labels = Readonly<Record<string, string>>;
type Reading = number | readonly (readonly [Labels, number])[];

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly lines: () => string[];
}

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const labelled = (name: string, labels: Labels): string => {
  const list = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`);
  return list.length > 0 ? `${name}{${list.join(',')}}` : name;
};

/** Latencies in seconds, from a tenth of a millisecond to seconds. */
const BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5];

export class Histogram {
  readonly counts = new Float64Array(BUCKETS.length + 1);
  sum = 0;

  observe(seconds: number): void {
    let index = 0;
    while (index < BUCKETS.length && seconds > BUCKETS[index]!) index++;
    this.counts[index]!++;
    this.sum += seconds;
  }
}

/** Counts occurrences of small integers, such as HTTP statuses. */
export class CountsByValue {
  readonly #counts: Float64Array;

  /** Accepts integers from 0 to `end` − 1. */
  constructor(end: number) {
    this.#counts = new Float64Array(end);
  }

  add(value: number): void {
    this.#counts[value]!++;
  }

  *[Symbol.iterator](): Generator<readonly [value: number, count: number]> {
    for (let value = 0; value < this.#counts.length; value++)
      if (this.#counts[value]! > 0) yield [value, this.#counts[value]!];
  }
}

export class Metrics {
  readonly #metrics: Metric[] = [];

  counter(name: string, help: string, read: () => Reading): void {
    this.#add(name, help, 'counter', read);
  }

  gauge(name: string, help: string, read: () => Reading): void {
    this.#add(name, help, 'gauge', read);
  }

  histogram(name: string, help: string, histogram: Histogram): void {
    const lines = (): string[] => {
      let below = 0;
      const buckets = BUCKETS.map((bound, index) => {
        below += histogram.counts[index]!;
        return `${name}_bucket{le="${bound}"} ${below}`;
      });
      const total = below + histogram.counts[BUCKETS.length]!;
      return [
        ...buckets,
        `${name}_bucket{le="+Inf"} ${total}`,
        `${name}_sum ${histogram.sum}`,
        `${name}_count ${total}`,
      ];
    };
    this.#metrics.push({ name, help, type: 'histogram', lines });
  }

  render(): string {
    return this.#metrics
      .map(({ name, help, type, lines }) =>
        [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines(), ''].join('\n'),
      )
      .join('');
  }

  #add(name: string, help: string, type: 'counter' | 'gauge', read: () => Reading): void {
    const lines = (): string[] => {
      const reading = read();
      if (typeof reading === 'number') return [`${name} ${reading}`];
      return reading.map(([labels, value]) => `${labelled(name, labels)} ${value}`);
    };
    this.#metrics.push({ name, help, type, lines });
  }
}
