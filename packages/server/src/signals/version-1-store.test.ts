// A store of an earlier release, with signals under rules version 1: closed ones keep their results, active ones are judged by
// the rules they were published under.
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LogRecord, NO_HASH } from '@tickwire/contract';
import { temporaryFolder } from '../../testing/service.fixture.ts';
import { BTCUSD, NOON, RunningSignals } from '../../testing/signals/running-signals.fixture.ts';
import type { StoredRecord } from '../store/signal-store.ts';
import { openSqliteDatabase } from '../store/sqlite/database.ts';
import { MARKET_SCHEMA } from '../store/sqlite/schema.ts';
import { SIGNAL_RULES } from '../store/sqlite/signal-rules-step.ts';
import { openLogKey } from './log-key.ts';
import { chainRecord, parseRecord, type UnchainedRecord } from './log-records.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const iso = (second: number): string => new Date(NOON + second * 1_000).toISOString();
const quote = (seq: number, second: number, bid: number, ask: number) => ({
  ...{ kind: 'quote', seq, time: iso(second), bid, ask, source: 'venue' },
});
const common = { rules: 1, publisher: 'pub_one', symbol: BTCUSD, instrument: { digits: 2, pip_size: 1 } };
const publication = (signal: string, second: number, terms: object) => ({
  type: 'published',
  ...common,
  at: iso(second),
  signal,
  direction: 'buy',
  entry: 100,
  stop_loss: 90,
  take_profit: 120,
  order: 'market',
  entry_deadline: iso(86_400),
  deadline: iso(86_400 * 30),
  quote: quote(1, 0, 99.9, 100),
  ...terms,
});
const LIMIT = { entry: 95, order: 'limit' };
const FILL = { price: 9_500, at: NOON + 5_000, evidence: quote(2, 5, 94.9, 95) };
const CLOSING = {
  type: 'closed',
  ...common,
  at: iso(9),
  signal: 'sig_done',
  reason: 'manual',
  entry_price: 100,
  exit_price: 101,
  closed_at: iso(9),
  pnl: 1,
  pnl_percent: 1,
  pnl_r: 0.1,
  self_sourced: true,
  filled: null,
  decided: quote(3, 8, 101, 101.1),
  decided_seq: 3,
};

