// The time grid of the simulation. One unit is 125 ms: it divides a second, so seconds, minutes and session limits lie on the
// grid, and doubling it 26 times gives the distance between the anchors of the path.

export const UNIT_MS = 125;
export const UNITS_PER_SECOND = 8;
export const UNITS_PER_MINUTE = 480;
export const UNITS_PER_DAY = 691_200;

/** Levels of halving between two anchors, which are 2^26 units or about 97 days apart. */
export const ANCHOR_LEVEL = 26;
