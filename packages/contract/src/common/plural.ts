/** A number with its noun: `1 row`, `2 rows`. `shown`: the number as text. */
export const plural = (count: number, noun: string, shown = String(count)): string =>
  `${shown} ${noun}${count === 1 ? '' : 's'}`;
