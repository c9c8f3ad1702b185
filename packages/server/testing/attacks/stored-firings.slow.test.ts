// An account whose alert fires as often as it can, with the longest note: what it stores stays within the bound of its tier, the
// oldest firings go first, the account and the operator can see how many, and the note is stored once.
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIRINGS_PER_ALERT } from '@tickwire/contract';
import { AlertUser, crossing } from '../alert-user.fixture.ts';
import { metric } from '../metric.fixture.ts';
import { eventually } from '../process.fixture.ts';
import { TestMarket } from '../publisher.fixture.ts';
import { type RunningService, startService, temporaryFolder } from '../service.fixture.ts';

const BEYOND = 50;
const data = temporaryFolder();
let service: RunningService;
beforeAll(async () => {
  const tiers = { one: { requests_per_minute: 1_000, streams: 1, ai_calls_per_day: 0, alerts: 1 } };
  const config = join(data, 'tickwire.json');
  writeFileSync(config, JSON.stringify({ tiers }));
  service = await startService({ data, config, feeds: 'push', spike_percent: '50', metrics_port: '0' });
});
afterAll(async () => {
  await service.stop();
  rmSync(data, { recursive: true, force: true });
});

test('an alert that fires again and again stores no more than its tier allows', async () => {
  const market = await TestMarket.of(service);
  const user = await AlertUser.of(service, 'one');
  await market.quote('EURUSD', 1.1, 1.1001);
  const note = 'n'.repeat(500);
  await user.alert({ condition: crossing(1.15), repeat: 'every_time', note });
  for (let n = 0; n < FIRINGS_PER_ALERT + BEYOND; n++) {
    await market.quote('EURUSD', 1.2, 1.2001);
    await market.quote('EURUSD', 1.1, 1.1001);
  }
  const page = () =>
    user.must<{ items: { id: string; note: string }[]; removed: number }>('GET', '/api/alerts/firings');
  await eventually('all have fired', async () => (await page()).removed === BEYOND);
  const { items } = await page();
  expect(items[0]!.note).toBe(note);
  expect(await metric(service, 'tickwire_alert_firings_removed_total')).toBe(BEYOND);
  using stored = new Database(join(data, 'live', 'market.db'), { readonly: true });
  expect(stored.query('SELECT count(*) AS firings, sum(instr(body, ?)) AS notes FROM firings').get(note)).toEqual({
    ...{ firings: FIRINGS_PER_ALERT, notes: 0 },
  });
  expect(stored.query('SELECT count(*) AS versions FROM alert_versions').get()).toEqual({ versions: 1 });
});
