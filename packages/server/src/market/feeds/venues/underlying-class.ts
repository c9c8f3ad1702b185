// The class of what a perpetual follows, by its code, for venues whose lists do not state it.
import type { InstrumentType } from '@tickwire/contract';

const CLASSES: readonly (readonly [InstrumentType, readonly string[]])[] = [
  ['metal', ['XAU', 'XAG', 'XPT', 'XPD', 'XCU', 'COPPER']],
  ['energy', ['CL', 'BZ', 'NG', 'NATGAS']],
  ['forex', ['AUD', 'CAD', 'CHF', 'EUR', 'GBP', 'JPY', 'USD']],
];
const BY_CODE = new Map(CLASSES.flatMap(([type, codes]) => codes.map((code) => [code, type] as const)));

/** `crypto` if the code is not known as something else. */
export const underlyingClass = (code: string): InstrumentType => BY_CODE.get(code) ?? 'crypto';
