// `tickwire calendar`: lists the economic calendar of a running service, and imports files into it.
import { readFileSync } from 'node:fs';
import {
  CALENDAR_IMPACTS,
  type CalendarImpact,
  type CalendarIngestAnswer,
  type CalendarLine,
  type CalendarPage,
  iso,
  type Problem,
} from '@tickwire/contract';
import type { RawCalendarEvent } from '../calendar/raw-event.ts';
import { type CalendarSource, sourceEvent } from '../calendar/sources/calendar-source.ts';
import { zoneNamed } from '../calendar/sources/local-time.ts';
import { parseCalendar } from '../calendar/sources/parse-calendar.ts';
import { remoteApi } from '../mcp/remote-api.ts';
import { ToolError } from '../mcp/service.ts';
import { sha256Hex } from '../ops/sha256.ts';
import { table } from '../ops/table.ts';
import { RemoteError } from '../signals/verify/remote-service.ts';
import { printHelp, readArguments, UsageError } from './arguments.ts';
import { serviceAddress } from './service-address.ts';

const HELP = `tickwire calendar list [--from TIME] [--to TIME] [--country US,EU] [--impact high] [--symbol EURUSD] [--limit N]
tickwire calendar import FILE [--country US] [--currency USD] [--timezone ZONE] [--impact medium] [--source NAME]

list     shows events of the economic calendar; by default of the last day and the coming week
import   sends the events of an iCalendar (.ics), RSS or CSV file to the service. Events that it already has are revised. Lines
         that cannot be read or are rejected are reported, and the exit status is 1 if there are any

  --country        country of events that state none: an ISO 3166 code, or EU for the euro area
  --timezone       time zone of times that state none; default UTC
  --impact         impact of events that state none; default medium
  --source         name of the source; default: the name of the account

  TICKWIRE_URL         address of the service; default: the local one, by its configured port
  TICKWIRE_API_KEY     key with the scope read to list, ingest to import
`;
const USAGE = 'usage: tickwire calendar list, or tickwire calendar import FILE';
const FILTERS = ['from', 'to', 'country', 'impact', 'symbol', 'limit'] as const;
/** Lines of one request. */
const BATCH = 1_000;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

interface Service {
  readonly request: ReturnType<typeof remoteApi>['request'];
}
type Flags = Readonly<Record<string, string | undefined>>;

export async function calendar(args: string[]): Promise<number> {
  const values = [...FILTERS, 'currency', 'timezone', 'source'];
  const { words, flags, on, config } = readArguments(args, { values });
  if (printHelp(on, HELP)) return 0;
  const [action, file, ...rest] = words;
  if (rest.length > 0 || (action === 'list') !== (file === undefined) || (action !== 'list' && action !== 'import'))
    throw new UsageError(USAGE);
  const service = remoteApi(serviceAddress(config, 'it is a key of the service'));
  try {
    return file === undefined ? await list(service, flags) : await importFile(service, file, flags);
  } catch (error) {
    if (error instanceof ToolError) throw new RemoteError(error.message);
    throw error;
  }
}

async function list(service: Service, flags: Flags): Promise<number> {
  const query = new URLSearchParams();
  for (const name of FILTERS) if (flags[name] !== undefined) query.set(name, flags[name]);
  const { items, next } = await answerOf<CalendarPage>(await service.request(`/api/calendar?${query}`));
  const rows = items.map((event) => [
    event.all_day ? event.time.slice(0, 10) : event.time.slice(0, 16).replace('T', ' '),
    event.country,
    event.currency,
    event.impact,
    event.status,
    event.actual ?? '',
    event.forecast ?? '',
    event.previous ?? '',
    event.unit ?? '',
    event.title,
  ]);
  const head = [
    'time (UTC)',
    'country',
    'currency',
    'impact',
    'status',
    'actual',
    'forecast',
    'previous',
    'unit',
    'event',
  ];
  process.stdout.write(rows.length === 0 ? 'No events.\n' : table(head, rows));
  if (next !== null) process.stderr.write('There are more events. Use --from, --to or --limit.\n');
  return 0;
}

