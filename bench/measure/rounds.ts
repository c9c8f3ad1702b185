// Contenders take turns, A B C A B C: what slows the machine for a while slows all of them. A first turn of each is thrown
// away: cold, the same server does a fifth of what it does once all of its code is compiled, and that takes seconds of load.
import type { Progress } from '../progress.ts';
import type { Quiet } from './quiet.ts';

export interface Contender<T> {
  readonly name: string;
  /** Why it cannot take part. */
  readonly missing: string | null;
  /** `warming`: the result is thrown away, only the work counts. */
  readonly measure: (warming: boolean) => Promise<T>;
}

export type Rounds<T> = ReadonlyMap<string, readonly T[]>;

export async function interleave<T>(
  contenders: readonly Contender<T>[],
  title: string,
  { rounds, quiet, progress }: { rounds: number; quiet: Quiet; progress: Progress },
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
