// Bars that are written in any layout, zone and order are read back unchanged. If one property of the file or of the command
// is wrong, the import is refused or gives the same bars, but never others.

import { describe, expect, test } from 'bun:test';
import { iso } from '@tickwire/contract';
import { asEpochMs, DAY_MS, HOUR_MS, isMarketOpen, MINUTE_MS } from '@tickwire/engine';
import fc from 'fast-check';
import { barsIn, importBytes } from '../../testing/import/read-rows.fixture.ts';
import { ImportError } from './import-error.ts';
import type { ReadOptions } from './read-files.ts';
import { BROKER, parseTimeZone } from './rows/timezone.ts';
import { requireUsableRows } from './skip-rule.ts';

interface Row {
  readonly time: number;
  readonly values: readonly number[];
}
interface Written {
  readonly name: string;
  readonly lines: readonly string[];
  /** Lines before the first row. */
  readonly header: number;
  readonly options: Partial<ReadOptions>;
  readonly wide: boolean;
}

const WEEKS = 5;
const INTERVALS: readonly (readonly [name: string, length: number, align: 'utc' | 'ny'])[] = [
  ['15m', 15 * MINUTE_MS, 'utc'],
  ['30m', 30 * MINUTE_MS, 'utc'],
  ['1h', HOUR_MS, 'utc'],
  ['4h', 4 * HOUR_MS, 'ny'],
  ['1d', DAY_MS, 'ny'],
];
const ZONES = ['broker', 'Europe/Athens', 'UTC', 'America/New_York', 'UTC-5', 'UTC+8', 'Europe/London'];

/** Five weeks of a currency, in the order of time. */
function barsOf(length: number, align: 'utc' | 'ny', week: number, seed: number): Row[] {
  const rows: Row[] = [];
  const from = Date.UTC(2023, 0, 2) + week * 7 * DAY_MS;
  for (let time = from; time < from + WEEKS * 7 * DAY_MS; time += Math.min(length, HOUR_MS)) {
    if (align === 'ny' && BROKER.toLocal(time) % length !== 0) continue;
    if (!isMarketOpen('forex', asEpochMs(time))) continue;
    const at = (index: number): number =>
      105_000 + ((Math.imul(rows.length * 4 + index + seed, 2_654_435_761) >>> 20) % 900);
    const [open, close] = [at(0), at(1)];
    const high = Math.max(open, close) + (at(2) % 50);
    const low = Math.min(open, close) - (at(3) % 50);
    rows.push({ time, values: [...[open, high, low, close].map((ticks) => ticks / 1e5), 1 + (at(2) % 9)] });
  }
  return rows;
}

type Layout = (rows: readonly Row[], zone: string) => Omit<Written, 'name' | 'wide'>;
const localIn = (zone: string): ((time: number) => string) => {
  const { toLocal } = parseTimeZone(zone);
  const own = parseTimeZone(zone);
  return (time) => iso(toLocal.call(own, time));
};
const two = (value: number): string => String(value).padStart(2, '0');

