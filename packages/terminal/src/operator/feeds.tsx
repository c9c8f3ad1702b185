// Operator: the state of the price feeds, and the prices that were quarantined.
import type { FeedList, FeedReport } from '@tickwire/client';
import type { TerminalServices } from '../services/terminal-services.ts';
import { decimalsOf, figure, percent, price } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Age, RelativeTime } from '../ui/time.tsx';
import { FaultCount, SourceName } from './source-cells.tsx';

type Spike = FeedList['quarantine'][number];

export function Feeds({ client }: Pick<TerminalServices, 'client'>) {
  const feeds = useRemote(() => client.feeds());
  return (
    <Panel title="Price feeds">
      <RemoteSection remote={feeds} everyMs={3_000}>
        {({ items, quarantine }) => (
          <>
            <Table
              caption="Feeds"
              columns={COLUMNS}
              rows={items}
              keyOf={({ name }) => name}
              empty="No feeds are configured, so there are no prices."
            />
            <h2 class="table-title">Quarantine</h2>
            <Table
              caption="Quarantined prices"
              columns={SPIKE_COLUMNS}
              rows={quarantine}
              keyOf={({ symbol, time, price: at }) => `${symbol} ${time} ${at}`}
              empty="No prices quarantined."
            />
          </>
        )}
      </RemoteSection>
    </Panel>
  );
}

const millis = (ms: number): string => `${figure(Math.round(ms))} ms`;

const CHIP: Readonly<Record<FeedReport['state'], string>> = {
  live: 'chip good',
  starting: 'chip',
  connecting: 'chip notice-chip',
  waiting: 'chip notice-chip',
  stopped: 'chip bad',
};

const COLUMNS: readonly Column<FeedReport>[] = [
  {
    head: 'Feed',
    cell: ({ name, problem, last_error }) => <SourceName name={name} error={problem ?? last_error} wraps />,
  },
  { head: 'State', cell: ({ state }) => <span class={CHIP[state]}>{state}</span> },
  { head: 'Last tick', cell: ({ last_event_at }) => <Age at={last_event_at} never="none yet" /> },
  {
    head: 'Symbols',
    cell: ({ symbols }) => <span title={symbols.join(' ')}>{figure(symbols.length)}</span>,
    numeric: true,
  },
  {
    head: 'Delay',
    cell: ({ delay_ms }) => delay_ms && <span title={`99 %: ${millis(delay_ms.p99)}`}>{millis(delay_ms.p50)}</span>,
    numeric: true,
  },
  {
    head: 'Clock',
    cell: ({ clock_offset_ms }) =>
      clock_offset_ms !== null && `${clock_offset_ms < 0 ? '−' : '+'}${millis(Math.abs(clock_offset_ms))}`,
    numeric: true,
  },
  { head: 'Reconnects', cell: ({ connects }) => figure(Math.max(0, connects - 1)), numeric: true },
  { head: 'Backfilled', cell: ({ backfilled }) => figure(backfilled), numeric: true },
  { head: 'Bars to fetch', cell: ({ history_bars_left }) => figure(history_bars_left), numeric: true },
  { head: 'Gaps', cell: ({ gaps }) => <FaultCount count={gaps} />, numeric: true },
  { head: 'Duplicates', cell: ({ duplicates }) => figure(duplicates), numeric: true },
  { head: 'Invalid', cell: ({ invalid_messages }) => <FaultCount count={invalid_messages} />, numeric: true },
];

const exactPrice = (value: number): string => price(value, decimalsOf(value));

const SPIKE_COLUMNS: readonly Column<Spike>[] = [
  { head: 'Symbol', cell: ({ symbol }) => <span class="key-name">{symbol}</span> },
  { head: 'Time', cell: ({ time }) => <RelativeTime at={time} /> },
  { head: 'Price', cell: (spike) => exactPrice(spike.price), numeric: true },
  { head: 'Last valid price', cell: ({ last }) => exactPrice(last), numeric: true },
  { head: 'Jump', cell: (spike) => percent(spike.price / spike.last - 1), numeric: true },
];
