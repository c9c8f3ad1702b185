// Joins the timestamps of the publisher with those of the readers. The publisher writes (last seq of a batch, time it entered), the
// readers (seq, time it arrived); the difference is the latency from intake to the reader's socket.
import { readFileSync } from 'node:fs';
import { percentile } from './statistics.ts';

export interface LatencyPercentiles {
  readonly samples: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
}

export interface Latencies extends LatencyPercentiles {
  /** Time between the first and the last recording reader to receive a batch, which is the time to send it to all. p99. */
  readonly spreadP99: number;
}

/** Pairs of numbers, as both sides write them. */
function pairs(file: string): Float64Array {
  const bytes = readFileSync(file);
  const whole = bytes.length - (bytes.length % 16);
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + whole));
}

/** Sorts the values. */
export function percentilesOf(values: Float64Array): LatencyPercentiles {
  const sorted = values.sort();
  return {
    samples: sorted.length,
    p50: percentile(sorted, 0.5),
    p90: percentile(sorted, 0.9),
    p99: percentile(sorted, 0.99),
    p999: percentile(sorted, 0.999),
  };
}

export function joinLatencies(stampFile: string, arrivalFile: string): Latencies {
  const stamps = pairs(stampFile);
  const arrivals = pairs(arrivalFile);
  const batches = stamps.length / 2;
  const latencies = new Float64Array(arrivals.length / 2);
  const [first, last] = [new Float64Array(batches), new Float64Array(batches)];
  let count = 0;
  for (let at = 0; at < arrivals.length; at += 2) {
    const seq = arrivals[at]!;
    let low = 0;
    let high = batches;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (stamps[middle * 2]! >= seq) high = middle;
      else low = middle + 1;
    }
    if (low === batches) continue;
    latencies[count++] = arrivals[at + 1]! - stamps[low * 2 + 1]!;
    first[low] ||= arrivals[at + 1]!;
    last[low] = arrivals[at + 1]!;
  }
  return {
    ...percentilesOf(latencies.subarray(0, count)),
    spreadP99: percentile(
      last
        .map((time, batch) => time - first[batch]!)
        .filter((_, batch) => first[batch]! > 0)
        .sort(),
      0.99,
    ),
  };
}
