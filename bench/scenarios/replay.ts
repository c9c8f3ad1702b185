// Replay sessions over a recorded day: how long a seek takes, how fast a stream is at `max`, and what a session costs in memory.
import { join } from 'node:path';
import type { ReplaySession } from '@tickwire/contract';
import { DAY_MS } from '@tickwire/engine';
import type { RecordedDay } from '../contenders/recorded-day.ts';
import { seededRandom } from '../contenders/signal-pool.ts';
import type { ReplayReading } from '../load/replay-reader.ts';
import { cpuSeconds, residentBytes } from '../measure/process-usage.ts';
import type { ServerChild } from '../processes/children.ts';
import { BENCH_TIER, makeKeys, NO_NEWS, startTickwire } from '../processes/tickwire.ts';
import type { Figure, ReportSection, TargetCheck } from '../results.ts';
import { TARGETS } from '../targets.ts';
import { liveBesideReplays, PLAYING_SESSIONS } from './live-beside-replays.ts';
import type { Bench, Scenario } from './scenario.ts';

const CONTENDERS = join(import.meta.dir, '../contenders');
const READER = join(import.meta.dir, '../load/replay-reader.ts');
const COLLECTING = ['--preload', join(CONTENDERS, 'gc-on-signal.ts')];
const SYMBOL = 'BTCUSD';
const TIMEOUT_MS = 300_000;
const TICKS_A_MINUTE = 600;
const QUICK_TICKS_A_MINUTE = 60;
const SEEKS = 40;
const QUICK_SEEKS = 10;
const SESSIONS = 20;
const QUICK_SESSIONS = 5;
const COLLECT_MS = 1_000;
/** Whose tier allows everything that is measured. */
const CONFIG = {
  tiers: { bench: { ...BENCH_TIER, replays: 100, replay_symbols: 100, replay_events_per_minute: 1_000_000_000 } },
};

interface Day {
  readonly folder: string;
  readonly key: string;
  /** Epoch milliseconds. */
  readonly start: number;
  readonly ticks: number;
}

interface Round {
  /** Milliseconds from the request to seek to the answer of a quote. */
  readonly seeks: readonly number[];
  readonly ticksPerSecond: number;
  /** Of the service, all threads. */
  readonly cpuSeconds: number;
  readonly sessionMegabytes: number;
}

export const replay: Scenario = {
  steps: ({ rounds }) => rounds + 2,
  async run(bench) {
    const { children, folder: newFolder, progress, quick, rounds } = bench;
    const folder = newFolder();
    const start = Math.floor(Date.now() / DAY_MS - 1) * DAY_MS;
    progress.show('replay: a recorded day');
    const rate = quick ? QUICK_TICKS_A_MINUTE : TICKS_A_MINUTE;
    const prepare = [process.execPath, join(CONTENDERS, 'recorded-day.ts'), folder, String(start), String(rate)];
    const { ticks } = await children.job<RecordedDay>(prepare, TIMEOUT_MS);
    const keys = await makeKeys(folder, 1 + PLAYING_SESSIONS, ['read', 'ingest']);
    progress.advance();
    const measured: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      progress.show(`replay: round ${round} of ${rounds}`);
      measured.push(await measure(bench, { folder, key: keys[0]!, start, ticks }));
      progress.advance();
    }
    progress.show('replay: live ticks beside sessions');
    const beside = await liveBesideReplays(bench, { folder, keys, symbol: SYMBOL, start, ticksAMinute: rate }, CONFIG);
    progress.advance();
    return [...sectionsOf(measured, ticks), beside];
  },
};

async function measure(bench: Bench, { folder, key, start, ticks }: Day): Promise<Round> {
  const { children, cores, quick, quiet } = bench;
  const server = await startTickwire(children, cores.server, {
    folder,
    bunFlags: COLLECTING,
    config: CONFIG,
    env: { ...NO_NEWS, TICKWIRE_FEEDS: 'push' },
  });
  const api = new ReplayApi(server, key, start);
  try {
    await quiet.wait();
    const seeks: number[] = [];
    const random = seededRandom(7);
    await api.within(async (id) => {
      for (let n = 0; n < (quick ? QUICK_SEEKS : SEEKS); n++) {
        const clock = start + Math.floor(random() * DAY_MS);
        const before = performance.now();
        await api.send('PATCH', `/api/replays/${id}`, { seek: new Date(clock).toISOString() });
        await api.send('GET', `/api/market/${SYMBOL}/quote?replay=${id}`);
        seeks.push(performance.now() - before);
      }
    });
    const cpuBefore = cpuSeconds(server.pid);
    const reading = await api.within((id) => {
      const command = [...cores.load, process.execPath, READER, String(server.port), key, id, SYMBOL, String(ticks)];
      return children.job<ReplayReading>(command, TIMEOUT_MS);
    });
    const cpu = cpuSeconds(server.pid) - cpuBefore;
    const sessionMegabytes = await memoryOf(api, server, quick ? QUICK_SESSIONS : SESSIONS, start);
    return { seeks, ticksPerSecond: reading.messages / reading.seconds, cpuSeconds: cpu, sessionMegabytes };
  } finally {
    await server.stop();
  }
}

