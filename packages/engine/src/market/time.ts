// Time in the engine is integer milliseconds since 1970-01-01 UTC.
declare const brand: unique symbol;

/** Integer milliseconds since 1970-01-01 UTC. */
export type EpochMs = number & { readonly [brand]: 'EpochMs' };

export const asEpochMs = (ms: number): EpochMs => Math.floor(ms) as EpochMs;

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
