// Sizes of trades: many small, few very large. Multiples of the mean by 1,024 equally likely classes, with a Pareto tail
// (exponent 5/3): the smallest is a fifteenth of the mean, the median about 0.4, one in a thousand is over 40 times it.

export const SIZE_CLASSES = 1024;

const TAIL = 0.6;
/** Taken off so that small sizes are common; the mean of (1 − u)^−TAIL is 1 / (1 − TAIL). */
const SHIFT = 0.9;

function multiples(): Float64Array {
  const table = new Float64Array(SIZE_CLASSES);
  for (let at = 0; at < SIZE_CLASSES; at++) table[at] = (1 - (at + 0.5) / SIZE_CLASSES) ** -TAIL - SHIFT;
  const mean = table.reduce((sum, value) => sum + value, 0) / SIZE_CLASSES;
  return table.map((value) => value / mean);
}

export const SIZE_MULTIPLES: Float64Array = multiples();
