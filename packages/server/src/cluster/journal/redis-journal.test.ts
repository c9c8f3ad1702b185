import { afterEach, describe, expect, test } from 'bun:test';
import { asEpochMs } from '@tickwire/engine';
import { redisForTests } from '../../../testing/external-services.fixture.ts';
import { journalContract } from '../../../testing/journal/journal.suite.ts';
import { tickEvents } from '../../../testing/market-events.fixture.ts';
import { MemoryReserve, RedisSandbox, waitUntil } from '../../../testing/redis-sandbox.fixture.ts';
import type { Batch, JournalEvent } from '../../journal/journal.ts';
import { silentLog } from '../../ops/log.ts';
import type { Lease } from '../lease.ts';
import { decodeEntry, EntryEncoder } from './entry-encoding.ts';
import type { RedisJournal } from './redis-journal.ts';
import { APPEND_JOURNAL } from './redis-journal-scripts.ts';

const url = await redisForTests();
const event = (time: number): JournalEvent => ({ kind: 'clock', time: asEpochMs(time) });
const seqsOf = (batches: readonly Batch[]): number[] =>
  batches.flatMap(({ firstSeq, events }) => events.map((_, index) => firstSeq + index));
const run = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at);

describe.skipIf(!url)('the journal of a cluster', () => {
  let sandbox = new RedisSandbox(url!);
  afterEach(async () => {
    await sandbox.end();
    sandbox = new RedisSandbox(url!);
  });
  /** A writer with its link and lease. */
  async function writing(changes: Parameters<RedisSandbox['writer']>[2] = {}) {
    const link = await sandbox.link();
    const lease = await sandbox.lease(link);
    return { link, lease, journal: await sandbox.writer(link, lease, changes) };
  }
  /** The holder of the lease dies, and the lease expires. */
  async function died(lease: Lease): Promise<void> {
    lease.stop();
    await (await sandbox.link()).send(['DEL', sandbox.keys.lease]);
  }

  describe('for its writer', () => {
    let last: { journal: RedisJournal; lease: Lease } | null = null;
    afterEach(() => {
      last = null;
    });
    journalContract(async (reserve, log) => {
      if (last) {
        last.journal.stop();
        await died(last.lease);
      }
      last = await writing({ reserve, log });
      return last.journal;
    });
  });

  test('readers elsewhere get the same batches, numbers and epoch', async () => {
    const [one, two] = [await sandbox.reader('newest'), await sandbox.reader('newest')];
    const { journal } = await writing();
    const own: Batch[] = [];
    journal.subscribe((batch) => own.push(batch));
    for (let times = 0; times < 200; times++) {
      journal.append(tickEvents(1 + (times % 7), ['EURUSD', 'XAUUSD']), 'sim');
      if (times % 20 === 0) await Bun.sleep(3);
    }
    await waitUntil(() => one.reader.lastSeq === journal.lastSeq && two.reader.lastSeq === journal.lastSeq);
    expect(one.batches).toEqual(own);
    expect(two.batches).toEqual(own);
    expect(one.reader.epoch).toBe(journal.epoch);
    expect(one.lost).toEqual([]);
    // Readers may have a batch before the writer knows that Redis has it.
    await waitUntil(() => journal.publishedSeq === journal.lastSeq);
    expect(one.reader.state()).toMatchObject({ connected: true, behind: 0 });
  });

  test('sends many batches in one round trip, and a large batch as several entries', async () => {
    const reader = await sandbox.reader('newest');
    const { journal } = await writing();
    for (let times = 0; times < 2_000; times++) journal.append([event(times)]);
    journal.append(tickEvents(25_000), 'import');
    await waitUntil(() => reader.reader.lastSeq === journal.lastSeq);
    expect(seqsOf(reader.batches)).toEqual(run(reader.batches[0]!.firstSeq, 27_000));
    expect(journal.rounds).toBeLessThan(5);
  });

  test('a reader can start anywhere, even in the middle of a batch, and knows the window', async () => {
    const { journal } = await writing();
    journal.append(tickEvents(10), 'sim');
    const first = journal.lastSeq - 9;
    await waitUntil(() => journal.publishedSeq === journal.lastSeq);
    journal.append(tickEvents(10), 'sim');
    await waitUntil(() => journal.publishedSeq === journal.lastSeq);
    const { reader, batches, lost } = await sandbox.reader(first + 3);
    await waitUntil(() => reader.lastSeq === journal.lastSeq);
    expect(seqsOf(batches)).toEqual(run(first + 4, 16));
    expect(lost).toEqual([]);
    expect(await reader.window()).toEqual({ first, last: first + 19, epoch: journal.epoch });
  });

  test('a reader that fell behind the window learns what it lost, and continues from there', async () => {
    const { journal, link } = await writing();
    const first = journal.lastSeq + 1;
    for (let times = 0; times < 30; times++) {
      journal.append([event(times)]);
      await waitUntil(() => journal.publishedSeq === journal.lastSeq);
    }
    await link.send(['XTRIM', sandbox.keys.journal, 'MINID', String(first + 20)]);
    const behind = await sandbox.reader(first + 4);
    await waitUntil(() => behind.reader.lastSeq === journal.lastSeq);
    expect(behind.lost).toEqual([[first + 5, first + 19]]);
    expect(seqsOf(behind.batches)).toEqual(run(first + 20, 10));
    const rebuilt = await sandbox.reader(first + 4, { onLost: async () => first + 24 });
    await waitUntil(() => rebuilt.reader.lastSeq === journal.lastSeq);
    expect(seqsOf(rebuilt.batches)).toEqual(run(first + 25, 5));
  });

  test('trims the stream to its window', async () => {
    const { journal, link } = await writing({ windowEvents: 1_000 });
    // One entry each: Redis trims whole nodes of entries.
    for (let times = 0; times < 12; times++) {
      for (let more = 0; more < 12; more++) journal.append(tickEvents(200), 'sim');
      await waitUntil(() => journal.publishedSeq === journal.lastSeq);
      await Bun.sleep(100);
    }
    await waitUntil(async () => {
      journal.append(tickEvents(200), 'sim');
      return Number(await link.send(['XLEN', sandbox.keys.journal])) < 100;
    });
    const { reader } = await sandbox.reader('newest');
    const { first, last } = await reader.window();
    expect(last! - first!).toBeGreaterThan(1_000);
  });

  test('a reader of an empty stream misses nothing, whatever the first number is', async () => {
    const here = await sandbox.reader('newest');
    const reserve = new MemoryReserve();
    reserve.ceiling = 10_000_001;
    const { journal } = await writing({ reserve });
    journal.append(tickEvents(3), 'sim');
    await waitUntil(() => here.reader.lastSeq === journal.lastSeq);
    expect(seqsOf(here.batches)).toEqual(run(10_000_001, 3));
    expect([here.lost, here.epochs]).toEqual([[], []]);
  });

  test('the epoch is known before the first event', async () => {
    const { journal } = await writing();
    const { reader } = await sandbox.reader(0);
    expect(reader.epoch).toBe(journal.epoch);
  });

  test('a reader with a position that was opened before the first epoch is notified of it', async () => {
    const here = await sandbox.reader(0);
    expect(here.reader.epoch).toBe('');
    const { journal } = await writing();
    journal.append(tickEvents(3), 'sim');
    await waitUntil(() => here.reader.lastSeq === journal.lastSeq);
    expect([here.lost, here.epochs]).toEqual([[], [journal.epoch]]);
    expect(here.reader.epoch).toBe(journal.epoch);
  });

  test('rejects a source that cannot be encoded before it assigns a number', async () => {
    const { journal } = await writing();
    const before = journal.lastSeq;
    expect(() => journal.append([event(1)], 'x'.repeat(2_000))).toThrow(RangeError);
    expect(journal.lastSeq).toBe(before);
  });

  test('append on a reader throws', async () => {
    const { reader } = await sandbox.reader('newest');
    expect(() => reader.append()).toThrow('only the active ingest');
  });

  test('a slow reader requests more only after everything was delivered, and a bounded number', async () => {
    const { journal } = await writing();
    let [handed, received, most] = [0, 0, 0];
    const early: number[] = [];
    const link = await sandbox.link({ bytes: true });
    const send = link.send.bind(link);
    link.send = async (...args) => {
      if (handed !== received) early.push(received - handed);
      const reply = await send(...args);
      const entries = (reply as [[unknown, [unknown, [unknown, Buffer]][]]] | null)?.[0][1] ?? [];
      most = Math.max(most, entries.length);
      for (const [, [, bytes]] of entries) received += decodeEntry(bytes).count;
      return reply;
    };
    const { reader } = await sandbox.reader('newest', { link });
    reader.subscribe(({ events }) => {
      handed += events.length;
      Bun.sleepSync(1);
    });
    for (let times = 0; times < 300; times++) {
      journal.append(tickEvents(500), 'sim');
      if (times % 2 === 0) await Bun.sleep(0);
    }
    await waitUntil(() => handed === 150_000, 'everything is handed on');
    expect(early).toEqual([]);
    expect(most).toBeLessThanOrEqual(64);
  });

  describe('after Redis has lost data', () => {
    test('the whole stream is refilled and readers lose nothing', async () => {
      const here = await sandbox.reader('newest');
      const { journal, lease } = await writing();
      const token = lease.token;
      journal.append(tickEvents(50), 'sim');
      await waitUntil(() => here.reader.lastSeq === journal.lastSeq);
      await sandbox.loseData();
      journal.append(tickEvents(50), 'sim');
      await waitUntil(() => here.reader.lastSeq === journal.lastSeq);
      expect(seqsOf(here.batches)).toEqual(run(journal.lastSeq - 99, 100));
      expect(here.lost).toEqual([]);
      expect(here.epochs).toEqual([]);
      expect(lease.token).toBeGreaterThan(token);
      // Also a reader that starts only now.
      const late = await sandbox.reader(journal.lastSeq - 80);
      await waitUntil(() => late.reader.lastSeq === journal.lastSeq);
      expect(late.lost).toEqual([]);
    });

    test('the end of the stream is refilled with the same ids', async () => {
      const here = await sandbox.reader('newest');
      const { journal, link } = await writing();
      const first = journal.lastSeq + 1;
      for (let times = 0; times < 10; times++) {
        journal.append([event(times), event(times)]);
        await waitUntil(() => here.reader.lastSeq === journal.lastSeq);
      }
      // Like a Redis that was killed between two writes to its disk.
      const raw = await sandbox.link({ bytes: true });
      const before = (await raw.send(['XRANGE', sandbox.keys.journal, '-', '+'])) as [Buffer, Buffer[]][];
      await link.send(['DEL', sandbox.keys.journal]);
      for (const [id, fields] of before.slice(0, 6)) await raw.send(['XADD', sandbox.keys.journal, id, ...fields]);
      await link.send(['HSET', sandbox.keys.journalEnd, 'last', String(first + 11)]);
      journal.append([event(99)]);
      await waitUntil(() => here.reader.lastSeq === journal.lastSeq);
      const ids = ((await link.send(['XRANGE', sandbox.keys.journal, '-', '+'])) as [string][]).map(([id]) => id);
      expect(ids).toEqual([...before.map(([id]) => String(id)), `${first + 20}-1`]);
      expect(seqsOf(here.batches)).toEqual(run(first, 21));
      expect(here.lost).toEqual([]);
      const late = await sandbox.reader(first - 1);
      await waitUntil(() => late.reader.lastSeq === journal.lastSeq);
      expect(late.batches).toEqual(here.batches);
    });

    test('a loss beyond the memory of the writer starts a new epoch and is declared', async () => {
      const here = await sandbox.reader('newest');
      const lines: string[] = [];
      const log = { ...silentLog, error: (line: string) => lines.push(line) };
      const epochs: string[] = [];
      const { journal, lease } = await writing({ ringBytes: 20_000, log, onEpoch: (epoch) => epochs.push(epoch) });
      journal.append(tickEvents(10), 'sim');
      await waitUntil(() => here.reader.lastSeq === journal.lastSeq);
      const [known, epoch] = [journal.lastSeq, journal.epoch];
      // Nothing is sent while the lease is uncertain.
      const held = lease.held.bind(lease);
      lease.held = () => false;
      for (let times = 0; times < 20; times++) {
        journal.append(tickEvents(100), 'sim');
        await Bun.sleep(15);
      }
      lease.held = held;
      await waitUntil(() => here.reader.lastSeq === journal.lastSeq);
      expect(journal.epoch).not.toBe(epoch);
      expect(here.reader.epoch).toBe(journal.epoch);
      expect([here.epochs, epochs]).toEqual([[journal.epoch], [journal.epoch]]);
      expect(here.lost).toHaveLength(1);
      expect(here.lost[0]![0]).toBe(known + 1);
      expect(here.lost[0]![1] - known).toBe(journal.lostEvents);
      const rest = seqsOf(here.batches).filter((seq) => seq > known);
      expect(rest).toEqual(run(here.lost[0]![1] + 1, journal.lastSeq - here.lost[0]![1]));
      expect(lines.join('\n')).toContain('CONTINUITY LOST');
    });
  });

  describe('after a takeover', () => {
    test('numbers and epoch continue without a hole', async () => {
      const here = await sandbox.reader('newest');
      const reserve = new MemoryReserve();
      const first = await writing({ reserve });
      first.journal.append(tickEvents(10), 'sim');
      await first.journal.close();
      await first.lease.release();
      const second = await writing({ reserve });
      second.journal.append(tickEvents(10), 'sim');
      await waitUntil(() => here.reader.lastSeq === second.journal.lastSeq);
      expect(seqsOf(here.batches)).toEqual(run(here.batches[0]!.firstSeq, 20));
      expect(second.journal.epoch).toBe(first.journal.epoch);
      expect([here.lost, here.epochs]).toEqual([[], []]);
    });

    test('a writer that was stopped publishes nothing more and is notified, even if the lease is free again', async () => {
      const here = await sandbox.reader('newest');
      const reserve = new MemoryReserve();
      const told: string[] = [];
      const first = await writing({ reserve, onLost: (why) => told.push(why) });
      first.journal.append(tickEvents(5), 'sim');
      await waitUntil(() => here.reader.lastSeq === first.journal.lastSeq);
      await died(first.lease);
      const second = await writing({ reserve });
      second.journal.append(tickEvents(5), 'sim');
      await waitUntil(() => here.reader.lastSeq === second.journal.lastSeq);
      // It resumes without having noticed.
      first.lease.held = () => true;
      first.journal.append(tickEvents(3), 'late');
      await waitUntil(() => told.length > 0);
      expect(told[0]).toContain('token');
      const heard: Batch[] = [];
      first.journal.subscribe((batch) => heard.push(batch));
      first.journal.append(tickEvents(3), 'late');
      expect(heard).toEqual([]);
      await second.journal.close();
      await second.lease.release();
      expect(here.batches.every(({ source }) => source === 'sim')).toBe(true);
      expect(seqsOf(here.batches)).toEqual(run(here.batches[0]!.firstSeq, 10));
    });

    test('an entry that is sent twice is stored once, and one with an older token is rejected', async () => {
      const { journal, link, lease } = await writing();
      journal.append([event(1)]);
      await waitUntil(() => journal.publishedSeq === journal.lastSeq);
      const encoder = new EntryEncoder(journal.epoch);
      const last = journal.lastSeq;
      encoder.add({ firstSeq: last + 1, source: '', events: [event(2)] });
      const bytes = encoder.take(1);
      const send = (token: number): Promise<unknown> =>
        link.run(
          APPEND_JOURNAL,
          [sandbox.keys.journal, sandbox.keys.journalEnd, sandbox.keys.lease],
          [
            String(token),
            String(token),
            journal.epoch,
            link.serverId,
            '',
            '0',
            String(last),
            String(last + 1),
            '1',
            '0',
            bytes,
          ],
        );
      expect(await send(lease.token)).toEqual(['ok', String(last + 1)]);
      expect(await send(lease.token)).toEqual(['ok', String(last + 1)]);
      expect(await link.send(['XLEN', sandbox.keys.journal])).toBe(2);
      expect(await send(lease.token - 1)).toEqual(['fenced', String(lease.token)]);
    });

    test('numbers that are stored but were never published are not assigned again: a new epoch starts', async () => {
      const here = await sandbox.reader('newest');
      const reserve = new MemoryReserve();
      const first = await writing({ reserve });
      first.journal.append(tickEvents(5), 'sim');
      await waitUntil(() => here.reader.lastSeq === first.journal.lastSeq);
      await died(first.lease);
      first.journal.stop();
      const second = await writing({ reserve, recordedSeq: first.journal.lastSeq + 3 });
      second.journal.append([event(1)]);
      await waitUntil(() => here.epochs.length > 0);
      expect(second.journal.epoch).not.toBe(first.journal.epoch);
      expect(second.journal.lastSeq).toBeGreaterThan(first.journal.lastSeq + 3);
      expect(here.lost).toEqual([[first.journal.lastSeq + 1, second.journal.lastSeq - 1]]);
    });

    test('a new epoch starts if Redis was still being refilled, because its end is not the end of what was read', async () => {
      const here = await sandbox.reader('newest');
      const reserve = new MemoryReserve();
      const first = await writing({ reserve, lingerMs: 0 });
      for (let times = 0; times < 100; times++) {
        first.journal.append([event(times)]);
        await waitUntil(() => first.journal.publishedSeq === first.journal.lastSeq);
      }
      await waitUntil(() => here.reader.lastSeq === first.journal.lastSeq);
      await sandbox.loseData();
      await first.lease.renew();
      // The writer dies after the first round of refilling: 64 of 101 entries.
      const send = first.link.run.bind(first.link);
      let filled = 0;
      first.link.run = async (...args) => {
        if (filled > 0) throw new Error('killed');
        const reply = await send(...args);
        if ((reply as string[])[0] === 'ok') filled++;
        return reply;
      };
      first.journal.append([event(101)]);
      await waitUntil(() => filled > 0);
      first.journal.stop();
      first.link.run = send;
      await died(first.lease);
      const second = await writing({ reserve });
      expect(second.journal.epoch).not.toBe(first.journal.epoch);
      expect(second.journal.lastSeq).toBeGreaterThan(first.journal.lastSeq);
    });

    test('a new epoch starts if Redis was restarted unnoticed, because it may have lost what was read', async () => {
      const reserve = new MemoryReserve();
      const first = await writing({ reserve });
      first.journal.append(tickEvents(5), 'sim');
      await waitUntil(() => first.journal.publishedSeq === first.journal.lastSeq);
      await died(first.lease);
      first.journal.stop();
      await first.link.send(['HSET', sandbox.keys.journalEnd, 'server', 'another']);
      const second = await writing({ reserve });
      expect(second.journal.epoch).not.toBe(first.journal.epoch);
      expect(second.journal.lastSeq).toBeGreaterThan(first.journal.lastSeq + 1_000_000);
    });
  });
});
