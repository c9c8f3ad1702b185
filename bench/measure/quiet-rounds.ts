// Contenders take turns, A B C A B C, so that a temporary slowdown of the machine affects all of them. The first turn of each is
// discarded: until all its code is compiled, which takes seconds of load, a server does a fifth of its work. A round in which other
// programs disturbed a contender is repeated, as often as allowed. If too few are quiet, the least disturbed ones count.
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

export interface QuietRoundsOptions<T> {
  readonly rounds: number;
  /** Rounds that may be repeated. */
  readonly extra: number;
  /** Whether the first turn of each contender is discarded. */
  readonly warmUp: boolean;
  /** Share of a core that others took during a turn. */
  readonly disturbance: (result: T) => number;
  /** A round is repeated from this share on. */
  readonly limit: number;
  readonly quiet: QuietWait;
  readonly progress: BenchProgress;
}

/** Every round counts. */
export const WITHOUT_REPEATS = { extra: 0, warmUp: true, disturbance: () => 0, limit: 1 };

export interface QuietRounds<T> {
  readonly rounds: Rounds<T>;
  readonly repeated: number;
}

/** One turn of each contender, and the most that others took in any of them. */
interface Round<T> {
  readonly results: ReadonlyMap<string, T>;
  readonly disturbance: number;
}

/** The result of a turn is `null` if the contender failed; its `missing` then says why. */
export async function quietRounds<T>(
  contenders: readonly Contender<T | null>[],
  title: string,
  options: QuietRoundsOptions<T>,
): Promise<QuietRounds<T>> {
  const { rounds, extra, warmUp, disturbance, limit, quiet, progress } = options;
  const takeTurns = async (label: string, warming: boolean): Promise<Round<T>> => {
    const results = new Map<string, T>();
    for (const contender of contenders) {
      // Asked each time: a contender that fails takes part no longer.
      if (contender.missing !== null) continue;
      progress.show(`${title}: ${label}, ${contender.name}`);
      await quiet.wait();
      const result = await contender.measure(warming);
      if (result !== null) results.set(contender.name, result);
    }
    return { results, disturbance: Math.max(...[...results.values()].map(disturbance)) };
  };
  if (warmUp) await takeTurns('warming up', true);
  const taken: Round<T>[] = [];
  const isEnough = (): boolean => taken.filter((round) => round.disturbance < limit).length >= rounds;
  while (taken.length < rounds + extra && !isEnough()) {
    const repeats = taken.length >= rounds ? ', instead of a disturbed one' : '';
    taken.push(await takeTurns(`round ${Math.min(taken.length + 1, rounds)} of ${rounds}${repeats}`, false));
    if (taken.length <= rounds) progress.advance();
  }
  const kept = leastDisturbed(taken, rounds);
  const found = contenders.map(({ name }) => [name, kept.flatMap(({ results }) => results.get(name) ?? [])] as const);
  return { rounds: new Map(found as [string, T[]][]), repeated: taken.length - kept.length };
}

/** The least disturbed rounds, in the order in which they were taken. */
function leastDisturbed<T>(taken: readonly Round<T>[], count: number): Round<T>[] {
  const best = new Set(taken.toSorted((a, b) => a.disturbance - b.disturbance).slice(0, count));
  return taken.filter((round) => best.has(round));
}
