import { afterEach, describe, expect, test } from 'bun:test';
import { asEpochMs } from '@tickwire/engine';
import type { Lease } from '../cluster/lease.ts';
import { silentLog } from '../ops/log.ts';
import { tickEvents } from '../testing/market-events.fixture.ts';
import { KeptReserve, RedisWorld, until } from '../testing/redis-world.fixture.ts';
import { redisForTests } from '../testing/services.fixture.ts';
import { journalContract } from './journal.contract.ts';
import type { Batch, JournalEvent } from './journal.ts';
import type { RedisJournal } from './redis-journal.ts';
import { decodeEntry, EntryEncoder } from './redis-journal-encoding.ts';
import { APPEND_JOURNAL } from './redis-journal-scripts.ts';

const url = await redisForTests();
const event = (time: number): JournalEvent => ({ kind: 'clock', time: asEpochMs(time) });
const seqsOf = (batches: readonly Batch[]): number[] =>
  batches.flatMap(({ firstSeq, events }) => events.map((_, index) => firstSeq + index));
const run = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at);

describe.skipIf(!url)('the journal of a cluster', () => {
  let world = new RedisWorld(url!);
  afterEach(async () => {
    await world.end();
    world = new RedisWorld(url!);
  });
  /** A writer with all it needs. */
  async function writing(changes: Parameters<RedisWorld['writer']>[2] = {}) {
    const link = await world.link();
    const lease = await world.lease(link);
    return { link, lease, journal: await world.writer(link, lease, changes) };
  }
  /** The process of a lease dies without a word, and its lease has run out. */
  async function died(lease: Lease): Promise<void> {
    lease.stop();
    await (await world.link()).send(['DEL', world.keys.lease]);
  }

  describe('as its writer has it', () => {
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

  test('its readers elsewhere see the same batches, and the same numbers and epoch', async () => {
    const [one, two] = [await world.reader('newest'), await world.reader('newest')];
    const { journal } = await writing();
    const own: Batch[] = [];
    journal.subscribe((batch) => own.push(batch));
    for (let times = 0; times < 200; times++) {
      journal.append(tickEvents(1 + (times % 7), ['EURUSD', 'XAUUSD']), 'sim');
      if (times % 20 === 0) await Bun.sleep(3);
    }
    await until(() => one.reader.lastSeq === journal.lastSeq && two.reader.lastSeq === journal.lastSeq);
    expect(one.batches).toEqual(own);
    expect(two.batches).toEqual(own);
    expect(one.reader.epoch).toBe(journal.epoch);
    expect(one.lost).toEqual([]);
    expect(journal.publishedSeq).toBe(journal.lastSeq);
    expect(one.reader.state()).toMatchObject({ connected: true, behind: 0 });
  });

  test('many batches go in one round trip, and a batch too large for an entry in several', async () => {
    const reader = await world.reader('newest');
    const { journal } = await writing();
    for (let times = 0; times < 2_000; times++) journal.append([event(times)]);
    journal.append(tickEvents(25_000), 'import');
    await until(() => reader.reader.lastSeq === journal.lastSeq);
    expect(seqsOf(reader.batches)).toEqual(run(reader.batches[0]!.firstSeq, 27_000));
    expect(journal.rounds).toBeLessThan(5);
  });

  test('a reader begins anywhere, also in the middle of a batch, and knows the window', async () => {
    const { journal } = await writing();
    journal.append(tickEvents(10), 'sim');
    const first = journal.lastSeq - 9;
    await until(() => journal.publishedSeq === journal.lastSeq);
    journal.append(tickEvents(10), 'sim');
    await until(() => journal.publishedSeq === journal.lastSeq);
    const { reader, batches, lost } = await world.reader(first + 3);
    await until(() => reader.lastSeq === journal.lastSeq);
    expect(seqsOf(batches)).toEqual(run(first + 4, 16));
    expect(lost).toEqual([]);
    expect(await reader.window()).toEqual({ first, last: first + 19, epoch: journal.epoch });
  });

  test('a reader that fell out of the window is told what it lost, and goes on where it says', async () => {
    const { journal, link } = await writing();
    const first = journal.lastSeq + 1;
    for (let times = 0; times < 30; times++) {
      journal.append([event(times)]);
      await until(() => journal.publishedSeq === journal.lastSeq);
    }
    await link.send(['XTRIM', world.keys.journal, 'MINID', String(first + 20)]);
    const behind = await world.reader(first + 4);
    await until(() => behind.reader.lastSeq === journal.lastSeq);
    expect(behind.lost).toEqual([[first + 5, first + 19]]);
    expect(seqsOf(behind.batches)).toEqual(run(first + 20, 10));
    const rebuilt = await world.reader(first + 4, { onLost: async () => first + 24 });
    await until(() => rebuilt.reader.lastSeq === journal.lastSeq);
    expect(seqsOf(rebuilt.batches)).toEqual(run(first + 25, 5));
  });

  test('the stream is trimmed to its window', async () => {
    const { journal, link } = await writing({ windowEvents: 1_000 });
    // An entry each: the stream is trimmed by whole nodes of entries.
    for (let times = 0; times < 12; times++) {
      for (let more = 0; more < 12; more++) journal.append(tickEvents(200), 'sim');
      await until(() => journal.publishedSeq === journal.lastSeq);
      await Bun.sleep(100);
    }
    await until(async () => {
      journal.append(tickEvents(200), 'sim');
      return Number(await link.send(['XLEN', world.keys.journal])) < 100;
    });
    const { reader } = await world.reader('newest');
    const { first, last } = await reader.window();
    expect(last! - first!).toBeGreaterThan(1_000);
  });

  test('a reader of a stream that is not there yet misses nothing, whatever number comes first', async () => {
    const here = await world.reader('newest');
    const reserve = new KeptReserve();
    reserve.ceiling = 10_000_001;
    const { journal } = await writing({ reserve });
    journal.append(tickEvents(3), 'sim');
    await until(() => here.reader.lastSeq === journal.lastSeq);
    expect(seqsOf(here.batches)).toEqual(run(10_000_001, 3));
    expect([here.lost, here.epochs]).toEqual([[], []]);
  });

  test('a source that cannot be encoded is refused before it has a number', async () => {
    const { journal } = await writing();
    const before = journal.lastSeq;
    expect(() => journal.append([event(1)], 'x'.repeat(2_000))).toThrow(RangeError);
    expect(journal.lastSeq).toBe(before);
  });

  test('append at a reader is a fault', async () => {
    const { reader } = await world.reader('newest');
    expect(() => reader.append()).toThrow('only the active ingest');
  });

  test('a slow reader asks for more only when all is handed on, and for a bounded number', async () => {
    const { journal } = await writing();
    let [handed, received, most] = [0, 0, 0];
    const early: number[] = [];
    const link = await world.link({ bytes: true });
    const send = link.send.bind(link);
    link.send = async (...args) => {
      if (handed !== received) early.push(received - handed);
      const reply = await send(...args);
      const entries = (reply as [[unknown, [unknown, [unknown, Buffer]][]]] | null)?.[0][1] ?? [];
      most = Math.max(most, entries.length);
      for (const [, [, bytes]] of entries) received += decodeEntry(bytes).count;
      return reply;
    };
    const { reader } = await world.reader('newest', { link });
    reader.subscribe(({ events }) => {
      handed += events.length;
      Bun.sleepSync(1);
    });
    for (let times = 0; times < 300; times++) {
      journal.append(tickEvents(500), 'sim');
      if (times % 2 === 0) await Bun.sleep(0);
    }
    await until(() => handed === 150_000, 'everything is handed on');
    expect(early).toEqual([]);
    expect(most).toBeLessThanOrEqual(64);
  });

  describe('after Redis has lost', () => {
    test('everything, the stream is filled again and readers lose nothing', async () => {
      const here = await world.reader('newest');
      const { journal, lease } = await writing();
      const token = lease.token;
      journal.append(tickEvents(50), 'sim');
      await until(() => here.reader.lastSeq === journal.lastSeq);
      await world.forget();
      journal.append(tickEvents(50), 'sim');
      await until(() => here.reader.lastSeq === journal.lastSeq);
      expect(seqsOf(here.batches)).toEqual(run(journal.lastSeq - 99, 100));
      expect(here.lost).toEqual([]);
      expect(here.epochs).toEqual([]);
      expect(lease.token).toBeGreaterThan(token);
      // Also one that comes only now.
      const late = await world.reader(journal.lastSeq - 80);
      await until(() => late.reader.lastSeq === journal.lastSeq);
      expect(late.lost).toEqual([]);
    });

    test('the end of the stream, it is filled again with the same ids', async () => {
      const here = await world.reader('newest');
      const { journal, link } = await writing();
      const first = journal.lastSeq + 1;
      for (let times = 0; times < 10; times++) {
        journal.append([event(times), event(times)]);
        await until(() => here.reader.lastSeq === journal.lastSeq);
      }
      // As a Redis that was killed between two writes to its disk.
      const raw = await world.link({ bytes: true });
      const before = (await raw.send(['XRANGE', world.keys.journal, '-', '+'])) as [Buffer, Buffer[]][];
      await link.send(['DEL', world.keys.journal]);
      for (const [id, fields] of before.slice(0, 6)) await raw.send(['XADD', world.keys.journal, id, ...fields]);
      await link.send(['HSET', world.keys.journalEnd, 'last', String(first + 11)]);
      journal.append([event(99)]);
      await until(() => here.reader.lastSeq === journal.lastSeq);
      const ids = ((await link.send(['XRANGE', world.keys.journal, '-', '+'])) as [string][]).map(([id]) => id);
      expect(ids).toEqual([...before.map(([id]) => String(id)), `${first + 20}-1`]);
      expect(seqsOf(here.batches)).toEqual(run(first, 21));
      expect(here.lost).toEqual([]);
      const late = await world.reader(first - 1);
      await until(() => late.reader.lastSeq === journal.lastSeq);
      expect(late.batches).toEqual(here.batches);
    });

    test('more than the writer has kept, an epoch begins and the loss is told', async () => {
      const here = await world.reader('newest');
      const lines: string[] = [];
      const log = { ...silentLog, error: (line: string) => lines.push(line) };
      const epochs: string[] = [];
      const { journal, lease } = await writing({ ringBytes: 20_000, log, onEpoch: (epoch) => epochs.push(epoch) });
      journal.append(tickEvents(10), 'sim');
      await until(() => here.reader.lastSeq === journal.lastSeq);
      const [known, epoch] = [journal.lastSeq, journal.epoch];
      // Nothing can be sent while the lease is not certain.
      const held = lease.held.bind(lease);
      lease.held = () => false;
      for (let times = 0; times < 20; times++) {
        journal.append(tickEvents(100), 'sim');
        await Bun.sleep(15);
      }
      lease.held = held;
      await until(() => here.reader.lastSeq === journal.lastSeq);
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

  describe('when another takes over', () => {
    test('numbers and epoch go on without a hole', async () => {
      const here = await world.reader('newest');
      const reserve = new KeptReserve();
      const first = await writing({ reserve });
      first.journal.append(tickEvents(10), 'sim');
      await first.journal.close();
      await first.lease.release();
      const second = await writing({ reserve });
      second.journal.append(tickEvents(10), 'sim');
      await until(() => here.reader.lastSeq === second.journal.lastSeq);
      expect(seqsOf(here.batches)).toEqual(run(here.batches[0]!.firstSeq, 20));
      expect(second.journal.epoch).toBe(first.journal.epoch);
      expect([here.lost, here.epochs]).toEqual([[], []]);
    });

    test('who was stopped meanwhile publishes nothing more and is told, even where the lease is free again', async () => {
      const here = await world.reader('newest');
      const reserve = new KeptReserve();
      const told: string[] = [];
      const first = await writing({ reserve, onLost: (why) => told.push(why) });
      first.journal.append(tickEvents(5), 'sim');
      await until(() => here.reader.lastSeq === first.journal.lastSeq);
      await died(first.lease);
      const second = await writing({ reserve });
      second.journal.append(tickEvents(5), 'sim');
      await until(() => here.reader.lastSeq === second.journal.lastSeq);
      // It comes back and has not noticed.
      first.lease.held = () => true;
      first.journal.append(tickEvents(3), 'late');
      await until(() => told.length > 0);
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

    test('an entry that is sent twice is there once; one of an older token not at all', async () => {
      const { journal, link, lease } = await writing();
      journal.append([event(1)]);
      await until(() => journal.publishedSeq === journal.lastSeq);
      const encoder = new EntryEncoder(journal.epoch);
      const last = journal.lastSeq;
      encoder.add({ firstSeq: last + 1, source: '', events: [event(2)] });
      const bytes = encoder.take(1);
      const send = (token: number): Promise<unknown> =>
        link.run(
          APPEND_JOURNAL,
          [world.keys.journal, world.keys.journalEnd, world.keys.lease],
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
      expect(await link.send(['XLEN', world.keys.journal])).toBe(2);
      expect(await send(lease.token - 1)).toEqual(['fenced', String(lease.token)]);
    });

    test('what the store has but Redis never had is not numbered again: an epoch begins behind it', async () => {
      const here = await world.reader('newest');
      const reserve = new KeptReserve();
      const first = await writing({ reserve });
      first.journal.append(tickEvents(5), 'sim');
      await until(() => here.reader.lastSeq === first.journal.lastSeq);
      await died(first.lease);
      first.journal.stop();
      const second = await writing({ reserve, recordedSeq: first.journal.lastSeq + 3 });
      second.journal.append([event(1)]);
      await until(() => here.epochs.length > 0);
      expect(second.journal.epoch).not.toBe(first.journal.epoch);
      expect(second.journal.lastSeq).toBeGreaterThan(first.journal.lastSeq + 3);
      expect(here.lost).toEqual([[first.journal.lastSeq + 1, second.journal.lastSeq - 1]]);
    });

    test('while an empty Redis is still being filled again, an epoch begins: its end is not the end of what was read', async () => {
      const here = await world.reader('newest');
      const reserve = new KeptReserve();
      const first = await writing({ reserve, lingerMs: 0 });
      for (let times = 0; times < 100; times++) {
        first.journal.append([event(times)]);
        await until(() => first.journal.publishedSeq === first.journal.lastSeq);
      }
      await until(() => here.reader.lastSeq === first.journal.lastSeq);
      await world.forget();
      await first.lease.renew();
      // It dies after the first round of refilling: 64 of 101 entries.
      const send = first.link.run.bind(first.link);
      let filled = 0;
      first.link.run = async (...args) => {
        if (filled > 0) throw new Error('killed');
        const reply = await send(...args);
        if ((reply as string[])[0] === 'ok') filled++;
        return reply;
      };
      first.journal.append([event(101)]);
      await until(() => filled > 0);
      first.journal.stop();
      first.link.run = send;
      await died(first.lease);
      const second = await writing({ reserve });
      expect(second.journal.epoch).not.toBe(first.journal.epoch);
      expect(second.journal.lastSeq).toBeGreaterThan(first.journal.lastSeq);
    });

    test('after a restart of Redis nobody knows of, an epoch begins: it may have forgotten what was read', async () => {
      const reserve = new KeptReserve();
      const first = await writing({ reserve });
      first.journal.append(tickEvents(5), 'sim');
      await until(() => first.journal.publishedSeq === first.journal.lastSeq);
      await died(first.lease);
      first.journal.stop();
      await first.link.send(['HSET', world.keys.journalEnd, 'server', 'another']);
      const second = await writing({ reserve });
      expect(second.journal.epoch).not.toBe(first.journal.epoch);
      expect(second.journal.lastSeq).toBeGreaterThan(first.journal.lastSeq + 1_000_000);
    });
  });
});
