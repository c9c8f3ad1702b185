// A mapper must accept any input: text that is not JSON, arbitrary JSON, and real messages with one value replaced.
import { expect } from 'bun:test';
import fc from 'fast-check';
import type { Mapped, Mapper } from '../../src/market/feeds/mapper.ts';

const BAD_VALUES = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    '',
    '0',
    '-1',
    'NaN',
    'Infinity',
    '1e999',
    '0x10',
    ' 5 ',
    0,
    -0,
    -1,
    1e308,
    1.5,
    2 ** 53,
    null,
    [],
    {},
  ),
);

export function fuzzMapper(create: () => Mapper, genuine: readonly unknown[]): void {
  const map = create();
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .tuple(fc.constantFrom(...genuine), fc.nat(), BAD_VALUES)
      .map(([message, at, value]) => replaceValue(message, at, value)),
    fc.tuple(fc.constantFrom(...genuine), fc.nat()).map(([message, at]) => {
      const text = JSON.stringify(message);
      return text.slice(0, at % text.length);
    }),
  );
  fc.assert(
    fc.property(texts, fc.nat(2 ** 41), (text, receivedAt) => checkMapped(map(text, receivedAt))),
    { numRuns: 3_000 },
  );
}

/** The output of a mapper is valid for any input. */
export function checkMapped({ events, complaints, replies = [], perpetuals = [], liquidations = [] }: Mapped): void {
  for (const event of events) {
    expect(Number.isSafeInteger(event.time)).toBe(true);
    const prices = event.kind === 'quote' ? [event.bid, event.ask] : [event.price, event.size];
    const sizes = event.kind === 'quote' ? [event.bidSize, event.askSize] : [];
    expect(prices.every((price) => Number.isFinite(price) && price > 0)).toBe(true);
    expect(sizes.every((size) => Number.isFinite(size) && size >= 0)).toBe(true);
    if (event.kind === 'trade') {
      if ('id' in event) expect(Number.isSafeInteger(event.id)).toBe(true);
      expect(['buy', 'sell']).toContain(event.side);
    }
  }
  for (const { symbol: _, time, fundingRate = 0, openInterest = 0, ...prices } of perpetuals) {
    expect(Number.isSafeInteger(time)).toBe(true);
    expect(Number.isFinite(fundingRate) && Number.isFinite(openInterest) && openInterest >= 0).toBe(true);
    expect(Object.values(prices).every((price) => Number.isFinite(price) && price > 0)).toBe(true);
  }
  for (const { time, price, size, side } of liquidations) {
    expect(Number.isSafeInteger(time)).toBe(true);
    expect(price > 0 && size > 0).toBe(true);
    expect(['buy', 'sell']).toContain(side);
  }
  for (const complaint of complaints) {
    expect(complaint).toMatch(/^[a-z][A-Za-z ]+: [\x20-\x7e]*$/);
    expect(complaint.length).toBeLessThan(100);
  }
  for (const { request, error } of replies) {
    expect(typeof request).toBe('string');
    expect(error === null || typeof error === 'string').toBe(true);
  }
}

/** The message with one value replaced; `at` selects it, modulo their number. */
function replaceValue(message: unknown, at: number, value: unknown): string {
  const copy = structuredClone(message) as object;
  const leaves: [Record<string, unknown>, string][] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      leaves.push([node as Record<string, unknown>, key]);
      walk((node as Record<string, unknown>)[key]);
    }
  };
  walk(copy);
  const [parent, key] = leaves[at % leaves.length] ?? [{}, ''];
  if (value === undefined) delete parent[key];
  else parent[key] = value;
  return JSON.stringify(copy);
}
