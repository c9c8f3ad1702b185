import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { asEpochMs, DAY_MS, HOUR_MS, isMarketOpen, MINUTE_MS } from '@tickwire/engine';
import { importBytes, utc } from '../../testing/import/read-rows.fixture.ts';
import { parseTimeZone } from './timezone.ts';

// Files are read twice, and a busy machine is slow.
setDefaultTimeout(30_000);

/** A file of a forex market, with the local times of a zone. */
function fileIn(zone: string, from: string, days: number, step = HOUR_MS): string {
  const { toLocal } = bound(zone);
  const lines: string[] = [];
  for (let time = utc(from); time < utc(from) + days * DAY_MS; time += step) {
    if (!isMarketOpen('forex', asEpochMs(time))) continue;
    lines.push(`${new Date(toLocal(time)).toISOString().slice(0, 19).replace('T', ' ')},1.1,1.2,1.0,1.1\n`);
  }
  return `time,open,high,low,close\n${lines.join('')}`;
}
const bound = (name: string) => {
  const zone = parseTimeZone(name);
  return { toLocal: (time: number) => zone.toLocal(time) };
};
const read = (text: string, timezone: string, more = {}) =>
  importBytes('x.csv', text, { timezone, hours: 'forex', ...more });

describe('the weekends of a file', () => {
  test.each([
    ['broker', 'UTC', 'broker'],
    ['Europe/Athens', 'UTC', 'Europe/Athens'],
    ['Europe/Athens', 'broker', 'Europe/Athens'],
    ['broker', 'Europe/Athens', 'broker'],
    ['UTC', 'broker', 'UTC'],
    ['UTC', 'America/New_York', 'UTC'],
    ['America/New_York', 'UTC', 'America/New_York'],
    ['UTC-5', 'America/New_York', 'UTC-5'],
    ['UTC+8', 'UTC', 'UTC+8'],
  ])('in %s contradict %s', async (zone, given, proposed) => {
    const text = fileIn(zone, '2024-01-01T00:00Z', 360);
    await expect(read(text, given)).rejects.toThrow(`which fits --timezone ${proposed} (`);
    expect((await read(text, zone)).rows.length).toBeGreaterThan(5_000);
    expect((await read(text, given, { trustTimezone: true })).rows.length).toBeGreaterThan(5_000);
  });

  test('contradict a zone already once, if prices lie where the market is closed', async () => {
    const week = fileIn('broker', '2024-07-03T00:00Z', 7, 15 * MINUTE_MS);
    await expect(read(week, 'UTC')).rejects.toThrow('rows end Fri 23:45 and begin Mon 00:00');
    expect((await read(week, 'broker')).rows.length).toBe(480);
  });

  test.each([
    // In New York the clocks changed on 12 March, in Athens two weeks later.
    ['Europe/Athens', 'broker', '2023-02-06'],
    // In Athens they changed on 27 October, in New York a week later.
    ['broker', 'Europe/Athens', '2024-09-23'],
  ])('in %s contradict %s if the file ends hours after the clocks have changed', async (zone, given, from) => {
    const text = fileIn(zone, `${from}T00:00Z`, 35, 15 * MINUTE_MS);
    await expect(read(text, given)).rejects.toThrow(`--timezone ${zone} (5 of 5 weekends; 4 fit ${given})`);
    expect((await read(text, zone)).rows.length).toBeGreaterThan(2_000);
  });

  test.each(['2022-12-12', '2023-11-27', '2023-12-11', '2025-12-08'])(
    'contradict a zone around Christmas too, in five weeks from %s',
    async (from) => {
      const text = fileIn('UTC', `${from}T00:00Z`, 35, 15 * MINUTE_MS);
      for (const given of ['broker', 'America/New_York', 'UTC+8'])
        await expect(read(text, given)).rejects.toThrow('which fits --timezone UTC (');
      expect((await read(text, 'UTC')).rows.length).toBeGreaterThan(1_500);
    },
  );

  test('do not contradict a zone if a file only begins late', async () => {
    const text = fileIn('UTC', '2024-07-03T00:00Z', 7)
      .split('\n')
      .filter((line) => !line.startsWith('2024-07-07'))
      .join('\n');
    expect((await read(text, 'UTC')).rows.length).toBeGreaterThan(100);
  });

  test('do not matter for markets without them', async () => {
    const text = fileIn('broker', '2024-01-01T00:00Z', 60);
    expect((await read(text, 'UTC', { hours: 'always' })).rows.length).toBeGreaterThan(1_000);
  });
});

test('broker time is seven hours ahead of New York all year', () => {
  const zone = parseTimeZone('broker');
  for (const [local, expected] of [
    ['2024-01-02T00:00Z', '2024-01-01T22:00Z'],
    ['2024-03-20T00:00Z', '2024-03-19T21:00Z'],
    ['2024-07-02T00:00Z', '2024-07-01T21:00Z'],
    ['2024-10-30T00:00Z', '2024-10-29T21:00Z'],
    ['2024-11-05T00:00Z', '2024-11-04T22:00Z'],
  ] as const) {
    expect(zone.toUtc(utc(local))).toBe(utc(expected));
    expect(zone.toLocal(utc(expected))).toBe(utc(local));
  }
});
