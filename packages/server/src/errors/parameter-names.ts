// Names of parameters and fields in requests: two that mean the same, and the known name that is nearest to an unknown one.
import { invalidParameter, ServiceError } from './service-error.ts';

const SYNONYMS = ['interval', 'timeframe'] as const;
const MAX_NAMED = 10;
const MAX_SHOWN = 100;

/** The other name of a parameter that a request may use; `null` if there is none, or if both are parameters of their own. */
export function synonymIn(known: readonly string[]): { readonly name: string; readonly synonym: string } | null {
  const [name, ...rest] = SYNONYMS.filter((each) => known.includes(each));
  return name && rest.length === 0 ? { name, synonym: SYNONYMS.find((each) => each !== name)! } : null;
}

/** The values of a request by known names. Throws if both names are given with different values. */
export function withoutSynonym<V>(given: Readonly<Record<string, V>>, known: readonly string[]): Record<string, V> {
  const { name, synonym } = synonymIn(known) ?? {};
  if (!name || !synonym || given[synonym] === undefined) return given;
  const { [synonym]: value, ...others } = given;
  if (others[name] !== undefined && others[name] !== value)
    throw invalidParameter(synonym, String(value), `equal to ${name}, which is the same parameter`);
  return { ...others, [name]: value! };
}

/** A 400 that names the nearest known parameter or field for each unknown one. */
export function unknownParameters(
  unknown: readonly string[],
  knownOf: (name: string) => readonly string[],
): ServiceError {
  const errors = unknown.slice(0, MAX_NAMED).map((parameter) => {
    const nearest = nearestName(parameter, knownOf(parameter));
    return {
      parameter: parameter.slice(0, MAX_SHOWN).toWellFormed(),
      value: null,
      allowed: nearest === null ? 'left out' : `left out; the nearest name is ${nearest}`,
    };
  });
  const detail = errors.map(({ parameter, allowed }) => `${parameter} is unknown and must be ${allowed}`).join('; ');
  return new ServiceError('unknown_parameter', detail, { errors });
}

/** The known name with the fewest edits to a given one; of `condition.levl` it is `condition.level`. `null` if nothing is known. */
export function nearestName(path: string, known: readonly string[]): string | null {
  const at = path.lastIndexOf('.') + 1;
  const name = path.slice(at, at + MAX_SHOWN);
  const same = synonymIn(known);
  if (same?.synonym === name) return path.slice(0, at) + same.name;
  const [nearest] = known.map((each) => ({ each, edits: edits(name, each) })).sort((a, b) => a.edits - b.edits);
  return nearest ? path.slice(0, at) + nearest.each : null;
}

/** Characters to insert, remove or replace (Levenshtein). Upper case does not count. */
function edits(from: string, to: string): number {
  const [a, b] = [from.toLowerCase(), to.toLowerCase()];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
