// What replay sessions do to others: the delay of live ticks without and with fifty sessions that play.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@tickwire/engine';
import type { BesideReplaysJob, LiveBesideReplays, LivePeriod } from '../load/live-beside-replays.ts';
import { startTickwire } from '../processes/tickwire.ts';
import { isClose } from '../report/check-target.ts';
import type { Figure, ReportRow, ReportSection } from '../results.ts';
import { TARGETS } from '../targets.ts';
import type { Bench } from './scenario.ts';

const LOAD = join(import.meta.dir, '../load/live-beside-replays.ts');
export const PLAYING_SESSIONS = 50;
const QUICK_SESSIONS = 10;
const SPEED = 60;
const READERS = 20;
/** Each by itself when it is due. */
const FEED = { ticksPerSecond: 500, perWrite: 1 };
/** Many short periods: the pauses of a busy machine, which come and go, then fall on both sides alike. */
const PAIRS = 12;
const QUICK_PAIRS = 4;
const SETTLE_MS = 500;
const MEASURE_MS = 4_000;
const SHORTEST_MS = 500;
const PATIENCE_MS = 240_000;

export interface ReplayedDay {
  readonly folder: string;
  /** Of accounts that may read and push: one for live ticks, and one for each session. */
  readonly keys: readonly string[];
  readonly symbol: string;
  /** Epoch milliseconds. */
  readonly start: number;
  readonly ticksAMinute: number;
}

export async function liveBesideReplays(bench: Bench, day: ReplayedDay, config: object): Promise<ReportSection> {
  const { children, cores, quick, shortest, quiet } = bench;
  const { folder, symbol, start } = day;
  const [key, ...others] = day.keys;
  const replayKeys = quick ? others.slice(0, QUICK_SESSIONS) : others;
  const env = { TICKWIRE_FEEDS: 'push', TICKWIRE_INGEST_LINES_PER_MINUTE: '1000000000' };
  const { port, pid: serverPid, stop } = await startTickwire(children, cores.server, { folder, config, env });
  const pairs = shortest ? 1 : quick ? QUICK_PAIRS : PAIRS;
  const measureMs = shortest ? SHORTEST_MS : MEASURE_MS;
  const replays = { replayKeys, symbol, speed: SPEED, start, end: start + DAY_MS };
  const live = { key: key!, feed: FEED, readers: READERS };
  const job: BesideReplaysJob = { port, serverPid, ...live, ...replays, pairs, settleMs: SETTLE_MS, measureMs };
  const file = join(folder, 'live-beside-replays.json');
  writeFileSync(file, JSON.stringify(job));
  await quiet.wait();
  const patience = (pairs + 2) * 2 * (SETTLE_MS + measureMs) + PATIENCE_MS;
  const measured = await children.job<LiveBesideReplays>([...cores.load, process.execPath, LOAD, file], patience);
  await stop();
  return sectionOf(measured, replayKeys.length, day);
}

function sectionOf({ without, beside, p99 }: LiveBesideReplays, sessions: number, day: ReplayedDay): ReportSection {
  const { ratio, low, high } = p99.ratio;
  const row = (
    contender: string,
    periods: readonly LivePeriod[],
    pooled: number,
    more: readonly Figure[] = [],
  ): ReportRow => ({
    contender,
    missing: null,
    figures: [
      { name: 'p50', unit: 'ms', values: periods.map(({ p50 }) => p50) },
      { name: 'p99', unit: 'ms', values: periods.map((period) => period.p99) },
      { name: 'p99 of all periods', unit: 'ms', values: [pooled] },
      { name: 'share of the core', unit: '%', values: periods.map(({ share }) => share * 100) },
      ...more,
    ],
  });
  const replayed = { name: 'messages of replays/s', unit: '', values: beside.map((period) => period.replayed) };
  const ratios = { values: [low, ratio, high], bar: TARGETS.replayBeside };
  const perSecond = (day.ticksAMinute * SPEED) / 60;
  return {
    title: 'Replay: live ticks beside sessions',
    lines: [
      row('beside paused sessions', without, p99.without),
      row(`beside ${sessions} sessions`, beside, p99.beside, [replayed]),
    ],
    verdicts: [
      {
        what: `replay: p99 of live ticks beside ${sessions} sessions, of that while they are paused`,
        unit: '×',
        ...ratios,
        unjudged:
          sessions < PLAYING_SESSIONS
            ? `the bar is for ${PLAYING_SESSIONS} sessions`
            : isClose(ratios)
              ? `its range holds the bar: the machine was not quiet enough for ${without.length} pairs of periods`
              : null,
      },
    ],
    notes: [
      `${FEED.ticksPerSecond} live ticks per second, each pushed by itself, to ${READERS} readers, from the time at which a tick was due to its arrival. Each session has a stream and plays ${perSecond.toLocaleString('en')} ticks per second: one instrument at a speed of ${SPEED}.`,
      'Periods take turns in which the sessions play and in which they are paused and have no streams. The ratio is that of the delays of all periods together; its range is that of 95 of 100 random choices of as many pairs of periods.',
    ],
  };
}
