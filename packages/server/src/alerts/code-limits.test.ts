import { expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS } from '@tickwire/engine';
import { CODE_LIMITS, CodeLimits } from './code-limits.ts';

function setUp() {
  let now = 10 * DAY_MS;
  const limits = new CodeLimits(() => now);
  const accepts = (account: string, ...addresses: string[]): boolean => {
    try {
      limits.take(account, addresses);
      return true;
    } catch {
      return false;
    }
  };
  return { limits, accepts, now: () => now, pass: (ms: number) => (now += ms) };
}

test('an address gets three codes an hour, whichever accounts ask for them', () => {
  const { accepts, pass } = setUp();
  expect(['a', 'b', 'c', 'd'].map((account) => accepts(account, 'victim'))).toEqual([true, true, true, false]);
  expect(accepts('d', 'other')).toBe(true);
  pass(HOUR_MS);
  expect(accepts('d', 'victim')).toBe(true);
});

test('an account gets twenty codes a day, also after a restart', () => {
  const { limits, accepts, now, pass } = setUp();
  limits.restore(Array.from({ length: 19 }, (_, n) => ({ account: 'a', addressHash: `h${n}`, at: now() - HOUR_MS })));
  // Two at once exceed the limit: none of them counts.
  expect(accepts('a', 'x', 'y')).toBe(false);
  expect(accepts('a', 'x')).toBe(true);
  expect(accepts('a', 'y')).toBe(false);
  pass(DAY_MS);
  expect(accepts('a', 'y')).toBe(true);
});

test('all accounts together get a limited number of codes an hour', () => {
  const { accepts } = setUp();
  for (let n = 0; n < CODE_LIMITS.perHour; n++) expect(accepts(`a${n}`, `h${n}`)).toBe(true);
  expect(accepts('another', 'another')).toBe(false);
});
