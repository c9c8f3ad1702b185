// Columns by their names, in the spellings that exports use. Case, spaces and marks do not count: <TICKVOL>, tick_volume
// and "Tick Volume" are three ways to write two of them.
import { ImportError } from './import-error.ts';

/** Where a column stands; the first spelling that is found wins. */
const SPELLINGS = {
  time: [
    'time',
    'timestamp',
    'datetime',
    'ts',
    'gmttime',
    'localtime',
    'timeutc',
    'timegmt',
    'timeeet',
    'utctime',
    'timems',
    'unixtime',
    'unix',
    'opentime',
    'transactiontime',
    'transacttime',
    'eventtime',
  ],
  date: ['date', 'day'],
  bid: ['bid', 'bidprice', 'bestbid', 'bestbidprice'],
  ask: ['ask', 'askprice', 'offer', 'bestask', 'bestaskprice'],
  bidSize: ['bidsize', 'bidvolume', 'bidvol', 'bidqty', 'bestbidqty'],
  askSize: ['asksize', 'askvolume', 'askvol', 'askqty', 'bestaskqty'],
  price: ['price', 'last', 'lastprice', 'tradeprice'],
  size: ['size', 'qty', 'quantity', 'amount', 'tradesize', 'lastsize', 'volume', 'vol'],
  side: ['side', 'takerside', 'aggressor', 'direction'],
  buyerMaker: ['isbuyermaker', 'buyermaker'],
  id: ['id', 'tradeid', 'aggtradeid'],
  open: ['open', 'o'],
  high: ['high', 'h'],
  low: ['low', 'l'],
  close: ['close', 'c'],
  // MetaTrader gives the number of ticks and, mostly 0, the traded volume.
  volume: ['tickvol', 'tickvolume', 'volume', 'vol', 'v', 'realvolume'],
  flags: ['flags'],
} as const satisfies Record<string, readonly string[]>;

export type ColumnName = keyof typeof SPELLINGS;
/** Index of each column; -1 where the file has none. */
export type Columns = Readonly<Record<ColumnName, number>>;

const SEPARATORS = [',', '\t', ';', '|'] as const;
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The separator that cuts the line into the most fields. */
export const separatorOf = (line: string): string =>
  SEPARATORS.reduce((best, mark) => (line.split(mark).length > line.split(best).length ? mark : best));

export function columnsOf(names: readonly string[]): Columns {
  const spelled = names.map(plain);
  const found = Object.entries(SPELLINGS).map(([column, spellings]) => [
    column,
    (spellings as readonly string[]).map((spelling) => spelled.indexOf(spelling)).find((index) => index >= 0) ?? -1,
  ]);
  return Object.fromEntries(found) as Columns;
}

export type RowKind = 'quote' | 'trade' | 'bar';

/** What the columns make; null where they make nothing. */
export function kindOf(columns: Columns): RowKind | null {
  if (columns.time < 0 && columns.date < 0) return null;
  if (columns.open >= 0 && columns.high >= 0 && columns.low >= 0 && columns.close >= 0) return 'bar';
  if (columns.bid >= 0 && columns.ask >= 0) return 'quote';
  return columns.price >= 0 ? 'trade' : null;
}

/** As kindOf, but says what is missing. */
export function requireKind(columns: Columns, names: readonly string[]): RowKind {
  const kind = kindOf(columns);
  if (kind) return kind;
  const found = names.map((name) => name.trim().slice(0, 30)).join(', ');
  const missing =
    columns.time < 0 && columns.date < 0
      ? 'a column for the time'
      : columns.bid >= 0 || columns.ask >= 0
        ? `a column for the ${columns.bid >= 0 ? 'ask' : 'bid'}`
        : 'bid and ask, or price, or open, high, low and close';
  throw new ImportError('wrong_columns', `it lacks ${missing}; its columns are: ${found.slice(0, 300)}`);
}