/** Megabytes that each session adds, in the middle of the day with a quote read. */
async function memoryOf(api: ReplayApi, { pid }: ServerChild, sessions: number, start: number): Promise<number> {
  const collected = async (): Promise<number> => {
    for (let times = 0; times < 3; times++) {
      process.kill(pid, 'SIGUSR2');
      await Bun.sleep(COLLECT_MS);
    }
    return residentBytes(pid) / 1e6;
  };
  const open = async (): Promise<void> => {
    const { id } = await api.create();
    await api.send('PATCH', `/api/replays/${id}`, { seek: new Date(start + DAY_MS / 2).toISOString() });
    await api.send('GET', `/api/market/${SYMBOL}/quote?replay=${id}`);
  };
  // The first one loads what all share.
  await open();
  const before = await collected();
  for (let n = 0; n < sessions; n++) await open();
  return ((await collected()) - before) / sessions;
}

class ReplayApi {
  readonly #url: string;
  readonly #key: string;
  readonly #start: number;

  constructor({ port }: ServerChild, key: string, start: number) {
    this.#url = `http://127.0.0.1:${port}`;
    this.#key = key;
    this.#start = start;
  }

  async send(method: string, path: string, body?: object): Promise<unknown> {
    const init = { method, headers: { 'X-API-Key': this.#key }, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(this.#url + path, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  }

  async create(): Promise<ReplaySession> {
    const [from, to] = [this.#start, this.#start + DAY_MS].map((time) => new Date(time).toISOString());
    return (await this.send('POST', '/api/replays', { symbols: [SYMBOL], from, to })) as ReplaySession;
  }

  async within<T>(use: (id: string) => Promise<T>): Promise<T> {
    const { id } = await this.create();
    try {
      return await use(id);
    } finally {
      await this.send('DELETE', `/api/replays/${id}`);
    }
  }
}

const quantile = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!;

function sectionsOf(rounds: readonly Round[], ticks: number): ReportSection[] {
  const median = rounds.map(({ seeks }) => quantile(seeks, 0.5));
  const slowest = rounds.map(({ seeks }) => Math.max(...seeks));
  const rate = rounds.map(({ ticksPerSecond }) => ticksPerSecond);
  const perCpu = rounds.map((round) => ticks / round.cpuSeconds);
  const memory = rounds.map(({ sessionMegabytes }) => sessionMegabytes);
  const section = (
    contender: string,
    figures: readonly Figure[],
    verdict: TargetCheck,
    note: string,
  ): ReportSection => ({
    title: `Replay of a recorded day: ${contender}`,
    lines: [{ contender, missing: null, figures }],
    verdicts: [verdict],
    notes: [note],
  });
  return [
    section(
      'a seek',
      [
        { name: 'median', unit: 'ms', values: median },
        { name: 'slowest', unit: 'ms', values: slowest },
      ],
      { what: 'replay: the slowest seek', unit: 'ms', values: slowest, bar: TARGETS.replaySeek, unjudged: null },
      `To random times of a day of ${ticks.toLocaleString('en')} quotes of one instrument on the tape, in SQLite, with the first answer after it.`,
    ),
    section(
      'a stream at max',
      [
        { name: 'ticks/s', unit: '', values: rate },
        { name: 'ticks per CPU second', unit: '', values: perCpu },
      ],
      { what: 'replay: a stream at max', unit: 'ticks/s', values: rate, bar: TARGETS.replayRate, unjudged: null },
      'Read by a program that only counts messages. CPU time is that of all threads of the service.',
    ),
    section(
      'a session',
      [{ name: 'memory', unit: 'MB', values: memory }],
      { what: 'replay: memory of a session', unit: 'MB', values: memory, bar: TARGETS.replayMemory, unjudged: null },
      'What each further session adds, after collections of garbage.',
    ),
  ];
}
