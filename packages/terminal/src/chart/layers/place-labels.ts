// Places labels beside their levels so that none overlaps another: each as near to its level as the others allow.

/** The middle of each label, in the order of `wanted`. All are at least `gap` apart and inside 0 … `height`, if there is room. */
export function placeLabels(wanted: readonly number[], gap: number, height: number): number[] {
  const order = wanted.map((_, index) => index).sort((one, other) => wanted[one]! - wanted[other]!);
  const placed = new Array<number>(wanted.length);
  let free = gap / 2;
  for (const index of order) {
    placed[index] = Math.max(free, wanted[index]!);
    free = placed[index]! + gap;
  }
  // What is below the lower edge moves up, and pushes those above it.
  let limit = height - gap / 2;
  for (const index of order.toReversed()) {
    placed[index] = Math.min(limit, placed[index]!);
    limit = placed[index]! - gap;
  }
  return placed;
}
