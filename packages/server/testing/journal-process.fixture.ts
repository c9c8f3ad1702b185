// A process that writes the journal of a cluster at a steady rate, or reads it and counts the events, for tests that interrupt
// Redis. It prints one line of JSON when it is ready, and one when it ends because stdin was closed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { asEpochMs, CATALOGUE, type TickEvent } from '@tickwire/engine';
import type { Subprocess } from 'bun';
import { CLUSTER_SCRIPTS } from '../src/cluster/cluster-scripts.ts';
import { RedisJournal } from '../src/cluster/journal/redis-journal.ts';
import { RedisJournalReader } from '../src/cluster/journal/redis-journal-reader.ts';
import { Lease } from '../src/cluster/lease.ts';
import { redisKeys } from '../src/cluster/redis-keys.ts';
import { RedisLink } from '../src/cluster/redis-link.ts';
import type { Batch } from '../src/journal/journal.ts';
import { createLog } from '../src/ops/log.ts';

export interface JournalProcessOptions {
  readonly role: 'writer' | 'reader';
  readonly url: string;
  readonly name: string;
  readonly id: string;
  /** Writer: ticks per second. Default 5,000. */
  readonly rate?: number;
  /** Writer: ticks per batch. Default 10. */
  readonly batch?: number;
  /** File with the reserved numbers, in place of a store. */
  readonly reserve?: string;
  readonly ringBytes?: number;
  readonly lingerMs?: number;
}

/** What a process has read or written. */
export interface JournalTally {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly events: number;
  /** Batches that did not start where the previous one ended. */
  readonly holes: number;
  readonly lost: readonly (readonly [number, number])[];
  readonly epochs: readonly string[];
  /** Hash of all numbers and prices in order: equal only if the same events were seen in the same order. */
  readonly hash: number;
  /** Reader: milliseconds from the time of a tick to its delivery. */
  readonly p50: number;
  readonly p99: number;
  readonly cpuSeconds: number;
  readonly seconds: number;
  readonly published: number;
  readonly fenced: boolean;
}

class Tally {
  first = 0;
  last = 0;
  events = 0;
  holes = 0;
  hash = 17;
  readonly lost: [number, number][] = [];
  readonly epochs: string[] = [];
  readonly #delays: number[] = [];

