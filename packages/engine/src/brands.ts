// Nominal types: a string or number that has been checked to be what its name says.
declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Canonical upper-case instrument code. */
export type MarketSymbol = Brand<string, 'MarketSymbol'>;
/** Integer milliseconds since 1970-01-01 UTC. */
export type EpochMs = Brand<number, 'EpochMs'>;

export const asSymbol = (code: string): MarketSymbol => code.toUpperCase() as MarketSymbol;
export const asEpochMs = (ms: number): EpochMs => Math.floor(ms) as EpochMs;
