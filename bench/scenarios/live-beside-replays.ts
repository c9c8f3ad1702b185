// What replay sessions do to others: the delay of live ticks without and with fifty sessions that play.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '@tickwire/engine';
import type { BesideReplaysJob, BesideReplaysRound, LivePeriod } from '../load/live-beside-replays.ts';
import { median } from '../measure/statistics.ts';
import { startTickwire } from '../processes/tickwire.ts';
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
const SETTLE_MS = 2_000;
const MEASURE_MS = 10_000;
const QUICK_MS = 3_000;
const SHORTEST_MS = 500;
const PATIENCE_MS = 120_000;
/** Without sessions, the two periods of a round differ by less than this on a machine that can be judged. */
const STEADY = 1.1;

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
  const { children, cores, quick, shortest, rounds, quiet } = bench;
  const { folder, symbol, start } = day;
  const [key, ...others] = day.keys;
  const replayKeys = quick ? others.slice(0, QUICK_SESSIONS) : others;
  const env = { TICKWIRE_FEEDS: 'push', TICKWIRE_INGEST_LINES_PER_MINUTE: '1000000000' };
  const { port, pid: serverPid, stop } = await startTickwire(children, cores.server, { folder, config, env });
  const [settleMs, measureMs] = shortest ? [SHORTEST_MS, SHORTEST_MS] : [SETTLE_MS, quick ? QUICK_MS : MEASURE_MS];
  const replays = { replayKeys, symbol, speed: SPEED, start, end: start + DAY_MS };
  const live = { key: key!, feed: FEED, readers: READERS };
  const job: BesideReplaysJob = { port, serverPid, ...live, ...replays, rounds, settleMs, measureMs };
  const file = join(folder, 'live-beside-replays.json');
  writeFileSync(file, JSON.stringify(job));
  await quiet.wait();
  const patience = (rounds + 1) * 3 * (settleMs + measureMs) + PATIENCE_MS;
  const measured = await children.job<BesideReplaysRound[]>([...cores.load, process.execPath, LOAD, file], patience);
  await stop();
  return sectionOf(measured, replayKeys.length, day);
}

function sectionOf(rounds: readonly BesideReplaysRound[], sessions: number, day: ReplayedDay): ReportSection {
  const without = rounds.flatMap(({ before, after }) => [before, after]);
  const beside = rounds.map((round) => round.beside);
  const spread = median(rounds.map((round) => Math.max(...alone(round)) / Math.min(...alone(round))));
  const row = (contender: string, periods: readonly LivePeriod[], more: readonly Figure[] = []): ReportRow => ({
    contender,
    missing: null,
    figures: [
      { name: 'p50', unit: 'ms', values: periods.map(({ p50 }) => p50) },
      { name: 'p99', unit: 'ms', values: periods.map(({ p99 }) => p99) },
      { name: 'share of the core', unit: '%', values: periods.map(({ share }) => share * 100) },
      ...more,
    ],
  });
  const replayed = { name: 'messages of replays/s', unit: '', values: beside.map((period) => period.replayed) };
  const perSecond = (day.ticksAMinute * SPEED) / 60;
  return {
    title: 'Replay: live ticks beside sessions',
    lines: [row('without sessions', without), row(`beside ${sessions} sessions`, beside, [replayed])],
    verdicts: [
      {
        what: `replay: p99 of live ticks beside ${sessions} sessions, of that without`,
        unit: '×',
        values: rounds.map((round) => round.beside.p99 / Math.sqrt(round.before.p99 * round.after.p99)),
        bar: TARGETS.replayBeside,
        unjudged:
          sessions < PLAYING_SESSIONS
            ? `the bar is for ${PLAYING_SESSIONS} sessions`
            : spread > STEADY
              ? `without sessions it already varies by ${spread.toFixed(2)} ×`
              : null,
      },
    ],
    notes: [
      `${FEED.ticksPerSecond} live ticks per second, each pushed by itself, to ${READERS} readers, from the time at which a tick was due to its arrival. Each session has a stream and plays ${perSecond.toLocaleString('en')} ticks per second: one instrument at a speed of ${SPEED}.`,
      'Periods without sessions are measured before and after each period with them; sessions are created and deleted in between.',
    ],
  };
}

const alone = ({ before, after }: BesideReplaysRound): readonly [number, number] => [before.p99, after.p99];
