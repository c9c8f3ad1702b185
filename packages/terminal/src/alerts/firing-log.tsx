// The log of firings, newest first. A new one appears at once.
import type { AlertFiring } from '@tickwire/client';
import { pathOf } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { useAbortEffect } from '../ui/hooks.ts';
import { RemoteSection } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import type { AlertServices } from './alert-services.ts';
import { usePages } from './use-pages.ts';

const PAGE = 50;
/** Subscriptions have no page. */
const isAlert = (id: string): boolean => id.startsWith('alr_');

const COLUMNS: readonly Column<AlertFiring>[] = [
  {
    head: 'Fired',
    cell: ({ title, note, late, symbol }) => (
      <span class="stacked">
        <span class="alert-name">
          {symbol === null ? title : <a href={pathOf('markets', symbol)}>{title}</a>}
          {late && (
            <span class="chip notice-chip" title="Noticed more than 5 seconds after the event">
              late
            </span>
          )}
        </span>
        {note !== null && <span class="alert-note">{note}</span>}
      </span>
    ),
  },
  { head: 'Time', cell: ({ time }) => <RelativeTime at={time} /> },
  {
    head: '',
    cell: ({ alert_id: id }) => isAlert(id) && <a href={pathOf('alerts', id)}>Alert</a>,
  },
];

interface Props {
  readonly services: AlertServices;
  /** Only firings of this alert. */
  readonly alert?: string;
}

export function FiringLog({ services: { client, accountAlerts, unreadFirings, notifier }, alert }: Props) {
  const of = alert === undefined ? {} : { alert };
  const pages = usePages<AlertFiring>(
    (before, signal) =>
      client.firings({ ...of, limit: PAGE, ...(before !== undefined && { before }) }, signal ? { signal } : {}),
    PAGE,
  );
  useAbortEffect(
    (signal) =>
      accountAlerts.subscribe(signal, ({ firing }) => {
        if (firing && (alert === undefined || firing.alert_id === alert)) void pages.refresh();
      }),
    [],
  );
  const unread = unreadFirings?.unread.value;
  useAbortEffect(
    (signal) => {
      if (alert !== undefined) return;
      // Nobody sees the list in a hidden tab.
      const read = (): void => {
        if (!document.hidden) unreadFirings?.read();
      };
      document.addEventListener('visibilitychange', read, { signal });
      read();
    },
    [unread],
  );
  const { loadOlder } = pages;
  const columns = alert === undefined ? COLUMNS : COLUMNS.slice(0, -1);
  return (
    <section class="settings-panel" aria-label="Firings">
      {alert !== undefined && <h2>Fired</h2>}
      <RemoteSection remote={pages}>
        {() => (
          <>
            <Table
              caption="Firings"
              columns={columns}
              rows={pages.all}
              keyOf={({ id }) => id}
              empty="No alert has fired yet."
            />
            {loadOlder && (
              <Button onClick={() => void loadOlder().catch((error) => notifier.reportError(error, 'Log'))}>
                Load older
              </Button>
            )}
          </>
        )}
      </RemoteSection>
    </section>
  );
}
