// `tickwire backfill SYMBOL --from DATE`: fetches bars of the past from the venue of an instrument.
import { iso } from '@tickwire/contract';
import { ConfigError } from '../config/config.ts';
import { ImportError } from '../import/import-error.ts';
import { backfill } from '../import/venue/backfill.ts';
import { HISTORY_LEVELS } from '../import/venue/plan.ts';
import type { VenueConnector } from '../market/feeds/connector.ts';
import { connectorsWithBars, createConnectors } from '../market/feeds/open-feeds.ts';
import { loadInstruments, withAdded } from '../market/instruments.ts';
import { formatCount, stderrProgress } from '../ops/progress.ts';
import { openStore } from '../store/open-store.ts';
import { printHelp, readArguments, UsageError } from './arguments.ts';
import { oneOf, readTime } from './flag-values.ts';
import { requestedInstrument } from './import-flags.ts';
import { INTERRUPTED, onInterruption } from './interruption.ts';

const HELP = `tickwire backfill SYMBOL --from DATE [--timeframe 1m|1h|1d] [--json]

Fetches bars of the past from the venue that delivers the instrument, as far as it has them, and stores them. What is
stored already is not fetched again. The service must not run on the same data folder meanwhile; it fetches a week of
minutes, a year of hours and all days by itself.

  --from DATE          the first day, such as 2024-01-01
  --timeframe T        1m, 1h or 1d; default 1m. Longer bars are made of them
  --json               print the result as JSON

The exit status is 1 if the venue has less than was asked for.
`;

export async function backfillCommand(args: string[]): Promise<number> {
  const given = readArguments(args, { values: ['from', 'timeframe'], switches: ['json'] });
  if (printHelp(given.on, HELP)) return 0;
  const { from, timeframe = '1m' } = given.flags;
  if (given.words.length !== 1 || from === undefined)
    throw new UsageError('usage: tickwire backfill SYMBOL --from DATE');
  const length = oneOf('--timeframe', timeframe, HISTORY_LEVELS);
  const config = await withAdded(given.config());
  const instruments = loadInstruments(config);
  const instrument = requestedInstrument(given.words[0], instruments);
  const { symbol } = instrument;
  const connectors = connectorsWithBars(createConnectors(config, instruments, Date.now), symbol);
  if (connectors.length === 0)
    throw new ConfigError(`no configured venue has bars of ${symbol}: set TICKWIRE_FEEDS, or import files`);
  const start = readTime('--from', from);
  if (start >= Date.now()) throw new UsageError('--from must be in the past');
  await using store = await openStore(config, { role: 'command', realm: 'live', exclusive: true });
  using interruption = onInterruption();
  const progress = stderrProgress(symbol);
  const fetchFrom = (connector: VenueConnector) =>
    backfill({
      ...{ connector, instrument, instruments, length, from: start, now: Date.now(), store: store.market },
      signal: interruption.signal,
      onProgress: (done, total, bars) => progress.update(done, total, bars),
    }).finally(() => progress.end());
  const { connector, outcome } = await firstThatAnswers(connectors, fetchFrom);
  const { bars, to, beginsAt } = outcome;
  const result = { symbol, timeframe: length, venue: connector.name, from: iso(outcome.from), to: iso(to), bars };
  if (given.on.has('json'))
    process.stdout.write(`${JSON.stringify({ ...result, begins_at: beginsAt === null ? null : iso(beginsAt) })}\n`);
  else process.stdout.write(`${symbol}: ${formatCount(bars, 'bar')} of ${length} from ${connector.name}\n`);
  await store.access.audit({
    ...{ at: Date.now(), actor: 'command line', action: 'history imported' },
    subject: `${symbol}: ${formatCount(bars, 'bar')} of ${length} from ${connector.name}`,
  });
  if (interruption.signal.aborted) return INTERRUPTED;
  if (beginsAt === null) return 0;
  process.stderr.write(`tickwire: ${connector.name} has no bars of ${length} of ${symbol} before ${iso(beginsAt)}\n`);
  return 1;
}

/** The next venue continues where one failed. */
async function firstThatAnswers<T>(
  connectors: readonly VenueConnector[],
  fetchFrom: (connector: VenueConnector) => Promise<T>,
): Promise<{ connector: VenueConnector; outcome: T }> {
  for (const [index, connector] of connectors.entries()) {
    try {
      return { connector, outcome: await fetchFrom(connector) };
    } catch (error) {
      const next = connectors[index + 1];
      if (!next || !(error instanceof ImportError) || error.fault !== 'venue_failed') throw error;
      process.stderr.write(`tickwire: ${error.message.split(';')[0]}; continuing with ${next.name}\n`);
    }
  }
  throw new Error('there is no venue');
}
