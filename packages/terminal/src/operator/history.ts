// The last samples of a figure that is polled, and the line through them.

export interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly value: number;
}

export class History {
  readonly #most: number;
  readonly #samples: Sample[] = [];

  /** Keeps the newest `most` samples. */
  constructor(most: number) {
    this.#most = most;
  }

  get samples(): readonly Sample[] {
    return this.#samples;
  }

  add(at: number, value: number): void {
    this.#samples.push({ at, value });
    if (this.#samples.length > this.#most) this.#samples.shift();
  }
}

/**
 * Points of the line in a box of this size. The x axis is time, so pauses keep their length. The y axis starts at 0, so small
 * changes look small.
 */
export function line(
  samples: readonly Sample[],
  width: number,
  height: number,
): readonly (readonly [number, number])[] {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last) return [];
  const span = last.at - first.at;
  const top = Math.max(1, ...samples.map(({ value }) => value));
  const yOf = ({ value }: Sample): number => height - (value / top) * height;
  // A single sample is a line, too: a point would not be visible.
  if (span === 0) return [0, width].map((x) => [x, yOf(last)]);
  return samples.map((sample) => [((sample.at - first.at) / span) * width, yOf(sample)]);
}
