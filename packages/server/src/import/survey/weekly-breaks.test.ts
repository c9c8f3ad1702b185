import { describe, expect, test } from 'bun:test';
import { asEpochMs, DAY_MS, HOUR_MS, type HoursName, isMarketOpen, MINUTE_MS } from '@tickwire/engine';
import { importBytes, utc } from '../../../testing/import/read-rows.fixture.ts';
import { parseTimeZone } from '../rows/timezone.ts';

/** A file of a forex market, with the local times of a zone. */
function fileIn(zone: string, from: string, days: number, step = HOUR_MS, hours: HoursName = 'forex'): string {
  const { toLocal } = bound(zone);
  const lines: string[] = [];
  for (let time = utc(from); time < utc(from) + days * DAY_MS; time += step) {
    if (!isMarketOpen(hours, asEpochMs(time))) continue;
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

  // Two weeks between the changes of the clocks in New York and in Athens.
  test.each([
    ['metals', HOUR_MS],
    ['metals', MINUTE_MS],
    ['forex', HOUR_MS],
    ['forex', 15 * MINUTE_MS],
  ] as const)('of two weeks of %s show that broker time is not that of Athens, step %i', async (hours, step) => {
    const text = fileIn('broker', '2024-03-11T00:00Z', 14, step, hours);
    await expect(read(text, 'Europe/Athens', { hours })).rejects.toThrow('which fits --timezone broker');
    expect((await read(text, 'broker', { hours })).report.skippedLines).toBe(0);
  });

  test('are not needed if rows lie in the daily break of the market', async () => {
    const text = fileIn('UTC+3', '2024-07-01T12:00Z', 4, 5 * MINUTE_MS, 'metals');
    for (const given of ['UTC', 'UTC+2', 'America/New_York'])
      await expect(read(text, given, { hours: 'metals' })).rejects.toThrow(
        `it has rows while the market is closed, if its times are ${given}`,
      );
    expect((await read(text, 'UTC+3', { hours: 'metals' })).rows.length).toBeGreaterThan(1_000);
  });

  test('contradict a zone although no other fits them', async () => {
    // Shares have no weekends that tell a zone; a wrong one puts rows into the evening.
    const shares = fileIn('UTC', '2024-07-01T00:00Z', 12, 30 * MINUTE_MS, 'us-equity');
    await expect(read(shares, 'America/New_York', { hours: 'us-equity' })).rejects.toThrow(
      'while the market is closed',
    );
    expect((await read(shares, 'UTC', { hours: 'us-equity' })).rows.length).toBeGreaterThan(100);
  });

  test('do not contradict a zone if the source has prices outside the usual hours', async () => {
    // A tick at the closing makes an hour more, and some sources have no daily break, or trade before and after the session.
    const closings = fileIn('UTC', '2024-07-01T00:00Z', 21).replaceAll(
      /(2024-07-\d\d) 20:00:00(.*)\n(?=.* 21:00)/g,
      (line, day, rest) => (new Date(`${day}T00:00Z`).getUTCDay() === 5 ? `${line}${day} 21:00:00${rest}\n` : line),
    );
    expect(closings).toContain('2024-07-05 21:00');
    expect((await read(closings, 'UTC')).rows.length).toBeGreaterThan(300);
    const currencies = fileIn('UTC', '2024-07-01T00:00Z', 21);
    expect((await read(currencies, 'UTC', { hours: 'metals' })).rows.length).toBeGreaterThan(300);
    const extended = Array.from({ length: 5 * 24 }, (_, hour) => new Date(utc('2024-07-08T00:00Z') + hour * HOUR_MS))
      .filter((time) => time.getUTCHours() >= 8)
      .map((time) => `${time.toISOString()},1.1,1.2,1.0,1.1\n`);
    const file = `time,open,high,low,close\n${extended.join('').replaceAll('Z', '')}`;
    expect((await read(file, 'UTC', { hours: 'us-equity' })).rows.length).toBe(80);
  });

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

describe('days from Monday to Friday', () => {
  const days = (from: string): string =>
    `Date,Open,High,Low,Close\n${Array.from({ length: 60 }, (_, day) => new Date(utc(from) + day * DAY_MS))
      .filter((day) => day.getUTCDay() % 6 !== 0)
      .map((day) => `${day.toISOString().slice(0, 10)},1.1,1.2,1.0,1.1\n`)
      .join('')}`;

  test.each(['2024-01-01T00:00Z', '2024-03-01T00:00Z', '2024-06-03T00:00Z'])(
    'are not days of UTC, and no single zone is proposed: from %s',
    async (from) => {
      const refusal = read(days(from), 'UTC');
      await expect(refusal).rejects.toThrow('--timezone broker if they end at 17:00 in New York');
      await expect(refusal).rejects.toThrow('Europe/London for a file of Yahoo');
    },
  );

  test('show it in two weeks too', async () => {
    const short = days('2024-06-03T00:00Z').split('\n').slice(0, 11).join('\n');
    await expect(read(short, 'UTC')).rejects.toThrow('its days are from Monday to Friday');
  });

  test('are those of New York or of London, as the user says', async () => {
    const text = days('2024-06-03T00:00Z');
    const [ny] = (await read(text, 'broker')).rows;
    expect(ny).toMatchObject({ time: utc('2024-06-02T21:00Z'), timeframe: '1d', align: 'ny' });
    const options = { timezone: 'Europe/London', hours: 'forex' } as const;
    const [london] = (await importBytes('EURUSD=X.csv', text, options)).rows;
    expect(london).toMatchObject({ time: utc('2024-06-02T23:00Z'), timeframe: '1d', align: 'Europe/London' });
    await expect(read(text, 'Europe/London')).rejects.toThrow('with a name like EURUSD=X.csv');
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
