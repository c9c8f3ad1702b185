// The list of alerts with their state, and what can be done with each.
import type { Alert } from '@tickwire/client';
import { pathOf } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { askToConfirm } from '../ui/dialog.tsx';
import { useSubscription } from '../ui/hooks.ts';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { ALERT_STATE, CHANNEL, NOT_CHECKED, repeatText } from './alert-labels.ts';
import type { AlertServices } from './alert-services.ts';
import { StateChip } from './chip.tsx';
import { conditionText } from './condition-text.ts';

export function AlertListView({ services }: { readonly services: AlertServices }) {
  const { accountAlerts, quotes } = services;
  useSubscription((signal, changed) => accountAlerts.subscribe(signal, changed));
  const { state, alerts } = accountAlerts;
  if (state === 'loading') return <p class="empty-note">Loading…</p>;
  if (state === 'failed')
    return (
      <div class="sorry">
        <p>The alerts could not be loaded.</p>
        <Button onClick={() => accountAlerts.reload()}>Try again</Button>
      </div>
    );
  const digitsOf = (symbol: string | null): number | undefined =>
    symbol === null ? undefined : quotes.row(symbol)?.digits;
  const columns: readonly Column<Alert>[] = [
    {
      head: 'Alert',
      cell: ({ id, symbol, condition, note, not_checked }) => (
        <span class="stacked">
          <span class="alert-name">
            {symbol !== null && (not_checked === null ? <a href={pathOf('markets', symbol)}>{symbol}</a> : symbol)}{' '}
            <a href={pathOf('alerts', id)}>{conditionText(condition, digitsOf(symbol))}</a>
          </span>
          {note !== null && <span class="alert-note">{note}</span>}
        </span>
      ),
    },
    { head: 'State', cell: (alert) => <AlertStateChip {...alert} /> },
    {
      head: 'Repeats',
      cell: (alert) => (
        <span class="stacked">
          <span>{repeatText(alert)}</span>
          {alert.expires_at !== null && (
            <span class="alert-note">
              {'ends '}
              <RelativeTime at={alert.expires_at} />
            </span>
          )}
        </span>
      ),
    },
    { head: 'Delivered to', cell: ({ deliver }) => <Channels deliver={deliver} /> },
    {
      head: 'Last fired',
      cell: ({ last_fired_at, fired }) => (
        <span>
          <RelativeTime at={last_fired_at} never="never" />
          {fired > 1 && <span class="alert-note">{` (${fired} times)`}</span>}
        </span>
      ),
    },
    { head: '', cell: (alert) => <AlertActions services={services} alert={alert} /> },
  ];
  return (
    <section class="settings-panel" aria-label="Your alerts">
      <Table
        caption="Alerts"
        columns={columns}
        rows={alerts}
        keyOf={({ id }) => id}
        empty="No alerts yet. Create one here, or right-click the chart at a price."
      />
    </section>
  );
}

function AlertStateChip({ state, not_checked }: Alert) {
  if (not_checked === null) return <StateChip of={ALERT_STATE[state]} />;
  return (
    <span class="stacked">
      <StateChip of={['Not checked', 'bad']} />
      <span class="alert-note">{NOT_CHECKED[not_checked]}</span>
    </span>
  );
}

function Channels({ deliver }: Pick<Alert, 'deliver'>) {
  const others = deliver.filter(({ channel }) => channel !== 'in_app');
  if (others.length === 0) return <span class="muted">terminal only</span>;
  return (
    <span class="chips">
      {others.map(({ channel, destination, address }) => (
        <span key={destination} class="chip" title={address}>
          {CHANNEL[channel]}
        </span>
      ))}
    </span>
  );
}

function AlertActions({ services, alert }: { readonly services: AlertServices; readonly alert: Alert }) {
  const { client, accountAlerts, notifier } = services;
  const { id, state, deliver } = alert;
  const run = (what: string, act: () => Promise<void>): void => {
    act().catch((error: unknown) => notifier.reportError(error, what));
  };
  const remove = (): void =>
    askToConfirm({
      title: 'Delete this alert?',
      text: 'It stops firing. Its past firings stay in the log.',
      confirm: 'Delete',
      act: async () => {
        await client.deleteAlert(id);
        accountAlerts.remove(id);
      },
    });
  const test = async (): Promise<void> => {
    const { deliveries } = await client.testAlert(id);
    const sent = deliveries.length === 1 ? 'A test message is' : `${deliveries.length} test messages are`;
    notifier.show(`${sent} on the way. Deliveries shows whether it arrived.`);
  };
  return (
    <span class="row-actions">
      {state === 'active' && (
        <Button onClick={() => run('Pause', async () => accountAlerts.put(await client.pauseAlert(id)))}>Pause</Button>
      )}
      {state === 'paused' && (
        <Button onClick={() => run('Resume', async () => accountAlerts.put(await client.resumeAlert(id)))}>
          Resume
        </Button>
      )}
      {deliver.some(({ channel }) => channel !== 'in_app') && <Button onClick={() => run('Test', test)}>Test</Button>}
      <Button onClick={remove}>Delete</Button>
    </span>
  );
}
