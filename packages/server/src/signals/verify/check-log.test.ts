import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { epoch } from '../log-records.ts';
import { shapeFault } from './check-log.ts';

test('the time of a record is that of its ISO 8601 text', () => {
  const time = fc.date({
    noInvalidDate: true,
    min: new Date('0000-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
  });
  fc.assert(fc.property(time, (date) => epoch(date.toISOString()) === date.getTime()));
});

test('a record has the date of a real day', () => {
  const common = {
    type: 'voided',
    n: 1,
    prev: '0'.repeat(64),
    rules: 2,
    signal: 's',
    publisher: 'p',
    symbol: 'EURUSD',
  };
  const fault = (day: string) => shapeFault({ ...common, reason: 'wrong feed', at: `${day}T12:00:00.000Z` });
  for (const day of ['2026-01-31', '2026-02-28', '2028-02-29', '2026-04-30', '2000-02-29'])
    expect(fault(day)).toBeNull();
  for (const day of ['2026-02-29', '2026-02-31', '2026-04-31', '2100-02-29', '2026-13-01', '2026-00-10', '2026-01-32'])
    expect(fault(day)).toContain('at');
});
