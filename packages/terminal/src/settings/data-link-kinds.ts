// What a data link can read, as a form offers it: the path of the service, and how spreadsheets and charts use its address.
import type { FormValues } from '../ui/form.tsx';

export const LINK_KINDS = [
  { value: 'quotes', text: 'Quotes (CSV)' },
  { value: 'bars', text: 'Bars (CSV)' },
  { value: 'signals', text: 'Signals (CSV)' },
  { value: 'publisher', text: 'All signals of a publisher (CSV)' },
  { value: 'udf', text: 'TradingView charts' },
  { value: 'path', text: 'Another path' },
] as const;
export type LinkKind = (typeof LINK_KINDS)[number]['value'];

const symbolsIn = (text: string): readonly string[] =>
  text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((symbol) => symbol !== '')
    .map(encodeURIComponent);

/** The path and query that a link of this kind reads. */
export function linkPath(kind: LinkKind, values: Pick<FormValues, 'text'>): string {
  const symbols = symbolsIn(values.text('symbols'));
  switch (kind) {
    case 'quotes':
      return `/api/quotes?${symbols.length > 0 ? `symbols=${symbols}&` : ''}format=csv`;
    case 'bars':
      return `/api/bars/${symbols[0] ?? ''}?interval=${values.text('interval')}&limit=${values.text('limit')}&format=csv`;
    case 'signals': {
      const of = symbols[0] === undefined ? '' : `&symbol=${symbols[0]}`;
      return `/api/signals?status=${values.text('status')}${of}&limit=500&format=csv`;
    }
    case 'publisher':
      return `/api/publishers/${encodeURIComponent(values.text('publisher').trim())}/signals.csv`;
    case 'udf':
      return '/udf';
    case 'path':
      return values.text('path').trim();
  }
}

type ColumnType = 'number' | 'datetimezone' | 'logical';

const numbers = (...names: readonly string[]) => names.map((name) => [name, 'number'] as const);
const times = (...names: readonly string[]) => names.map((name) => [name, 'datetimezone'] as const);

/** Columns that are no text, by the start of the path. */
const TYPED_COLUMNS: readonly (readonly [path: RegExp, columns: readonly (readonly [string, ColumnType])[]])[] = [
  [/^\/api\/quotes\b/, [...times('timestamp'), ...numbers('bid', 'ask', 'spread'), ['stale', 'logical']]],
  [/^\/api\/bars\//, [...times('time'), ...numbers('open', 'high', 'low', 'close', 'volume')]],
  [
    /^\/api\/signals\b/,
    [
      ...times('timestamp', 'closed_at'),
      ...numbers('entry', 'stop_loss', 'take_profit', 'pnl', 'pnl_percent', 'pnl_r', 'entry_price', 'exit_price'),
    ],
  ],
  [
    /^\/api\/publishers\/[^/]+\/signals\.csv$/,
    [
      ...times('published_at', 'filled_at', 'closed_at'),
      ...numbers(
        'entry',
        'stop_loss',
        'take_profit',
        'entry_price',
        'exit_price',
        'pnl',
        'pnl_percent',
        'pnl_r',
        'rank_r',
      ),
    ],
  ],
];

/** A way to use the address of a link. */
export interface LinkUse {
  readonly program: string;
  /** Where it is entered. */
  readonly where: string;
  readonly text: string;
}

export function linkUses(url: string, path: string): readonly LinkUse[] {
  if (path === '/udf')
    return [
      {
        program: 'TradingView charting library',
        where: 'The option datafeed of the widget.',
        text: `new Datafeeds.UDFCompatibleDatafeed('${url}')`,
      },
    ];
  if (!isCsv(path)) return [];
  return [
    {
      program: 'Google Sheets',
      where: 'A formula of the first cell. Google reads the address from its own servers about once an hour.',
      text: `=IMPORTDATA("${url}")`,
    },
    {
      program: 'Excel, Power BI',
      where: 'Data › Get Data › Blank Query › Advanced Editor. Choose anonymous access.',
      text: powerQuery(url, path),
    },
  ];
}

const isCsv = (path: string): boolean => /[?&]format=csv(&|$)|\.csv(\?|$)/.test(path);

function powerQuery(url: string, path: string): string {
  const columns = TYPED_COLUMNS.find(([start]) => start.test(path))?.[1] ?? [];
  const types = columns.map(([name, type]) => `{"${name}", type ${type}}`).join(', ');
  const steps = [
    `Source = Csv.Document(Web.Contents("${url}"), [Delimiter = ",", Encoding = 65001])`,
    'Rows = Table.PromoteHeaders(Source)',
    ...(types === '' ? [] : [`Typed = Table.TransformColumnTypes(Rows, {${types}}, "en-US")`]),
  ];
  return `let\n  ${steps.join(',\n  ')}\nin\n  ${types === '' ? 'Rows' : 'Typed'}`;
}
