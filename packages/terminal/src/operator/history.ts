// The last values of a figure that is looked at again and again, and the line they make.

export interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly value: number;
}

export class History {
  readonly #most: number;
  readonly #samples: Sample[] = [];

  /** The oldest goes when there are more than `most`. */
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
 * Points of the line in a box of this size, by time: a stretch in which nobody looked is as long as it was. From 0, since a
 * count that only wavers is not to look as if it had fallen to nothing.
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
  return samples.map(({ at, value }) => [
    span === 0 ? width : ((at - first.at) / span) * width,
    height - (value / top) * height,
  ]);
}
