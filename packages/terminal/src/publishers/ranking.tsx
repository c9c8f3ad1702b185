// All publishers in a table that can be sorted by any column. By default ranked ones come first, then those with too few signals.
import type { TrackRecord } from '@tickwire/client';
import { useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { inR } from '../signals/labels.ts';
import { Signed, SubPage } from '../signals/signal-parts.tsx';
import { pathOf } from '../ui/address.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { holdingTime, meanR, twoDecimals, winRate } from './figures.ts';

type SortField = Exclude<keyof TrackRecord, 'missing' | 'exposure' | 'warnings'>;

const column = (field: SortField, head: string, title: string, cell: Column<TrackRecord>['cell']) => ({
  field,
  head,
  title,
  cell,
  numeric: field !== 'name' && field !== 'last_at',
});

const COLUMNS = [
  column('name', 'Publisher', 'Name', ({ name }) => (
    <a class="publisher-name" href={pathOf('publishers', name)}>
      {name}
    </a>
  )),
  column(
    'rank',
    'Rank',
    'Only for records whose evidence passes the 5 % control over all publishers',
    ({ rank }) => rank ?? <span class="hint">not ranked</span>,
  ),
  column('total_r', 'Total', 'R of all ranked signals', ({ total_r }) => <Signed text={inR(total_r)} />),
  column('average_r', 'Per signal', 'Average R with its 95 % margin', meanR),
  column('win_rate', 'Win rate', 'With its 95 % interval', winRate),
  column('e_value', 'Evidence', 'e-value: 1 is none, 20 or more is needed for a rank', ({ e_value }) =>
    twoDecimals(e_value),
  ),
  column(
    'max_drawdown_r',
    'Max drawdown',
    'Largest fall of the total below its peak',
    ({ max_drawdown_r }) => `${twoDecimals(max_drawdown_r)} R`,
  ),
  column('average_holding_seconds', 'Avg. holding time', 'From fill to close', (record) =>
    holdingTime(record.average_holding_seconds),
  ),
  column('signals', 'Signals', 'Published (ranked)', ({ signals, ranked_signals }) => `${signals} (${ranked_signals})`),
  column('last_at', 'Last signal', 'Last publication', ({ last_at }) => <RelativeTime at={last_at} />),
];

const MOST = 200;

/** `column` is an index. */
export type RankingOrder = { readonly column: number; readonly down: boolean } | null;

/** Numbers start with the greatest, names and ranks with the smallest. */
const startOrder = (at: number): RankingOrder => {
  const { numeric, field } = COLUMNS[at]!;
  return { column: at, down: numeric && field !== 'rank' };
};

const sortValue = (record: TrackRecord, field: SortField): number | string | null =>
  field === 'name' ? record.name.toLowerCase() : record[field];

/** `null` keeps the order of the service. Records without a value stay last. */
export function ordered(records: readonly TrackRecord[], order: RankingOrder): readonly TrackRecord[] {
  if (!order) return records;
  const { field } = COLUMNS[order.column]!;
  return records.toSorted((one, other) => {
    const [a, b] = [sortValue(one, field), sortValue(other, field)];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return (order.down ? -1 : 1) * (a < b ? -1 : a > b ? 1 : 0);
  });
}

export function Ranking({ client }: Pick<TerminalServices, 'client'>) {
  const publishers = useRemote((signal) => client.publishers({ limit: MOST }, { signal }));
  return (
    <SubPage class="publishers" of="signals">
      <header>
        <h1>Publishers</h1>
        <p class="hint">
          Losing and open signals count like all others. A publisher is ranked if the evidence of its decisions passes a
          control of false discoveries at 5 %. Correlated signals and past results limit what that means.
        </p>
      </header>
      <section class="signal-panel">
        <RemoteSection remote={publishers}>{({ items }) => <RankingTable records={items} />}</RemoteSection>
      </section>
    </SubPage>
  );
}

function RankingTable({ records }: { readonly records: readonly TrackRecord[] }) {
  const [current, setOrder] = useState<RankingOrder>(null);
  const columns = COLUMNS.map((each, at) => ({
    ...each,
    sort: {
      title: each.title,
      order: current?.column === at ? (current.down ? ('descending' as const) : ('ascending' as const)) : undefined,
      onClick: () => setOrder(current?.column === at ? { column: at, down: !current.down } : startOrder(at)),
    },
  }));
  return (
    <>
      {/* A phone shows no column heads. */}
      <label class="sort-by">
        Sort by
        <select
          class="filter pick"
          value={current?.column ?? ''}
          onChange={({ currentTarget: { value } }) => setOrder(value === '' ? null : startOrder(Number(value)))}
        >
          <option value="">Ranking</option>
          {COLUMNS.map(({ head }, at) => (
            <option key={head} value={at}>
              {head}
            </option>
          ))}
        </select>
      </label>
      <Table
        caption="Publishers"
        columns={columns}
        rows={ordered(records, current)}
        keyOf={({ publisher }) => publisher}
        empty="No publishers yet."
      />
      {records.length === MOST && <p class="hint">{`Only the first ${MOST} are shown.`}</p>}
    </>
  );
}
