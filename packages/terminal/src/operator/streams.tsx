// Operator: the open streams, and which of them are slow.
import type { StreamReport } from '@tickwire/client';
import type { TerminalServices } from '../services/terminal-services.ts';
import { figure, NO_VALUE } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';

export function Streams({ client }: Pick<TerminalServices, 'client'>) {
  const streams = useRemote(() => client.admin.streams({ limit: 500 }));
  return (
    <Panel title="Streams">
      <RemoteSection remote={streams} everyMs={5_000}>
        {({ items, open }) => (
          <>
            {items.length > 0 && (
              <p class="intro">
                {`${figure(open)} open.${open > items.length ? ` Showing the first ${items.length}.` : ''}`}
              </p>
            )}
            <Table
              caption="Open streams"
              columns={COLUMNS}
              rows={items}
              keyOf={({ channel, key, address, since }) => `${channel} ${key} ${address} ${since}`}
              empty="No open streams."
            />
          </>
        )}
      </RemoteSection>
    </Panel>
  );
}

const COLUMNS: readonly Column<StreamReport>[] = [
  { head: 'Channel', cell: ({ channel }) => channel },
  { head: 'Account', cell: ({ account }) => account ?? <span class="muted">no key yet</span> },
  { head: 'Key', cell: ({ key }) => <code>{key ?? NO_VALUE}</code> },
  { head: 'Address', cell: ({ address }) => <code>{address}</code> },
  { head: 'Since', cell: ({ since }) => <RelativeTime at={since} /> },
  { head: 'Subscriptions', cell: ({ subscriptions }) => figure(subscriptions), numeric: true },
  { head: 'Buffered bytes', cell: ({ buffered_bytes }) => figure(buffered_bytes), numeric: true },
  {
    head: 'State',
    cell: ({ slow }) => <span class={slow ? 'chip bad' : 'chip good'}>{slow ? 'slow' : 'ok'}</span>,
  },
];
