// `tickwire replay FILE…`: a recording through the whole service, on the recording's own time.
import { statSync } from 'node:fs';
import { startApp } from '../app.ts';
import type { OpenFeeds } from '../feeds/open.ts';
import { count, duration, Progress } from '../import/progress.ts';
import { type ImportRun, readImport } from '../import/read.ts';
import { ReplayFeed, replaySink } from '../import/replay-feed.ts';
import { loadInstruments } from '../instruments.ts';
import type { Intake } from '../journal/intake.ts';
import { createLog } from '../ops/log.ts';
import { readArguments, UsageError } from './arguments.ts';
import { FILE_FLAGS, FILE_FLAGS_HELP, fileOptions, instrumentOf } from './import-flags.ts';

const HELP = `tickwire replay FILE… --symbol S [--speed 10|max] [--exit]

Plays a recording as if it happened now: REST, WebSocket and terminal serve it while it plays, and after it until Ctrl-C
(with --exit, only until its end). What it records goes to a store of its own (replay), which is emptied at each start.
Every setting of "tickwire serve" holds here too, such as --port.

  --speed N            N seconds of the recording to a second (1), or max
  --exit               end when the recording is through
${FILE_FLAGS_HELP}
`;

/** Nothing recorded is dropped while it is played. */
const KEEP_DAYS = 1_000_000;

export async function replay(args: string[]): Promise<number> {
  const given = readArguments(args, {
    values: [...FILE_FLAGS.values, 'speed'],
    switches: [...FILE_FLAGS.switches, 'exit'],
  });
  if (given.on.has('help')) {
    process.stdout.write(HELP);
    return 0;
  }
  const files = given.words;
  if (files.length === 0) throw new UsageError('usage: tickwire replay FILE… --symbol S [--speed 10|max]');
  const speed = speedOf(given.flags.speed ?? '1');
  const options = fileOptions(given);
  const config = { ...given.config(), realm: 'replay' as const, tape_days: KEEP_DAYS };
  const instrument = instrumentOf(given.flags.symbol, loadInstruments(config));
  const { symbol, digits, hours } = instrument;
  const log = createLog({
    level: config.log,
    plain: process.stderr.isTTY,
    write: (line) => process.stderr.write(line),
  });

  let asked = (): void => {};
  const stop = new Promise<void>((resolve) => {
    asked = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => asked());

  const progress = new Progress({
    label: symbol,
    terminal: process.stderr.isTTY,
    write: (text) => process.stderr.write(text),
  });
  const total = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  const run = readImport(files, { ...options, symbol, digits, hours });
  const playing: { feed: ReplayFeed | null; intake: Intake | null } = { feed: null, intake: null };
  const open: OpenFeeds = async ({ intake, recorder }) => {
    const feed = new ReplayFeed({
      run,
      symbol,
      speed,
      sink: replaySink(intake),
      written: () => recorder.flush(),
      onProgress: (bytes, played) => progress.update(bytes, total, played),
    });
    Object.assign(playing, { feed, intake });
    return {
      feeds: [feed],
      push: null,
      connected: () => [symbol],
      // Time is what the recording says.
      clock: () => null,
      start: () => feed.start(),
      stop: () => feed.stop(),
    };
  };
  const app = await startApp(config, log, open);
  process.stdout.write(
    `\n  Replaying ${symbol} at ${app.url}\n  Keys: "npx tickwire keys create" makes one.\n\n    curl -H 'X-API-Key: <API_KEY>' ${app.url}/api/market/${symbol}\n\n`,
  );
  try {
    const ended = playing.feed!.finished.then(() => 'ended' as const);
    const how = await Promise.race([ended, stop.then(() => 'stopped' as const)]);
    progress.end();
    process.stdout.write(outcome(symbol, run, playing.feed!, playing.intake!, progress.elapsedMs));
    if (how === 'ended' && !given.on.has('exit')) {
      process.stdout.write('It is through; serving goes on until Ctrl-C.\n');
      await stop;
    }
  } finally {
    progress.end();
    await app.stop();
  }
  return 0;
}

function speedOf(text: string): number {
  if (text === 'max') return Number.POSITIVE_INFINITY;
  const speed = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (speed > 0 && speed <= 1e9) return speed;
  throw new UsageError(`--speed is ${JSON.stringify(text)}: it must be a number above 0, or max`);
}

function outcome(symbol: string, { report }: ImportRun, { player }: ReplayFeed, intake: Intake, ms: number): string {
  const refused = [...intake.refused].map(([reason, times]) => `${count(times)} ${reason}`).join(', ');
  return [
    `${symbol}: ${count(player.played)} rows played in ${duration(ms)}, ${count(player.played / Math.max(0.001, ms / 1000))} rows/s`,
    `, up to ${player.played > 0 ? new Date(player.reached).toISOString() : 'nothing'}`,
    report.skippedLines > 0 ? `; ${count(report.skippedLines)} lines skipped` : '',
    refused ? `; refused: ${refused}` : '',
    '\n',
  ].join('');
}
