// Operator: the state of the news sources, and how many items curation dropped.
import type { NewsSourceReport } from '@tickwire/client';
import type { TerminalServices } from '../services/terminal-services.ts';
import { figure } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Age, RelativeTime } from '../ui/time.tsx';
import { FaultCount, SourceName } from './source-cells.tsx';

export function NewsSources({ client }: Pick<TerminalServices, 'client'>) {
  const sources = useRemote(() => client.newsSources());
  return (
    <Panel title="Sources">
      <RemoteSection remote={sources} everyMs={10_000}>
        {({ items, left_out }) => (
          <>
            <Table
              caption="News sources"
              columns={COLUMNS}
              rows={items}
              keyOf={({ name }) => name}
              empty="No news sources are configured."
            />
            <h2 class="table-title">Dropped items</h2>
            <Table
              caption="Dropped items"
              columns={REASON_COLUMNS}
              rows={Object.entries(left_out).filter(([, count]) => count > 0)}
              keyOf={([reason]) => reason}
              empty="No items dropped."
            />
          </>
        )}
      </RemoteSection>
    </Panel>
  );
}

const CHIP: Readonly<Record<NewsSourceReport['state'], string>> = {
  ok: 'chip good',
  starting: 'chip',
  failing: 'chip bad',
  stopped: 'chip',
};

const COLUMNS: readonly Column<NewsSourceReport>[] = [
  { head: 'Source', cell: ({ name, url, last_error }) => <SourceName name={name} url={url} error={last_error} /> },
  { head: 'State', cell: ({ state }) => <span class={CHIP[state]}>{state}</span> },
  { head: 'Last item', cell: ({ last_item_at }) => <RelativeTime at={last_item_at} never="none yet" /> },
  { head: 'Last poll', cell: ({ last_poll_at }) => <Age at={last_poll_at} never="none yet" /> },
  { head: 'Items', cell: ({ items }) => figure(items), numeric: true },
  { head: 'Unchanged', cell: ({ unchanged }) => figure(unchanged), numeric: true },
  { head: 'Failures', cell: ({ failures }) => <FaultCount count={failures} />, numeric: true },
];

/** The reasons of the service; an unknown one is shown by its name. */
const REASONS: Readonly<Record<string, string>> = {
  empty: 'No title',
  off_topic: 'Not about a market',
  too_old: 'Too old',
  duplicate: 'Duplicate',
  revised_too_often: 'Revised too often',
};

const REASON_COLUMNS: readonly Column<readonly [reason: string, count: number]>[] = [
  { head: 'Reason', cell: ([reason]) => REASONS[reason] ?? reason.replaceAll('_', ' ') },
  { head: 'Items', cell: ([, count]) => figure(count), numeric: true },
];
