/** The UTC day a time lies in, as 2014-05-01: the tape is kept by it. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const DAY_MS = 86_400_000;

/** The UTC days from one time to another, both included, ascending; none where the first is the later. */
export function daysBetween(from: number, to: number): string[] {
  const days: string[] = [];
  for (let start = from - (from % DAY_MS); start <= to; start += DAY_MS) days.push(dayOf(start));
  return days;
}
