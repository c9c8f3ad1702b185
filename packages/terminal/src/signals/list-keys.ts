// Which row of a list a key leads to.

/** null where the key is none of the list. */
export function stepTo(key: string, at: number, count: number, pageRows: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + pageRows,
    PageUp: at - pageRows,
    Home: 0,
    End: count - 1,
  };
  const to = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to));
}
