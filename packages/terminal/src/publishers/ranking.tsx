// All publishers in a table with filters, in the order that the service computes. By default ranked ones come first, then the
// others by their evidence.
import type { PublisherList, TrackRecord } from '@tickwire/client';
import { useMemo, useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { inR } from '../signals/labels.ts';
import { SubPage } from '../signals/signal-parts.tsx';
import { pathOf } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { currentAddress } from '../ui/current-address.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { Signed } from '../ui/signed.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { asPercent, eValue, maxDrawdown, missingTexts, TIME_WAIVED, twoDecimals } from './figures.ts';
import { Following } from './following.tsx';
import {
  isNarrowed,
  NO_FILTER,
  optionsOf,
  orderOf,
  type PublisherFilter,
  parseFilter,
  searchOf,
  sortedBy,
} from './publisher-filter.ts';
import { RankingControls } from './ranking-controls.tsx';
import { EVIDENCE_EXPLAINED, Limits, StatusLabels } from './standing.tsx';

export type RankingProps = Pick<TerminalServices, 'client' | 'instruments' | 'navigator'>;

/** Publishers on a page. */
const PAGE = 50;
/** Open signals change with the market. */
const REFRESH_MS = 30_000;

const column = (
  sort: PublisherFilter['sort'],
  head: string,
  title: string,
  cell: Column<TrackRecord>['cell'],
  numeric = true,
) => ({ sort, head, title, cell, numeric });

const COLUMNS = [
  column('name', 'Publisher', 'Sort by name', (record) => <Publisher of={record} />, false),
  column('e_value', 'Evidence', EVIDENCE_EXPLAINED, ({ e_value }) => eValue(e_value)),
  column('decisions', 'Decisions', 'Signals on one idea are one decision', ({ decisions }) => decisions),
  column('total_r', 'Total', 'Sum of R of the closed signals', ({ total_r }) => <Signed text={inR(total_r)} />),
  column('average_r', 'Per signal', 'Average R', ({ average_r }) => <Signed text={inR(average_r)} />),
  column('win_rate', 'Win rate', 'Share of signals with a result above 0', ({ win_rate }) => asPercent(win_rate)),
  column('open_r', 'Open', 'R of the open signals at current prices', ({ open_r }) => <Signed text={inR(open_r)} />),
  column(
    'drawdown_r',
    'Drawdown now',
    'Below the peak, with open signals',
    ({ drawdown_r }) => `${twoDecimals(drawdown_r)} R`,
  ),
  column('max_drawdown_r', 'Max drawdown', 'Largest fall below a peak, now with open signals', maxDrawdown),
  column('signals', 'Signals', 'Published signals', ({ signals }) => signals),
  column('last_at', 'Last signal', 'Last publication', ({ last_at }) => <RelativeTime at={last_at} />, false),
];

function Publisher({ of }: { readonly of: TrackRecord }) {
  const missing = missingTexts(of);
  return (
    <div class="publisher-cell">
      <a class="publisher-name" href={pathOf('publishers', of.name)}>
        {of.name}
      </a>
      <StatusLabels of={of} />
      <span class="hint">{of.reason}</span>
      {/* One condition is what the reason says. */}
      {missing.length > 1 && <span class="hint">{`Missing for a rank: ${missing.join(', ')}.`}</span>}
    </div>
  );
}

const VIEWS = [
  ['/publishers', 'All publishers'],
  ['/publishers?view=following', 'Following'],
] as const;

/** All publishers, or what the account follows: `/publishers?view=following`. */
export function Ranking(services: RankingProps) {
  const following = new URLSearchParams(currentAddress.value.search).get('view') === 'following';
  return (
    <SubPage class="publishers" of="signals">
      <nav class="publisher-views" aria-label="Publishers">
        {VIEWS.map(([address, title], index) => (
          <a
            key={address}
            class="view-link muted"
            href={address}
            aria-current={(index === 1) === following ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {following ? (
        <>
          <h1>Following</h1>
          <Following client={services.client} />
        </>
      ) : (
        <AllPublishers {...services} />
      )}
    </SubPage>
  );
}

function AllPublishers({ client, instruments, navigator }: RankingProps) {
  const { search } = currentAddress.value;
  const filter = useMemo(() => parseFilter(search), [search]);
  const [page, setPage] = useState({ search, offset: 0 });
  // Another filter starts at its first page.
  const offset = page.search === search ? page.offset : 0;
  const publishers = useRemote(
    (signal) => client.publishers({ ...optionsOf(filter), limit: PAGE, offset }, { signal }),
    [search, offset],
  );
  const setFilter = (next: PublisherFilter): void => navigator.go(`/publishers${searchOf(next)}`, { replace: true });
  return (
    <>
      <header>
        <h1>Publishers</h1>
        <p class="hint">
          Losing and open signals count like all others. A rank requires a trial of 30 decisions with a gain, and then
          evidence of 20 times the number of the trial (1 = none). A rank means that luck is an unlikely explanation.
          {publishers.data?.time_waived === true && ` ${TIME_WAIVED}`}
        </p>
        <Limits />
      </header>
      <section class="signal-panel">
        <RankingControls filter={filter} instruments={instruments} onChange={setFilter} />
        <RemoteSection remote={publishers} everyMs={REFRESH_MS}>
          {(list) => (
            <>
              <RankingTable list={list} filter={filter} onSort={setFilter} />
              <Pager list={list} offset={offset} onChange={(next) => setPage({ search, offset: next })} />
            </>
          )}
        </RemoteSection>
        {isNarrowed(filter) && (
          <div class="actions">
            <Button onClick={() => setFilter({ ...NO_FILTER, sort: filter.sort, order: filter.order })}>
              Clear filter
            </Button>
          </div>
        )}
      </section>
    </>
  );
}

interface TableProps {
  readonly list: PublisherList;
  readonly filter: PublisherFilter;
  readonly onSort: (filter: PublisherFilter) => void;
}

function RankingTable({ list, filter, onSort }: TableProps) {
  const order = orderOf(filter) === 'asc' ? ('ascending' as const) : ('descending' as const);
  return (
    <Table
      caption="Publishers"
      columns={COLUMNS.map(({ sort, title, ...column }) => ({
        ...column,
        sort: { title, order: filter.sort === sort ? order : undefined, onClick: () => onSort(sortedBy(filter, sort)) },
      }))}
      rows={list.items}
      keyOf={({ publisher }) => publisher}
      empty={isNarrowed(filter) ? 'No publisher matches this filter.' : 'No publishers yet.'}
    />
  );
}

interface PagerProps {
  readonly list: PublisherList;
  readonly offset: number;
  readonly onChange: (offset: number) => void;
}

function Pager({ list: { count, total, next }, offset, onChange }: PagerProps) {
  if (total <= count) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <Button disabled={offset === 0} onClick={() => onChange(Math.max(0, offset - PAGE))}>
        Previous
      </Button>
      <span class="hint">{`${offset + 1} to ${offset + count} of ${total}`}</span>
      <Button disabled={next === null} onClick={() => onChange(next ?? 0)}>
        Next
      </Button>
    </nav>
  );
}
