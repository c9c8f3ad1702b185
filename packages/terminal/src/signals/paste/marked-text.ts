// Divides a message into its marked parts and what is between them. Positions are in code points, as the service counts them.
export interface MarkedPart {
  readonly text: string;
  /** `null` between marked parts. */
  readonly field: string | null;
}

export function markedText(
  message: string,
  parts: readonly { readonly field: string; readonly start: number; readonly end: number }[],
): readonly MarkedPart[] {
  const points = Array.from(message);
  const marked: MarkedPart[] = [];
  let at = 0;
  const add = (to: number, field: string | null): void => {
    if (to > at) marked.push({ text: points.slice(at, to).join(''), field });
    at = Math.max(at, to);
  };
  for (const { field, start, end } of parts.toSorted((a, b) => a.start - b.start)) {
    add(start, null);
    add(end, field);
  }
  add(points.length, null);
  return marked;
}
