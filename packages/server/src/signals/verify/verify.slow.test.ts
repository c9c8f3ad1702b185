import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { LogHead } from '@tickwire/contract';
import { HOUR_MS } from '@tickwire/engine';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { MIDNIGHT, writeRealLog } from '../../../testing/signals/real-log.fixture.ts';
import { codesOf, type Draft, LogFile, rewritten } from '../../../testing/signals/tampering.fixture.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { SqliteTapeStore } from '../../store/sqlite/tape-store.ts';
import { decodeBlock, encodeBlock } from '../../store/tape-block.ts';
import { dayOf } from '../../store/tape-day.ts';
import { signHead } from '../head.ts';
import { openLogKey } from '../log-key.ts';
import type { HeadToCheck } from './check-heads.ts';
import { evidencePath } from './evidence-file.ts';
import { localLog } from './log-source.ts';
import { type VerifyResult, verifyLog } from './verify.ts';

const original = temporaryFolder();
const folders = [original];
let head: LogHead;
const SEALED = dayOf(MIDNIGHT - 1);
const TODAY = dayOf(MIDNIGHT);

beforeAll(async () => {
  const ledger = await writeRealLog({ folder: original, perMinute: 3 });
  head = ledger.head();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const copy = (): string => {
  const folder = temporaryFolder();
  folders.push(folder);
  cpSync(original, folder, { recursive: true });
  return folder;
};

async function verified(folder: string, heads: readonly HeadToCheck[] = []): Promise<VerifyResult> {
  const store = openSqliteStore({ folder, realm: 'sim', exclusive: false });
  try {
    return await verifyLog({
      source: await localLog(store.signals),
      heads,
      store: store.signals,
      tape: {
        folder: join(folder, 'sim'),
        read: (symbol, from, to) => store.market.tapeOf(symbol, from, to),
        damaged: () => store.market.damagedTape(),
      },
      now: MIDNIGHT + HOUR_MS,
    });
  } finally {
    await store.close();
  }
}

async function tampered(work: (file: LogFile) => void): Promise<VerifyResult> {
  const folder = copy();
  const file = new LogFile(folder);
  work(file);
  file.close();
  return verified(folder);
}

const rewrite = (edit: (drafts: Draft[]) => void) => (file: LogFile) => file.replace(rewritten(file.lines(), edit));

test('confirms every closed signal of a valid log from the sealed day and from the tape', async () => {
  const { log, findings, tape, rows, heads } = await verified(original, [{ from: 'here', head }]);
  expect(findings.first).toEqual([]);
  expect(log.closed).toBeGreaterThan(50);
  expect([log.recomputed, tape!.confirmed, rows, heads]).toEqual([log.closed, log.closed, log.signals, 1]);
  expect([tape!.intact, tape!.absent, tape!.unchecked.size]).toEqual([3, 0, 0]);
  expect(tape!.ticks).toBeGreaterThan(10_000);
});

describe('what only the tape can show', () => {
  type Quote = { readonly seq: number; readonly kind: string };
  /** Closed at its stop by a quote later than the one that filled it. */
  const isStopped = (draft: Draft): boolean => {
    const [decided, filled] = [draft.decided, draft.filled] as [Quote | undefined, Quote | null | undefined];
    const isLater = decided?.kind === 'quote' && filled !== null && decided.seq > filled!.seq;
    return draft.type === 'closed' && draft.reason === 'stop_loss' && isLater;
  };
  const publicationOf = (drafts: Draft[], { signal: id }: Draft): Draft =>
    drafts.find(({ signal, type }) => type === 'published' && signal === id)!;

  test('finds a quote that is not on the tape', async () => {
    // Its result is correct too: the evidence on its own has no fault.
    const { findings, log } = await tampered(
      rewrite((drafts) => {
        const closing = drafts.find((draft) => isStopped(draft) && !publicationOf(drafts, draft).targets)!;
        const published = publicationOf(drafts, closing);
        const target = published.take_profit as number;
        const { digits, pip_size } = published.instrument as { digits: number; pip_size: number };
        const buy = published.direction === 'buy';
        const base = (buy ? Math.max : Math.min)(published.entry as number, closing.entry_price as number);
        const ticks = (price: unknown): number => Math.round((price as number) * 10 ** digits);
        const gain = (buy ? 1 : -1) * (ticks(target) - ticks(base));
        const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
        Object.assign(closing, {
          decided: { ...(closing.decided as object), bid: target, ask: target },
          reason: 'take_profit',
          exit_price: target,
          last_exit: { fraction: 1, price: target },
          pnl: rounded(gain / (pip_size * 10 ** digits)),
          pnl_percent: rounded((100 * gain) / ticks(base)),
          pnl_r: rounded(gain / Math.abs(ticks(published.entry) - ticks(published.stop_loss))),
        });
      }),
    );
    expect(log.recomputed).toBe(log.closed);
    expect(codesOf(findings.first)).toEqual(expect.arrayContaining(['not_on_tape', 'tape_decides']));
    // The rows still have the original.
    expect(codesOf(findings.first)).toContain('row');
  });

  test('finds a signal that is active in the log although its stop was hit', async () => {
    const { findings } = await tampered(
      rewrite((drafts) => {
        drafts.splice(drafts.findIndex(isStopped), 1);
      }),
    );
    const found = findings.first.find(({ code }) => code === 'tape_decides');
    expect(found?.message).toMatch(
      /^quote \d+ \([\d.]+ \/ [\d.]+\) closes it as stop_loss, but the log has no such record$/,
    );
  });

  test('finds a changed tape', async () => {
    const folder = copy();
    const tape = new SqliteTapeStore(join(folder, 'sim', 'tape'));
    const blocks = tape.read(MIDNIGHT);
    tape.write(
      blocks
        .filter(({ count }) => count > 0)
        .map((block) => {
          const records = decodeBlock(block.bytes, block.symbol, block.minute).map((record) =>
            record.event.kind === 'quote'
              ? { ...record, event: { ...record.event, ask: record.event.ask + 1, bid: record.event.bid + 1 } }
              : record,
          );
          return { ...block, bytes: encodeBlock(records, block.minute, block.bytes[1]!) };
        }),
    );
    tape.close();
    expect(codesOf((await verified(folder)).findings.first)).toEqual(expect.arrayContaining(['not_on_tape']));
  });
});

describe('sealed files', () => {
  const path = (folder: string): string => evidencePath(join(folder, 'sim'), SEALED, 'EURUSD');

  test('finds a changed tick, and uses the tape instead', async () => {
    const folder = copy();
    const content = gunzipSync(readFileSync(path(folder))).toString();
    writeFileSync(path(folder), gzipSync(content.replace('"bid":1.', '"bid":2.')));
    const { findings, tape, log } = await verified(folder);
    expect(codesOf(findings.first)).toEqual(['sealed_file']);
    expect(findings.first[0]!.message).toContain('EURUSD.jsonl.gz has the hash');
    expect([tape!.intact, tape!.confirmed]).toEqual([2, log.closed]);
  });

  test('finds a truncated file; without the tape, lists its signals as unchecked', async () => {
    const folder = copy();
    const packed = readFileSync(path(folder));
    writeFileSync(path(folder), packed.subarray(0, packed.length >> 1));
    rmSync(join(folder, 'sim', 'tape', `${SEALED}.db`));
    const { findings, tape, log } = await verified(folder);
    expect(codesOf(findings.first)).toEqual(['sealed_file']);
    expect(findings.first[0]!.message).toContain('cannot be read');
    const unchecked = tape!.unchecked.get('evidence_damaged')!;
    expect(unchecked).toBeGreaterThan(0);
    expect(tape!.confirmed + unchecked).toBeGreaterThanOrEqual(log.closed);
  });

  test('replace a missing tape, and the tape replaces missing files', async () => {
    const [noTape, noFiles] = [copy(), copy()];
    rmSync(join(noTape, 'sim', 'tape', `${SEALED}.db`));
    rmSync(join(noFiles, 'sim', 'evidence'), { recursive: true });
    for (const folder of [noTape, noFiles]) {
      const { findings, tape, log } = await verified(folder);
      expect([findings.first, tape!.confirmed, tape!.unchecked.size]).toEqual([[], log.closed, 0]);
    }
  });
});

test('counts signals without ticks separately, not as faults', async () => {
  const folder = copy();
  rmSync(join(folder, 'sim', 'tape', `${TODAY}.db`));
  const { findings, tape, log } = await verified(folder);
  expect(findings.first).toEqual([]);
  const gone = tape!.unchecked.get('tape_gone')!;
  const judgeable = log.closed + log.active.size;
  expect([gone > 0, tape!.confirmed > 0, tape!.confirmed + gone <= judgeable]).toEqual([true, true, true]);
  expect(tape!.firstUnchecked[0]).toMatchObject({ day: TODAY, why: 'tape_gone' });
  renameSync(join(folder, 'sim', 'tape'), join(folder, 'sim', 'nowhere'));
  rmSync(join(folder, 'sim', 'evidence'), { recursive: true });
  const nothing = await verified(folder);
  expect([nothing.findings.count, nothing.tape!.unchecked.get('tape_gone'), nothing.tape!.absent]).toEqual([
    0,
    judgeable,
    3,
  ]);
});

describe('heads kept outside', () => {
  const kept = (each: LogHead): HeadToCheck[] => [{ from: 'heads.jsonl:1', head: each }];

  test('reveal a rewritten tail with correct hashes', async () => {
    const folder = copy();
    const file = new LogFile(folder);
    const lines = rewritten(file.lines(), (drafts) => {
      // A seal: only the chain shows when it was written.
      drafts[head.n]!.at = '2026-03-03T00:30:00.123Z';
    });
    file.replace(lines);
    file.close();
    expect((await verified(folder)).findings.first).toEqual([]);
    const { findings, log } = await verified(folder, kept(head));
    expect(log.broken).toBe(0);
    expect(findings.first.map(({ n, code }) => [n, code])).toEqual([[head.n, 'head']]);
  });

  test('reveal a truncated log', async () => {
    const folder = copy();
    const file = new LogFile(folder);
    file.run('DELETE FROM signal_log WHERE n = ?', head.n);
    file.close();
    const { findings } = await verified(folder, kept(head));
    expect(findings.first[0]!.message).toBe(
      `the head in heads.jsonl:1 is of record ${head.n}, but the log ends at record ${head.n - 1}`,
    );
  });

  test('are rejected if signed by another key, of another log, or changed', async () => {
    const key = openLogKey(join(original, 'other.pem'));
    const other = signHead(key, head.log, head, Date.parse(head.at));
    const says = async (each: LogHead): Promise<string> =>
      (await verified(original, kept(each))).findings.first[0]!.message;
    expect(await says(other)).toContain('not to this one');
    expect(await says({ ...head, n: head.n - 1 })).toContain('is not signed by the key it names');
    rmSync(join(original, 'other.pem'));
  });
});

describe('data beside the log', () => {
  const STOPPED = 'id = (SELECT id FROM signals WHERE rank_r < 0 LIMIT 1)';
  for (const change of [
    'published_at = 1',
    'filled_at = 1',
    'rank_r = 5',
    'voided_n = 0',
    "publisher = 'pub_somebody'",
    "symbol = 'GBPUSD'",
    'closed_n = NULL',
    'closed_n = 0',
  ]) {
    test(`finds a row with ${change}`, async () => {
      const { findings } = await tampered((file) => file.run(`UPDATE signals SET ${change} WHERE ${STOPPED}`));
      expect(codesOf(findings.first)).toEqual(['row']);
    });
  }

  test('finds a changed, added or removed note', async () => {
    for (const note of ['another thought', null]) {
      const { findings } = await tampered((file) =>
        file.run('UPDATE signals SET note = ? WHERE note IS NOT NULL', note),
      );
      expect(codesOf(findings.first)).toEqual(['note']);
    }
    const { findings } = await tampered((file) => file.run("UPDATE signals SET note = 'x' WHERE note IS NULL"));
    expect(codesOf(findings.first)).toEqual(['note']);
  });

  test('finds a removed row', async () => {
    const { findings } = await tampered((file) => file.run(`DELETE FROM signals WHERE ${STOPPED}`));
    expect(findings.first.map(({ message }) => message)).toEqual(['it has no row in the store']);
  });
});