  take({ firstSeq, events }: Batch, delays: boolean): void {
    if (this.events === 0) this.first = firstSeq;
    else if (firstSeq !== this.last + 1) this.holes++;
    const now = Date.now();
    events.forEach((event, index) => {
      const { bid, time } = event as TickEvent;
      this.hash = (Math.imul(this.hash, 31) + Math.imul(firstSeq + index, 7) + bid) | 0;
      if (delays && this.#delays.length < 2_000_000) this.#delays.push(now - time);
    });
    this.events += events.length;
    this.last = firstSeq + events.length - 1;
  }

  delay(share: number): number {
    const sorted = this.#delays.sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * share)] ?? 0;
  }
}

async function run(options: JournalProcessOptions): Promise<void> {
  const { role, url, id, name, rate = 5_000, batch = 10 } = options;
  const log = createLog({ level: 'info', plain: true, write: (line) => process.stderr.write(`${id} ${line}`) });
  const keys = redisKeys(name);
  const tally = new Tally();
  const say = (line: object): void => console.log(JSON.stringify(line));
  let end: () => Promise<void>;
  let fenced = false;
  let published = (): number => 0;
  const link = await RedisLink.open({
    url,
    name: id,
    log,
    scripts: CLUSTER_SCRIPTS,
  });
  if (role === 'writer') {
    const stop = (): void => {
      fenced = true;
      journal?.stop();
    };
    let journal: RedisJournal | null = null;
    const lease = new Lease({ link, keys, id, address: `${id}:1`, log, onLost: stop });
    if (!(await lease.acquire())) return;
    const { reserve = '' } = options;
    journal = await RedisJournal.open({
      link,
      keys,
      lease,
      reserve: {
        load: async () => (existsSync(reserve) ? Number(readFileSync(reserve, 'utf8')) : 1),
        save: async (ceiling) => writeFileSync(reserve, String(ceiling)),
      },
      recordedSeq: 0,
      log,
      onLost: stop,
      ...(options.ringBytes && { ringBytes: options.ringBytes }),
      ...(options.lingerMs !== undefined && { lingerMs: options.lingerMs }),
    });
    const writer = journal;
    published = () => writer.publishedSeq;
    writer.subscribe((taken) => tally.take(taken, false));
    const started = performance.now();
    let made = 0;
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - started) / 1000) * rate);
      while (made < due && !fenced) {
        const ticks: TickEvent[] = [];
        for (let more = 0; more < batch; more++) ticks.push(tickNumber(made++));
        writer.append(ticks, 'sim');
      }
    }, 1);
    end = async () => {
      clearInterval(timer);
      await writer.close();
      await lease.release();
    };
  } else {
    const own = await RedisLink.open({ url, name: `${id} reads`, log, bytes: true });
    const reader = await RedisJournalReader.open({
      link: own,
      statusLink: link,
      keys,
      after: 'newest',
      log,
      onLost: (from, to) => {
        tally.lost.push([from, to]);
        return undefined;
      },
      onEpoch: (epoch) => void tally.epochs.push(epoch),
    });
    reader.subscribe((taken) => tally.take(taken, true));
    published = () => reader.lastSeq;
    reader.start();
    end = () => reader.stop();
  }
  say({ ready: id });
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  for await (const _ of Bun.stdin.stream());
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - started) / 1000;
  await end();
  link.close();
  const { first, last, events, holes, lost, epochs, hash } = tally;
  say({
    ...{ id, first, last, events, holes, lost, epochs, hash, fenced, seconds },
    p50: tally.delay(0.5),
    p99: tally.delay(0.99),
    cpuSeconds: (user + system) / 1e6,
    published: published(),
  } satisfies JournalTally);
}

/** No two ticks are equal, so that a wrong order shows. */
function tickNumber(number: number): TickEvent {
  return {
    kind: 'tick',
    symbol: CATALOGUE[number % CATALOGUE.length]!.symbol,
    time: asEpochMs(Date.now()),
    bid: 1 + (number % 1_000_003),
    ask: 2 + (number % 1_000_003),
    bidSize: 1,
    askSize: 2,
    volume: number % 7,
  };
}

/** Handle of such a process. */
export class JournalProcess {
  readonly #child: Subprocess<'pipe', 'pipe', 'pipe'>;
  readonly #lines: string[] = [];
  readonly #read: Promise<unknown>;
  log = '';

  private constructor(options: JournalProcessOptions) {
    this.#child = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(options)], {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    this.#read = Promise.all([this.#readOut(), this.#readLog()]);
  }

  /** Resolves once it is ready; with `waits`, immediately, because it waits for the lease. */
  static async start(options: JournalProcessOptions, waits = false): Promise<JournalProcess> {
    const started = new JournalProcess(options);
    while (!waits && !started.ready) {
      if (started.#child.exitCode !== null) throw new Error(`${options.id} ended: ${started.log}`);
      await Bun.sleep(5);
    }
    return started;
  }

  get ready(): boolean {
    return this.#lines.length > 0;
  }

  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#child.exited;
  }

  /** Ends it and returns its tally. */
  async end(): Promise<JournalTally> {
    this.#child.stdin.end();
    await this.#child.exited;
    await this.#read;
    const last = this.#lines.at(-1);
    if (this.#lines.length < 2) throw new Error(`the process ended without a tally: ${this.log}`);
    return JSON.parse(last!) as JournalTally;
  }

  async #readOut(): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stdout) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split('\n');
      text = lines.pop()!;
      this.#lines.push(...lines);
    }
  }

  async #readLog(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stderr) this.log += decoder.decode(chunk, { stream: true });
  }
}

if (import.meta.main) {
  await run(JSON.parse(process.argv[2]!) as JournalProcessOptions);
  process.exit(0);
}
