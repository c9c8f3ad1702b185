// Finds columns by name, in the spellings that exports use. Case, spaces and punctuation are ignored: "Tick Volume" equals
// tick_volume.
import { ImportError } from '../import-error.ts';

/** Accepted spellings of each column; the first one found wins. A name that ends in UTC or GMT also tells the zone. */
const SPELLINGS = {
  // The start of a bar is better than any other time of it, and milliseconds than seconds.
  time: [
    'opentime',
    'timeopen',
    'starttime',
    'windowstart',
    'timemsc',
    'time',
    'timestamp',
    'datetime',
    'ts',
    'gmttime',
    'localtime',
    'timeeet',
    'utctime',
    'timems',
    'timestampms',
    'unixtime',
    'unixtimestamp',
    'unix',
    'epoch',
    'bartime',
    'candletime',
    'tradetime',
    'transactiontime',
    'transacttime',
    'eventtime',
    'tsevent',
  ],
  // Stooq's Polish names. Letters with marks are left out, however they are encoded: Najwyższy is najwyszy.
  date: ['date', 'day', 'data', 'dtyyyymmdd', 'tradedate', 'tradingdate', 'tradingday', 'businessdate'],
  symbol: ['symbol', 'ticker', 'instrument', 'pair', 'currencypair', 'sym'],
  bid: ['bid', 'bidprice', 'bestbid', 'bestbidprice'],
  ask: ['ask', 'askprice', 'offer', 'bestask', 'bestaskprice'],
  bidSize: ['bidsize', 'bidvolume', 'bidvol', 'bidqty', 'bidamount', 'bestbidqty'],
  askSize: ['asksize', 'askvolume', 'askvol', 'askqty', 'askamount', 'bestaskqty'],
  price: ['price', 'last', 'lastprice', 'tradeprice'],
  size: ['size', 'qty', 'quantity', 'amount', 'tradesize', 'lastsize', 'volume', 'vol'],
  side: ['side', 'takerside', 'aggressor', 'direction'],
  buyerMaker: ['isbuyermaker', 'buyermaker'],
  id: ['id', 'tradeid', 'aggtradeid'],
  open: ['open', 'o', 'openprice', 'bidopen', 'openbid', 'bido', 'otwarcie'],
  high: ['high', 'h', 'highprice', 'bidhigh', 'highbid', 'bidh', 'najwyzszy', 'najwyszy'],
  low: ['low', 'l', 'lowprice', 'bidlow', 'lowbid', 'bidl', 'najnizszy', 'najniszy'],
  close: ['close', 'c', 'closeprice', 'bidclose', 'closebid', 'bidc', 'zamkniecie', 'zamknicie'],
  // MetaTrader has the number of ticks and the traded volume, which is mostly 0.
  volume: ['tickvol', 'tickvolume', 'tickqty', 'volume', 'vol', 'v', 'realvolume', 'totalticks', 'wolumen'],
  buyVolume: ['buyvolume'],
  sellVolume: ['sellvolume'],
  basis: ['basis'],
  sideMethod: ['sidemethod'],
  flags: ['flags'],
} as const satisfies Record<string, readonly string[]>;
/** The close of a bar under another name, beside open, high and low. */
const CLOSES = ['last', 'lastprice', 'price', 'adjclose', 'adjustedclose', 'settle', 'settlement'];
/** The index that pandas writes has no name. */
const INDEXES = ['', 'index', 'unnamed0'];
/** In place of the name of a column that is not read. */
const IGNORED = 'ignored';

export type ColumnName = keyof typeof SPELLINGS;
/** Index of each column; -1 if the file does not have it. */
export type Columns = Readonly<Record<ColumnName, number>>;

/** A volume in the base currency of the instrument, if there is none under a usual name. */
const BASE_VOLUMES = ['basevolume', 'volumebase', 'basevol', 'volbase', 'volumefrom', 'baseassetvolume'];

const SEPARATORS = [',', '\t', ';', '|'] as const;
const normalize = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const withoutZone = (name: string): string => name.replace(/(?<=.)(utc|gmt)$/, '');
/** Whether the name of a time column states that its times are UTC. */
export const saysUtc = (name: string): boolean => /(utc|gmt)$|^(utc|gmt)/.test(normalize(name));

/** The separator that gives the most fields. */
export const separatorOf = (line: string): string =>
  SEPARATORS.reduce((best, mark) => (line.split(mark).length > line.split(best).length ? mark : best));

/** Whether a line consists of names: none of its fields starts like a number or a date. */
export function isNames(line: string): boolean {
  const fields = line.split(separatorOf(line)).map((field) => field.replaceAll('"', '').trim());
  return (
    fields.filter((field) => /[a-z]{2}/i.test(field)).length >= 2 && !fields.some((field) => /^[-+.]?\d/.test(field))
  );
}