const LAYOUTS: Readonly<Record<string, Layout>> = {
  unix: (rows) => ({
    header: 1,
    lines: ['time,open,high,low,close,volume', ...rows.map(({ time, values }) => [time, ...values].join(','))],
    options: {},
  }),
  zoned: (rows) => ({
    header: 2,
    lines: [
      'Prices of EURUSD',
      'Time (UTC)|Open|High|Low|Last|Volume',
      ...rows.map(({ time, values }) => [iso(time), ...values].join('|')),
    ],
    options: {},
  }),
  pandas: (rows, zone) => ({
    header: 1,
    lines: [
      ',open,high,low,close,volume',
      ...rows.map(({ time, values }) => [localIn(zone)(time).slice(0, 19).replace('T', ' '), ...values].join(',')),
    ],
    options: { timezone: zone },
  }),
  commas: (rows, zone) => ({
    header: 1,
    lines: [
      'Datum;Date;Time;Open;High;Low;Close;Volume',
      ...rows.map(({ time, values }) => {
        const local = localIn(zone)(time);
        const date = local.slice(0, 10).split('-').reverse().join('.');
        return ['x', date, local.slice(11, 16), ...values.map((value) => String(value).replace('.', ','))].join(';');
      }),
    ],
    options: { timezone: zone },
  }),
  slashes: (rows, zone) => ({
    header: 1,
    lines: [
      '"symbol","Date","Price","Open","High","Low","Vol."',
      ...rows.map(({ time, values: [open, high, low, close, volume] }) => {
        const date = new Date(localIn(zone)(time));
        const hour = date.getUTCHours();
        const clock = `${hour % 12 || 12}:${two(date.getUTCMinutes())} ${hour < 12 ? 'AM' : 'PM'}`;
        const day = `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;
        return ['EUR/USD', `${day} ${clock}`, close, open, high, low, volume].map((field) => `"${field}"`).join(',');
      }),
    ],
    options: { timezone: zone },
  }),
  metatrader: (rows, zone) => ({
    header: 1,
    lines: [
      '<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>',
      ...rows.map(({ time, values }) => {
        const local = localIn(zone)(time);
        return [local.slice(0, 10).replaceAll('-', '.'), local.slice(11, 19), ...values].join('\t');
      }),
    ],
    options: { timezone: zone },
  }),
};

/** The bars of a file, as text; `null` if it is refused. */
async function read({ name, lines, options, wide }: Written): Promise<string[] | null> {
  const text = `${lines.join('\r\n')}\r\n`;
  const content = wide ? Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]) : text;
  try {
    const { rows, report } = await importBytes(name, content, { hours: 'forex', ...options });
    requireUsableRows(report, 'EURUSD', 5);
    const bars = barsIn(rows).map(({ time, timeframe, align, open, high, low, close, volume }) =>
      [time, timeframe, align, open, high, low, close, volume].join(' '),
    );
    return bars.length === 0 ? null : [...new Set(bars)].sort();
  } catch (error) {
    if (error instanceof ImportError) return null;
    throw error;
  }
}

type Mutation = (file: Written, pick: number) => Written;
const withRows = (file: Written, change: (rows: string[]) => string[]): Written => ({
  ...file,
  lines: [...file.lines.slice(0, file.header), ...change(file.lines.slice(file.header))],
});
const withOptions = (file: Written, options: Partial<ReadOptions>): Written => ({
  ...file,
  options: { ...file.options, ...options },
});
const one = <T>(list: readonly T[], pick: number): T => list[pick % list.length]!;

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'another time zone': (file, pick) =>
    file.options.timezone === undefined ? file : withOptions(file, { timezone: one(ZONES, pick) }),
  'another length': (file, pick) => withOptions(file, { timeframe: one(['1m', '5m', '2h', '1d', '1w', '1M'], pick) }),
  'another length in the name': (file, pick) => ({
    ...file,
    name: one(['EURUSD_M1.csv', 'EURUSD-1M-2023.csv', 'EURUSD_H12.csv'], pick),
  }),
  'another order of dates': (file, pick) => withOptions(file, { dateOrder: one(['mdy', 'dmy'] as const, pick) }),
  'another decimal mark': (file, pick) => withOptions(file, { decimal: one(['comma', 'point'] as const, pick) }),
  'newest first': (file) => withRows(file, (rows) => rows.reverse()),
  shuffled: (file, pick) =>
    withRows(file, (rows) => [...rows.slice(pick % rows.length), ...rows.slice(0, pick % rows.length)]),
  'a repeated row': (file, pick) => withRows(file, (rows) => [...rows, one(rows, pick)]),
  'two broken rows': (file, pick) =>
    withRows(file, (rows) =>
      rows.map((row, index) =>
        Math.floor(index / 2) === Math.floor((pick % (rows.length - 1)) / 2) ? row.slice(0, 12) : row,
      ),
    ),
  'no names': (file) => ({ ...file, lines: file.lines.slice(file.header), header: 0 }),
  'another name of the close': (file) => ({
    ...file,
    lines: file.lines.map((line, index) => (index < file.header ? line.replace(/close|last|price/i, 'xyz') : line)),
  }),
  'another symbol': (file) => withOptions(file, { symbol: 'GBPUSD' }),
  'another encoding': (file) => ({ ...file, wide: !file.wide }),
};

const cases = fc.record({
  layout: fc.constantFrom(...Object.keys(LAYOUTS)),
  interval: fc.constantFrom(...INTERVALS),
  zone: fc.constantFrom(...ZONES),
  week: fc.nat(90),
  seed: fc.nat(1_000),
  pick: fc.nat(10_000),
  wide: fc.boolean(),
});

describe('imported bars', () => {
  test.each(Object.keys(MUTATIONS))('are the same or refused with %s', async (mutation) => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ layout, interval: [name, length, align], zone, week, seed, pick, wide }) => {
        const rows = barsOf(length, align, week, seed);
        // Only servers in broker time have days that end at 17:00 in New York.
        const written = LAYOUTS[layout]!(rows, align === 'ny' ? 'broker' : zone);
        const file: Written = { ...written, name: 'x.csv', wide };
        const expected = rows
          .map(({ time, values }) => [time, name, align === 'ny' ? 'ny' : '', ...values].join(' '))
          .sort();
        expect(await read(file)).toEqual(expected);
        const mutated = await read(MUTATIONS[mutation]!(file, pick));
        if (mutated !== null) expect(mutated).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });
});
