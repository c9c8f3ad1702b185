// What a spreadsheet reads: CSV over an address without a header, as IMPORTDATA and Power Query request it.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import {
  type IssuedDataLink,
  QUOTE_COLUMNS,
  SIGNAL_LIST_COLUMNS,
  type Signal,
  type SymbolQuote,
} from '@tickwire/contract';
import { Person } from '../../testing/person.fixture.ts';
import { BUY, EURO, LIMIT, TestMarket, TestPublisher } from '../../testing/publisher.fixture.ts';
import { type RunningService, startService } from '../../testing/service.fixture.ts';

let service: RunningService;
let person: Person;
let publisher: TestPublisher;
beforeAll(async () => {
  service = await startService({ feeds: 'push' });
  const market = await TestMarket.of(service);
  publisher = await TestPublisher.of(service);
  person = await Person.owner(service);
  await market.quote(...EURO);
  await market.quote('XAUUSD', 2400.1, 2400.4);
  const { id } = await publisher.open(BUY, market);
  await publisher.closed(id, market);
  await publisher.published(LIMIT);
});
afterAll(() => service.stop());

type Row = Readonly<Record<string, string>>;

/** Reads a link as Google Sheets does: no key, no cookie, no `Accept` that names CSV. */
async function imported(path: string): Promise<{ columns: string[]; rows: Row[]; response: Response }> {
  const { url } = await person.must<IssuedDataLink>(201, person.post('/api/links', { name: 'sheet', path }));
  const response = await fetch(url!, { headers: { 'User-Agent': 'GoogleDocs', Accept: '*/*' } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/csv/)]);
  const [columns = [], ...lines] = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd().split(','));
  for (const cells of lines) expect(cells).toHaveLength(columns.length);
  return {
    columns,
    rows: lines.map((cells) => Object.fromEntries(cells.map((cell, at) => [columns[at]!, cell]))),
    response,
  };
}
const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

test('reads quotes, of all instruments or of some', async () => {
  const { columns, rows } = await imported('/api/quotes?format=csv');
  expect(columns).toEqual([...QUOTE_COLUMNS]);
  const { items } = await publisher.read<{ items: SymbolQuote[] }>('/api/quotes?detail=true');
  expect(rows).toEqual(
    items.map((item) => Object.fromEntries(QUOTE_COLUMNS.map((column) => [column, textOf(item[column])]))),
  );
  expect((await imported('/api/quotes?symbols=XAU/USD&format=csv')).rows).toMatchObject([
    { symbol: 'XAUUSD', bid: '2400.1', ask: '2400.4', spread: '0.3' },
  ]);
});

test('reads the feed of signals, with the results of closed ones', async () => {
  const { columns, rows } = await imported('/api/signals?status=all&format=csv');
  expect(columns).toEqual([...SIGNAL_LIST_COLUMNS]);
  const { items } = await publisher.read<{ items: Signal[] }>('/api/signals?status=all');
  expect(rows).toEqual(
    items.map((item) =>
      Object.fromEntries(
        SIGNAL_LIST_COLUMNS.map((column) => [column, textOf((item as unknown as Record<string, unknown>)[column])]),
      ),
    ),
  );
  expect(rows.map(({ status, close_reason }) => [status, close_reason])).toEqual([
    ['active', ''],
    ['closed', 'manual'],
  ]);
  expect((await imported('/api/signals?symbol=XAUUSD&format=csv')).rows).toEqual([]);
});

test('reads bars, ticks, and the signals of a publisher', async () => {
  const { columns, rows } = await imported('/api/bars/EURUSD?interval=1m&format=csv');
  expect(columns).toEqual(['time', 'open', 'high', 'low', 'close', 'volume']);
  expect(rows[0]).toMatchObject({ close: '1.084' });
  expect((await imported('/api/ticks/EURUSD?format=csv')).rows.length).toBeGreaterThan(0);
  expect((await imported(`/api/publishers/${publisher.id}/signals.csv`)).rows).toHaveLength(2);
});

test('reads every path of the guide', async () => {
  const guide = readFileSync(new URL('../../../../docs/plugs.md', import.meta.url), 'utf8');
  const paths = [...guide.matchAll(/^\| [^|]+ \| `(\/api\/[^`]+)` \|$/gm)].map(([, path]) => path!);
  expect(paths.length).toBeGreaterThan(4);
  for (const path of paths) await imported(path.replace('NAME', publisher.id));
});

test('CSV is only sent if it is asked for', async () => {
  for (const path of ['/api/quotes', '/api/signals?format=json'])
    expect((await publisher.get(path)).headers.get('content-type')).toBe('application/json');
  expect((await publisher.get('/api/quotes?format=xlsx')).status).toBe(400);
});