async function importFile(service: Service, file: string, flags: Flags): Promise<number> {
  const source = sourceOf(flags);
  const parsed = parseCalendar({
    bytes: readBytes(file),
    contentType: null,
    url: 'file:',
    format: null,
    timezone: source.timezone,
    now: Date.now(),
  });
  if (!parsed.ok) throw new UsageError(`${file} cannot be read: ${parsed.detail}`);
  let problems = 0;
  const report = (what: string): void => {
    problems++;
    process.stderr.write(`${what}\n`);
  };
  for (const { line, reason } of parsed.skipped)
    report(`${parsed.format === 'csv' ? 'line' : 'event'} ${line}: ${reason}`);
  const events: RawCalendarEvent[] = [];
  for (const event of parsed.events) {
    const read = sourceEvent(source, event);
    if (read) events.push(read);
    else report(`${JSON.stringify(event.title)}: no country or currency; set --country`);
  }
  // An occurrence that the file excludes changes nothing if the service does not have it.
  const sent = events.filter(({ onlyKnown }) => !onlyKnown);
  let accepted = 0;
  for (let at = 0; at < sent.length; at += BATCH) {
    const batch = sent.slice(at, at + BATCH);
    const body = batch.map((event) => JSON.stringify(lineOf(event, flags.source))).join('\n');
    const headers = { 'Idempotency-Key': sha256Hex(`${Date.now()} ${body}`) };
    const response = await service.request('/ingest/calendar', { method: 'POST', body, headers });
    const answer = await answerOf<CalendarIngestAnswer>(response);
    accepted += answer.accepted;
    for (const { line, detail } of answer.rejected) report(`${JSON.stringify(batch[line - 1]?.title)}: ${detail}`);
    const unlisted = answer.rejected_count - answer.rejected.length;
    if (unlisted > 0) report(`${unlisted} more events were rejected`);
  }
  process.stdout.write(`Sent ${accepted} events${problems > 0 ? `; ${problems} problems` : ''}.\n`);
  return problems > 0 ? 1 : 0;
}

function sourceOf({ country, currency, timezone = 'UTC', impact = 'medium' }: Flags): CalendarSource {
  const zone = zoneNamed(timezone);
  if (zone === null)
    throw new UsageError(`--timezone ${timezone} is not the name of a time zone such as Europe/London`);
  if (!CALENDAR_IMPACTS.includes(impact as CalendarImpact))
    throw new UsageError(`--impact must be one of ${CALENDAR_IMPACTS.join(', ')}`);
  if (country !== undefined && !/^[a-z]{2}$/i.test(country))
    throw new UsageError('--country must be an ISO 3166 code of two letters, or EU');
  return {
    name: 'file',
    url: '',
    file: null,
    format: null,
    country: country?.toUpperCase() ?? null,
    currency: currency?.toUpperCase() ?? null,
    timezone: zone,
    impact: impact as CalendarImpact,
    impacts: {},
    include: [],
    match: 'id',
    mayBePrivate: false,
  };
}

const lineOf = (event: RawCalendarEvent, source: string | undefined): CalendarLine => ({
  title: event.title,
  country: event.country,
  currency: event.currency,
  time: event.allDay ? iso(event.time).slice(0, 10) : event.time,
  ...(event.impact !== null && { impact: event.impact }),
  ...(event.status !== null && { status: event.status }),
  ...(event.actual !== undefined && { actual: event.actual }),
  ...(event.forecast !== undefined && { forecast: event.forecast }),
  ...(event.previous !== undefined && { previous: event.previous }),
  ...(event.unit !== undefined && { unit: event.unit }),
  ...(event.url && { url: event.url }),
  ...(event.uid !== null && { id: event.uid.slice(0, 255) }),
  ...(source !== undefined && { source }),
});

function readBytes(file: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(readFileSync(file));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (bytes.length > MAX_FILE_BYTES) throw new UsageError(`${file} has more than ${MAX_FILE_BYTES} bytes`);
  return bytes;
}

async function answerOf<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const problem = (await response.json().catch(() => null)) as Partial<Problem> | null;
  throw new RemoteError(problem?.detail ?? `the service answered ${response.status}`);
}