/** Writes the store as the last release before rules version 2 did. */
function writeOldStore(): void {
  const realm = join(folder, 'live');
  mkdirSync(realm, { recursive: true });
  const { publicKey } = openLogKey(join(realm, 'log-key.pem'));
  const database = openSqliteDatabase(join(realm, 'market.db'), {
    schema: MARKET_SCHEMA.slice(0, MARKET_SCHEMA.indexOf(SIGNAL_RULES)),
    backups: join(folder, 'backups'),
  });
  const bodies = [
    { type: 'opened', rules: 1, at: iso(0), log: 'log_old', realm: 'live', public_key: publicKey },
    publication('sig_done', 1, { entry_price: 100 }),
    publication('sig_market', 2, { entry_price: 100 }),
    publication('sig_filled', 3, LIMIT),
    publication('sig_pending', 4, LIMIT),
    publication('sig_waiting', 5, { ...LIMIT, entry: 92, stop_loss: 80 }),
    CLOSING,
  ];
  const records: StoredRecord[] = [];
  for (const body of bodies)
    records.push(
      chainRecord(body as unknown as UnchainedRecord<LogRecord>, records.length, records.at(-1)?.hash ?? NO_HASH),
    );
  for (const { n, hash, text } of records) database.run('INSERT INTO signal_log VALUES (?, ?, ?)', [n, hash, text]);
  const insert = database.query(
    `INSERT INTO signals (published_n, id, publisher, symbol, closed_n, published_at, quote_at, filled_at, closed_at, decided_at,
       reason, pnl_r, ranked, note, fill) VALUES (?, ?, 'pub_one', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const at = (second: number): number => NOON + second * 1_000;
  insert.run(1, 'sig_done', BTCUSD, 6, at(1), at(0), at(1), at(9), at(8), 'manual', 0.1, 0, 'kept', null);
  const active = (n: number, id: string, filledAt: number | null, fill: string | null) =>
    insert.run(n, id, BTCUSD, null, at(n), at(0), filledAt, null, null, null, null, null, null, fill);
  active(2, 'sig_market', at(2), null);
  active(3, 'sig_filled', at(5), JSON.stringify(FILL));
  active(4, 'sig_pending', null, null);
  active(5, 'sig_waiting', null, null);
  database.run("INSERT INTO numbers VALUES ('judged_until', 3)");
  database.run("INSERT INTO numbers VALUES ('seq_reserved', 1000)");
  database.close();
}

describe('a store of an earlier release', () => {
  test('is migrated, and its signals go on under rules version 1', async () => {
    writeOldStore();
    const run = await RunningSignals.open(folder, 10);
    const { signals } = run.store;
    expect(
      (await signals.outcomes()).map(({ id, rules, order, filledAt, reason, pnlR, rankR, selfSourced }) => [
        ...[id, rules, order, filledAt && (filledAt - NOON) / 1_000, reason, pnlR, rankR, selfSourced],
      ]),
    ).toEqual([
      ['sig_done', 1, 'market', 1, 'manual', 0.1, 0.1, true],
      ['sig_market', 1, 'market', 2, null, null, null, false],
      ['sig_filled', 1, 'limit', 5, null, null, null, false],
      ['sig_pending', 1, 'limit', null, null, null, null, false],
      ['sig_waiting', 1, 'limit', null, null, null, null, false],
    ]);
    expect((await signals.events(-1, 99)).map(({ stream, record: { n } }) => [stream, n])).toEqual([
      ['published', 1],
      ['published', 2],
      ['published', 3],
      ['published', 4],
      ['published', 5],
      ['closed', 6],
    ]);
    expect(await run.detail('sig_done')).toMatchObject({ rules: 1, note: 'kept', pnl_r: 0.1, entry_price: 100 });
    expect(await run.detail('sig_filled')).toMatchObject({
      rules: 1,
      state: 'open',
      entry_price: 95,
      filled_at: iso(5),
    });

    run.quote(11, 98, 98.1);
    // At once, at the standing quote.
    expect(await run.close('sig_market')).toMatchObject({ close_reason: 'manual', exit_price: 98, closed_at: iso(11) });
    await expect(run.amend('sig_filled', 92)).rejects.toMatchObject({ code: 'stop_not_tighter' });
    run.quote(12, 94, 94.1);
    await run.signals.ledger.drain();
    expect(await run.detail('sig_pending')).toMatchObject({ state: 'open', entry_price: 95, filled_at: iso(12) });
    await run.stop();

    // The fill has no record, and is known after a restart.
    const again = await RunningSignals.open(folder, 13);
    expect(await again.detail('sig_pending')).toMatchObject({ state: 'open', entry_price: 95 });
    again.quote(14, 89, 89.1);
    for (const id of ['sig_filled', 'sig_pending'])
      expect(await again.closed(id)).toMatchObject({ rules: 1, reason: 'stop_loss', exit_price: 89, entry_price: 95 });
    expect(await again.closed('sig_waiting')).toBeNull();
    const types = (await again.store.signals.log(6, 99)).map((record) => parseRecord<LogRecord>(record));
    expect(types.map(({ type, rules }) => [type, rules])).toEqual([
      ['closed', 1],
      ['closed', 1],
      ['closed', 1],
    ]);
    expect(types.every((record) => !('last_exit' in record))).toBe(true);
    // New signals follow version 2, in the same log.
    const id = await again.publish({ entry: 89.1, stop_loss: 80, take_profit: 95 });
    expect(await again.detail(id)).toMatchObject({ rules: 2, state: 'pending' });
    await again.stop();
  });
});
