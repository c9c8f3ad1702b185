// How a cost grows with a size: the exponent b of cost = a · size^b that fits best, by least squares of the logarithms. 1 is linear, 0 flat.

/** Costs of one round by size. At least two sizes. */
export function exponentOf(costs: readonly (readonly [size: number, cost: number])[]): number {
  const points = costs.map(([size, cost]) => [Math.log(size), Math.log(cost)] as const);
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const sum = (of: (point: readonly [number, number]) => number): number =>
    points.reduce((s, point) => s + of(point), 0);
  return sum((point) => (point[0] - x) * (point[1] - y)) / sum((point) => (point[0] - x) ** 2);
}
