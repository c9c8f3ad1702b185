import { describe, expect, test } from 'bun:test';
import { CATALOGUE, type HoursName } from '@tickwire/engine';
import { checkCalendars } from './calendar-check.ts';

function check(instruments: readonly { readonly hours: HoursName }[], now: string): string[] {
  const findings: string[] = [];
  checkCalendars(instruments, Date.parse(now), (part, state, what) => findings.push(`${part} ${state}: ${what}`));
  return findings;
}

describe('the check of calendars', () => {
  test('says until when holidays are known', () => {
    expect(check(CATALOGUE, '2026-11-16')).toEqual(['calendars ok: holidays of 7 markets are known until 2030-12-31']);
  });

  test('warns 90 days before they run out, once for each market', () => {
    const shares = [{ hours: 'us-equity' }, { hours: 'us-equity' }, { hours: 'always' }] as const;
    expect(check(shares, '2030-10-01')).toHaveLength(1);
    expect(check(shares, '2030-10-01')[0]).toContain('calendars ok');
    expect(check(shares, '2030-10-03')).toEqual([
      'calendars warn: the holidays of New York Stock Exchange are known until 2030-12-31 only; on later ones its markets ' +
        'count as open: update Tickwire',
    ]);
    expect(check(CATALOGUE, '2031-06-01').every((line) => line.startsWith('calendars warn'))).toBe(true);
  });

  test('has nothing to say about markets that never close', () => {
    expect(check([{ hours: 'always' }], '2031-06-01')).toEqual([]);
  });
});