/** Of a bar: "Volume BTC", "Volume_(BTC)" and "base_volume" of BTCUSD. */
function baseVolume(normalized: readonly string[], symbol: string): number {
  const ofBase = (name: string): boolean => {
    const currency = /^vol(?:ume)?([a-z0-9]{3,})$|^([a-z0-9]{3,})vol(?:ume)?$/.exec(name);
    return currency !== null && normalize(symbol).startsWith((currency[1] ?? currency[2])!);
  };
  return normalized.findIndex((name) => BASE_VOLUMES.includes(name) || ofBase(name));
}

/** Columns that have volumes by their names, and that nothing reads. */
export function unusedVolumes(
  names: readonly string[],
  columns: Columns,
  kind: RowKind,
): { name: string; column: number }[] {
  const volumes = kind === 'bar' ? /vol|ticks$|qty|quantity|amount|turnover/ : /vol/;
  // The sizes of ticks are not read from bars.
  const read = kind === 'bar' ? { ...columns, size: -1, bidSize: -1, askSize: -1 } : columns;
  const used = new Set(Object.values(read));
  return names
    .map((name, column) => ({ name: name.trim(), column }))
    .filter(({ name, column }) => volumes.test(normalize(name)) && !used.has(column));
}

/** The names without those that the user wants to ignore. */
export function withoutIgnored(names: readonly string[], ignored: readonly string[]): string[] {
  const wanted = names.map(normalize);
  for (const name of ignored)
    if (!wanted.includes(normalize(name)))
      throw new ImportError(
        'wrong_columns',
        `--ignore-columns: there is no column ${JSON.stringify(name)}. Columns found: ${names.join(', ').slice(0, 300)}`,
      );
  const left = new Set(ignored.map(normalize));
  return names.map((name) => (left.has(normalize(name)) ? IGNORED : name));
}

export function columnsOf(names: readonly string[], symbol = ''): Columns {
  const normalized = names.map(normalize);
  const indexOf = (spellings: readonly string[], among: readonly string[]): number =>
    spellings.map((spelling) => among.indexOf(spelling)).find((index) => index >= 0) ?? -1;
  const columns = Object.fromEntries(
    Object.entries(SPELLINGS).map(([column, spellings]) => [column, indexOf(spellings, normalized)]),
  ) as Record<ColumnName, number>;
  const unzoned = normalized.map(withoutZone);
  if (columns.time < 0) columns.time = indexOf(SPELLINGS.time, unzoned);
  if (columns.date < 0) columns.date = indexOf(SPELLINGS.date, unzoned);
  if (columns.time < 0 && columns.date < 0 && INDEXES.includes(normalized[0]!)) columns.time = 0;
  const isBar = columns.open >= 0 && columns.high >= 0 && columns.low >= 0;
  if (isBar && columns.close < 0) columns.close = indexOf(CLOSES, normalized);
  if (isBar && columns.volume < 0) columns.volume = baseVolume(normalized, symbol);
  return columns;
}

export type RowKind = 'quote' | 'trade' | 'bar';

/** The kind of rows these columns form; `null` if none. */
export function rowKindOf(columns: Columns): RowKind | null {
  if (columns.time < 0 && columns.date < 0) return null;
  const prices = [columns.open, columns.high, columns.low];
  if (prices.every((column) => column >= 0) && columns.close >= 0) return 'bar';
  // Part of a bar is not a trade.
  if (prices.some((column) => column >= 0)) return null;
  if (columns.bid >= 0 && columns.ask >= 0) return 'quote';
  return columns.price >= 0 ? 'trade' : null;
}

/** Like rowKindOf, but throws with the missing columns. */
export function requireRowKind(columns: Columns, names: readonly string[]): RowKind {
  const kind = rowKindOf(columns);
  if (kind) return kind;
  const found = names.map((name) => name.trim().slice(0, 30)).join(', ');
  const normalized = names.map(normalize);
  if (['askopen', 'openask'].some((name) => normalized.includes(name)))
    throw new ImportError(
      'ask_bars',
      `the columns are ask prices, but bars are made of bid prices. Columns found: ${found.slice(0, 300)}`,
    );
  const bar = (['open', 'high', 'low', 'close'] as const).filter((name) => columns[name] < 0);
  const missing =
    columns.time < 0 && columns.date < 0
      ? 'a time column'
      : bar.length < 4
        ? bar.join(', ')
        : columns.bid >= 0 || columns.ask >= 0
          ? `the ${columns.bid >= 0 ? 'ask' : 'bid'} column`
          : 'bid and ask; or price; or open, high, low and close';
  throw new ImportError(
    'wrong_columns',
    `missing: ${missing}. Columns found: ${found.slice(0, 300)}. If they have other names, specify all of them in order with --columns, for example time,open,high,low,close,volume`,
  );
}
