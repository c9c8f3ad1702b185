// `tickwire replay FILE…`: plays a recording through the whole service, on the recording's own clock.

import { statSync } from 'node:fs';
import { iso } from '@tickwire/contract';
import { startSingleProcess } from '../app/single-process.ts';
import { type ImportRun, readImport } from '../import/read-files.ts';
import { createReplaySink, ReplayFeed } from '../import/replay/replay-feed.ts';
import { surveyFiles } from '../import/survey/survey-files.ts';
import type { OpenFeeds } from '../market/feeds/open-feeds.ts';
import { loadInstruments, withAdded } from '../market/instruments.ts';
import type { Intake } from '../market/intake.ts';
import { stderrLog } from '../ops/log.ts';
import { formatCount, formatDuration, stderrProgress } from '../ops/progress.ts';
import { printHelp, readArguments, UsageError } from './arguments.ts';
import { invalidFlag } from './flag-values.ts';
import { FILE_FLAGS, FILE_FLAGS_HELP, fileOptions, requestedInstrument } from './import-flags.ts';
import { INTERRUPTED, untilInterrupted } from './interruption.ts';

const HELP = `tickwire replay FILE… --symbol S [--speed 10|max] [--exit]

Plays a recording as if it happened now. REST, WebSocket and the terminal serve it while it plays and afterwards, until
Ctrl-C (with --exit, until its end). It is stored separately (replay); that store is emptied at each start.
All settings of "tickwire serve" apply, such as --port.

  --speed N            N seconds of the recording per second (default 1), or max
  --exit               exit at the end of the recording; if interrupted before, the exit status is 130
${FILE_FLAGS_HELP}
`;

/** No tick of the replay is pruned. */
const KEEP_DAYS = 1_000_000;

export async function replay(args: string[]): Promise<number> {
  const given = readArguments(args, {
    values: [...FILE_FLAGS.values, 'speed'],
    switches: [...FILE_FLAGS.switches, 'exit'],
  });
  if (printHelp(given.on, HELP)) return 0;
  const files = given.words;
  if (files.length === 0) throw new UsageError('usage: tickwire replay FILE… --symbol S [--speed 10|max]');
  const speed = speedOf(given.flags.speed ?? '1');
  const options = fileOptions(given);
  const config = { ...(await withAdded(given.config())), realm: 'replay' as const, tape_days: KEEP_DAYS };
  const instrument = requestedInstrument(given.flags.symbol, loadInstruments(config));
  const { symbol, digits, hours } = instrument;
  const log = stderrLog(config.log);

  const stop = untilInterrupted();

  const progress = stderrProgress(symbol);
  const total = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  const readOptions = { ...options, symbol, digits, hours };
  const run = readImport(files, readOptions, (await surveyFiles(files, readOptions)).findings);
  const playing: { feed: ReplayFeed | null; intake: Intake | null } = { feed: null, intake: null };
  const open: OpenFeeds = async ({ intake, recorder }) => {
    const feed = new ReplayFeed({
      run,
      symbol,
      speed,
      sink: createReplaySink(intake),
      written: () => recorder.drain(),
      onProgress: (bytes, played) => progress.update(bytes, total, played),
    });
    Object.assign(playing, { feed, intake });
    return {
      feeds: [feed],
      push: null,
      connected: () => [symbol],
      // The recording has its own clock.
      clock: () => null,
      start: () => feed.start(),
      stop: () => feed.stop(),
    };
  };
  const app = await startSingleProcess(config, log, open);
  process.stdout.write(
    `\n  Replaying ${symbol} at ${app.url}\n  Create an API key with "npx tickwire keys create".\n\n    curl -H 'X-API-Key: <API_KEY>' ${app.url}/api/market/${symbol}\n\n`,
  );
  try {
    const ended = playing.feed!.finished.then(() => true);
    const complete = await Promise.race([ended, stop.then(() => false)]);
    progress.end();
    // Nothing follows that could confirm a held price.
    if (complete) playing.intake!.stop();
    process.stdout.write(summaryOf(symbol, run, playing.feed!, playing.intake!, progress.elapsedMs));
    const { played } = playing.feed!.player;
    if (complete && played === 0) process.stderr.write('tickwire: the recording has no row that can be played\n');
    if (given.on.has('exit')) return complete ? Number(played === 0) : INTERRUPTED;
    if (complete) process.stdout.write('The replay has ended. Serving until Ctrl-C.\n');
    await stop;
    return 0;
  } finally {
    progress.end();
    await app.stop();
  }
}

function speedOf(text: string): number {
  if (text === 'max') return Number.POSITIVE_INFINITY;
  const speed = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (speed > 0 && speed <= 1e9) return speed;
  throw invalidFlag('--speed', text, 'a number above 0, or max');
}

function summaryOf(symbol: string, { report }: ImportRun, { player }: ReplayFeed, intake: Intake, ms: number): string {
  const rejected = [...intake.refused].map(([reason, times]) => `${formatCount(times)} ${reason}`).join(', ');
  return [
    `${symbol}: ${formatCount(player.played)} rows played in ${formatDuration(ms)}, ${formatCount(player.played / Math.max(0.001, ms / 1000))} rows/s`,
    `, up to ${player.played > 0 ? iso(player.reached) : 'nothing'}`,
    report.skippedLines > 0 ? `; ${formatCount(report.skippedLines)} lines skipped` : '',
    rejected ? `; rejected: ${rejected}` : '',
    '\n',
  ].join('');
}
