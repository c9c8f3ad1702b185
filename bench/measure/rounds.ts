// Contenders take turns, A B C A B C, so that a temporary slowdown of the machine affects all of them. The first turn of each is
// discarded: until all its code is compiled, which takes seconds of load, a server does a fifth of its work.
import type { BenchProgress } from '../progress.ts';
import type { QuietWait } from './quiet-wait.ts';

export interface Contender<T> {
  readonly name: string;
  /** Reason why it cannot take part. */
  readonly missing: string | null;
  /** `warming`: the result is discarded. */
  readonly measure: (warming: boolean) => Promise<T>;
}

export type Rounds<T> = ReadonlyMap<string, readonly T[]>;

export async function interleave<T>(
  contenders: readonly Contender<T>[],
  title: string,
  { rounds, quiet, progress }: { rounds: number; quiet: QuietWait; progress: BenchProgress },
): Promise<Rounds<T>> {
  const found = new Map<string, T[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    const turn = round === 0 ? 'warming up' : `round ${round} of ${rounds}`;
    for (const { name, missing, measure } of contenders) {
      if (missing !== null) continue;
      progress.show(`${title}: ${turn}, ${name}`);
      await quiet.wait();
      const result = await measure(round === 0);
      if (round > 0) found.get(name)!.push(result);
      progress.advance();
    }
  }
  return found;
}
