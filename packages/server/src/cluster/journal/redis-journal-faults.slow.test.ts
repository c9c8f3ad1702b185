// A writer and two readers in separate processes at 5,000 ticks per second, while Redis is killed, emptied, paused and cut off:
// every reader gets every number exactly once. In full, the pauses are as long as in the cluster proof.
import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWatch } from '../../../testing/event-loop.fixture.ts';
import {
  JournalProcess,
  type JournalProcessOptions,
  type JournalTally,
} from '../../../testing/journal-process.fixture.ts';
import { waitUntil } from '../../../testing/redis-sandbox.fixture.ts';
import { OwnRedis, redisCommand } from '../../../testing/redis-server.fixture.ts';
import { atScale } from '../../../testing/scale.fixture.ts';
import { silentLog } from '../../ops/log.ts';
import { redisKeys } from '../redis-keys.ts';
import { RedisLink } from '../redis-link.ts';
import { decodeEntry } from './entry-encoding.ts';

const command = redisCommand();
const STALL_S = atScale(4, 20);
const NAME = 'faults';
const RATE = 5_000;

describe.skipIf(!command)('the journal of a cluster in separate processes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tickwire-faults-'));
  const running = new Set<JournalProcess>();
  let redis: OwnRedis | null = null;
  let reserves = 0;
  afterEach(async () => {
    for (const started of running) {
      started.resume();
      await started.kill();
    }
    running.clear();
    await redis?.end();
    redis = null;
    rmSync(folder, { recursive: true, force: true, maxRetries: 2 });
  });
  const begin = async (persistent = false): Promise<OwnRedis> => {
    redis = await OwnRedis.start(command!, persistent);
    await Bun.$`mkdir -p ${folder}`;
    reserves++;
    return redis;
  };
  async function start(
    role: JournalProcessOptions['role'],
    id: string,
    changes: Partial<JournalProcessOptions> = {},
    waits = false,
  ): Promise<JournalProcess> {
    const reserve = join(folder, `reserve-${reserves}`);
    const started = await JournalProcess.start(
      { role, id, url: redis!.url, name: NAME, rate: RATE, reserve, ...changes },
      waits,
    );
    running.add(started);
    return started;
  }
  const ended = async (started: JournalProcess): Promise<JournalTally> => {
    running.delete(started);
    return started.end();
  };
  /** The newest `seq` in the stream; 0 if Redis does not respond. */
  async function newest(): Promise<number> {
    const link = await RedisLink.open({ url: redis!.url, name: 'test', log: silentLog }).catch(() => null);
    const last = await link?.send(['HGET', redisKeys(NAME).journalEnd, 'last']).catch(() => null);
    link?.close();
    return Number(last ?? 0);
  }
  /** Waits until that many more events are in the stream. */
  async function flows(events: number): Promise<void> {
    let from = 0;
    await waitUntil(async () => {
      const now = await newest();
      from ||= now;
      return now > 0 && now >= from + events;
    }, 'the journal flows');
  }
  /** Every reader got everything once and in order. */
  function expectWhole(writer: JournalTally, readers: readonly JournalTally[]): void {
    expect(writer.published).toBe(writer.last);
    for (const reader of readers) {
      expect(reader).toMatchObject({
        first: writer.first,
        last: writer.last,
        events: writer.events,
        holes: 0,
        hash: writer.hash,
      });
      expect([reader.lost, reader.epochs]).toEqual([[], []]);
    }
  }
  async function allThrough(trouble: (redis: OwnRedis) => Promise<void>, persistent = false): Promise<JournalTally> {
    const own = await begin(persistent);
    const readers = [await start('reader', 'one'), await start('reader', 'two')];
    const writer = await start('writer', 'writer');
    await flows(RATE / 2);
    await trouble(own);
    await flows(RATE / 2);
    const written = await ended(writer);
    await waitUntil(async () => (await newest()) >= written.last);
    await Bun.sleep(200);
    expectWhole(written, [await ended(readers[0]!), await ended(readers[1]!)]);
    return written;
  }

  test('loses nothing when Redis is killed and comes back empty, twice', async () => {
    await allThrough(async (own) => {
      for (let times = 0; times < 2; times++) {
        await own.kill();
        await Bun.sleep(700);
        await own.start();
        await flows(RATE / 2);
      }
    });
  });

  test('loses nothing when Redis is killed and comes back without its last second', async () => {
    await allThrough(async (own) => {
      await own.kill();
      await Bun.sleep(700);
      await own.start();
    }, true);
  });

  test(`loses nothing when Redis is paused for ${STALL_S} s`, async () => {
    await allThrough(async (own) => {
      own.pause();
      await Bun.sleep(STALL_S * 1000);
      own.resume();
    });
  });

  test('loses nothing when all links are cut repeatedly', async () => {
    await allThrough(async (own) => {
      const link = await RedisLink.open({ url: own.url, name: 'test', log: silentLog });
      for (let times = 0; times < 8; times++) {
        await link.send(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
        await Bun.sleep(250);
      }
      link.close();
    });
  });

  test('a reader that was stopped for a while catches up', async () => {
    await begin();
    const [one, two] = [await start('reader', 'one'), await start('reader', 'two')];
    const writer = await start('writer', 'writer');
    await flows(RATE / 2);
    two.pause();
    await Bun.sleep(3_000);
    two.resume();
    await flows(RATE);
    const written = await ended(writer);
    await Bun.sleep(500);
    expectWhole(written, [await ended(one), await ended(two)]);
  });

  test('declares a loss and a new epoch to every reader after an outage longer than the writer can bridge', async () => {
    const own = await begin();
    const [one, two] = [await start('reader', 'one'), await start('reader', 'two')];
    const writer = await start('writer', 'writer', { ringBytes: 200_000 });
    await flows(RATE / 2);
    await own.kill();
    await Bun.sleep(3_000);
    await own.start();
    await flows(RATE / 2);
    const written = await ended(writer);
    await Bun.sleep(300);
    expect(writer.log).toContain('CONTINUITY LOST');
    for (const reader of [await ended(one), await ended(two)]) {
      expect(reader.epochs).toHaveLength(1);
      const missed = reader.lost.reduce((sum, [from, to]) => sum + to - from + 1, 0);
      expect(missed).toBeGreaterThan(0);
      expect(reader.events + missed).toBe(written.events);
      expect([reader.first, reader.last, reader.holes]).toEqual([written.first, written.last, reader.lost.length]);
    }
  });

  test('assigns no number twice, and publishes nothing of an older writer after a newer one, when ingest nodes compete for the lease', async () => {
    const own = await begin();
    const reader = await start('reader', 'one');
    const writers = [
      await start('writer', 'a'),
      await start('writer', 'b', {}, true),
      await start('writer', 'c', {}, true),
    ];
    await flows(RATE / 2);
    // The active writer is paused until another has taken over, and still considers itself active.
    writers[0]!.pause();
    await waitUntil(() => writers[1]!.ready || writers[2]!.ready, 'another takes over');
    await flows(RATE / 2);
    writers[0]!.resume();
    await flows(RATE / 2);
    // The next writer is killed.
    const second = writers[1]!.ready ? writers[1]! : writers[2]!;
    const third = second === writers[1] ? writers[2]! : writers[1]!;
    const passed = startWatch();
    await second.kill();
    running.delete(second);
    await waitUntil(() => third.ready, 'the last takes over');
    expect(passed()).toBeLessThan(5_000);
    await flows(RATE / 2);
    const [first, last] = [await ended(writers[0]!), await ended(third)];
    await Bun.sleep(300);
    const seen = await ended(reader);
    expect(first.fenced).toBe(true);
    expect(first.published).toBeLessThan(last.first);
    expect(seen).toMatchObject({ first: first.first, last: last.last, holes: 0, lost: [], epochs: [] });
    expect(seen.events).toBe(seen.last - seen.first + 1);
    // The stream has every number exactly once.
    const link = await RedisLink.open({ url: own.url, name: 'test', log: silentLog, bytes: true });
    let next = seen.first;
    for (let from = '-'; ; ) {
      const page = (await link.send(['XRANGE', redisKeys(NAME).journal, from, '+', 'COUNT', '200'])) as [
        Buffer,
        Buffer[],
      ][];
      for (const [id, [, bytes]] of page) {
        const { firstSeq, count } = decodeEntry(bytes!);
        expect(firstSeq).toBe(next);
        next += count;
        expect(String(id)).toBe(`${next - 1}-${count}`);
      }
      if (page.length === 0) break;
      from = `(${String(page.at(-1)![0])}`;
    }
    link.close();
    expect(next).toBe(seen.last + 1);
  });
});
