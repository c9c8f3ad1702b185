// docs/reference/rate-limits.md states the limits of the contract.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES, FIRINGS_PER_ALERT, RESPONSE_HEADERS, TIERS, type Tier } from '@tickwire/contract';
import { ROOT } from '../pack/repository.ts';

const page = readFileSync(join(ROOT, 'docs/reference/rate-limits.md'), 'utf8');

const COLUMNS = [
  'requests_per_minute',
  'streams',
  'live_indicators',
  'export_rows_per_day',
  'ai_calls_per_day',
  'signals_per_day',
  'active_signals_per_symbol',
  'alerts',
  'stored firings',
  'deliveries_per_day',
  'replays',
  'replay_symbols',
  'replay_events_per_minute',
  'chat_channels',
] as const satisfies readonly (keyof Tier | 'stored firings')[];

test('the table of tiers has every tier and every limit', () => {
  const rows = [...page.matchAll(/^\| `(free|pro|premium)` \|(.*)\|$/gm)].map(([, name, cells]) => [
    name,
    cells!.split('|').map((cell) => Number(cell.replaceAll(',', ''))),
  ]);
  const limit = (tier: Tier, column: (typeof COLUMNS)[number]): number =>
    column === 'stored firings' ? tier.alerts * FIRINGS_PER_ALERT : tier[column];
  expect(rows).toEqual(
    Object.entries(TIERS).map(([name, tier]) => [name, COLUMNS.map((column) => limit(tier, column))]),
  );
  // Not in the table: no built-in tier has a delay.
  expect(Object.values(TIERS).every((tier) => tier.delivery_delay_seconds === 0)).toBe(true);
  expect(Object.keys(TIERS.free).length).toBe(COLUMNS.length);
});

test('every header and error code that the page names exists', () => {
  const [, table = ''] = page.split('| header | meaning |\n')[1]!.match(/^(.*?)\n\n/s)!;
  const headers = [...table.matchAll(/`([A-Z][\w-]+)`/g)].map(([, name]) => name!);
  expect(headers.length).toBeGreaterThan(4);
  for (const name of headers) expect(Object.keys(RESPONSE_HEADERS)).toContain(name);
  const codes = [...page.matchAll(/errors\.md#(\w+)/g)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(8);
  for (const code of codes) expect(ERROR_CODES as readonly string[]).toContain(code);
});

test('as many files of a year of minutes fit the free tier as the page says', () => {
  const rows = 365 * 24 * 60;
  expect(page).toContain(`${rows.toLocaleString('en')} rows: the tier \`free\` allows nine`);
  expect(Math.floor(TIERS.free.export_rows_per_day / rows)).toBe(9);
});
