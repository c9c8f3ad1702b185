// Compares the answers of both implementations, and shrinks a scenario on which they disagree.
import { runEngine } from './engine-run.fixture.ts';
import type { Answer, Scenario } from './scenario.fixture.ts';
import type { SecondImplementation } from './second-implementation.fixture.ts';

export type JudgeProgram = SecondImplementation<Scenario, { readonly signals: readonly Answer[] }>;

/** The first difference between the two answers to a scenario; `null` if they agree. */
export function difference(engine: readonly Answer[], second: readonly Answer[]): string | null {
  if (engine.length !== second.length) return `${engine.length} signals, not ${second.length}`;
  for (const [index, answer] of engine.entries()) {
    const wrong = differenceOf(answer, second[index]!);
    if (wrong) return wrong;
  }
  return null;
}

function differenceOf(engine: Answer, second: Answer): string | null {
  // The service names one rule; several may be violated.
  const isRejected = (answer: Answer): answer is Answer & { rejected: readonly string[] } => 'rejected' in answer;
  if (isRejected(engine) && isRejected(second) && engine.rejected.some((rule) => second.rejected.includes(rule)))
    return null;
  return Bun.deepEquals(engine, second, true) ? null : `engine ${text(engine)}\nsecond ${text(second)}`;
}

const text = (value: unknown): string => JSON.stringify(value);

/** The same disagreement with as few events as possible. */
export async function shrink(scenario: Scenario, second: JudgeProgram): Promise<Scenario> {
  let smallest = scenario;
  for (let size = Math.ceil(scenario.events.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < smallest.events.length; ) {
      const events = smallest.events.toSpliced(from, size);
      const candidate = { ...smallest, events };
      const [answer] = await second.ask([candidate]);
      if (difference(runEngine(candidate), answer!.signals) === null) from += size;
      else smallest = candidate;
    }
  return smallest;
}
