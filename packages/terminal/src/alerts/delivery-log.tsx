// The log of deliveries: state, attempts, latency and the reason of failures. What was given up can be sent again.
import { useSignal } from '@preact/signals';
import type { Delivery, Destination } from '@tickwire/client';
import { Button, ChoiceBar } from '../ui/button.tsx';
import { figure } from '../ui/format.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { CHANNEL, DELIVERY_STATE, latencyText } from './alert-labels.ts';
import type { AlertServices } from './alert-services.ts';
import { StateChip } from './chip.tsx';
import { usePages } from './use-pages.ts';

const PAGE = 50;
const RELOAD_MS = 10_000;

const STATES = [
  [null, 'All'],
  ['waiting', 'Waiting'],
  ['delivered', 'Delivered'],
  ['dead', 'Given up'],
] as const;

interface Props {
  readonly services: AlertServices;
  /** Only messages of this alert. */
  readonly alert?: string;
}

export function DeliveryLog({ services: { client, notifier }, alert }: Props) {
  const state = useSignal<Delivery['state'] | null>(null);
  const destinations = useRemote((signal) => client.destinations({ signal }));
  const pages = usePages<Delivery>(
    (before, signal) =>
      client.deliveries(
        {
          limit: PAGE,
          ...(alert !== undefined && { alert }),
          ...(state.value !== null && { state: state.value }),
          ...(before !== undefined && { before }),
        },
        signal ? { signal } : {},
      ),
    PAGE,
    [state.value],
  );
  const replay = (id: string): void => {
    client.replayDelivery(id).then(
      () => void pages.refresh(),
      (error: unknown) => notifier.reportError(error, 'Replay'),
    );
  };
  const { loadOlder } = pages;
  const columns = columnsOf(destinations.data?.items ?? [], replay);
  return (
    <section class="settings-panel" aria-label="Deliveries">
      {alert !== undefined && <h2>Deliveries</h2>}
      <ChoiceBar
        label="State"
        choices={STATES}
        value={state.value}
        onChange={(chosen) => {
          state.value = chosen;
        }}
      />
      <RemoteSection remote={pages} everyMs={RELOAD_MS}>
        {() => (
          <>
            <Table
              caption="Deliveries"
              columns={columns}
              rows={pages.all}
              keyOf={({ id }) => id}
              empty="No messages."
            />
            {loadOlder && (
              <Button onClick={() => void loadOlder().catch((error) => notifier.reportError(error, 'Deliveries'))}>
                Load older
              </Button>
            )}
          </>
        )}
      </RemoteSection>
    </section>
  );
}

function columnsOf(destinations: readonly Destination[], replay: (id: string) => void): readonly Column<Delivery>[] {
  const nameOf = (id: string): string => {
    const found = destinations.find((each) => each.id === id);
    return found?.name ?? found?.address ?? '';
  };
  return [
    {
      head: 'Message',
      cell: ({ title, reason }) => (
        <span class="stacked">
          <span class="alert-name">{title}</span>
          {reason !== null && (
            <span class="trouble" title={reason}>
              Last failure: {reason}
            </span>
          )}
        </span>
      ),
    },
    {
      head: 'Destination',
      cell: ({ channel, destination }) => (
        <span class="stacked">
          <span>{CHANNEL[channel]}</span>
          <span class="source-address">{nameOf(destination)}</span>
        </span>
      ),
    },
    {
      head: 'State',
      cell: (delivery) => (
        <span class="stacked">
          <StateChip of={DELIVERY_STATE[delivery.state]} />
          {delivery.state === 'waiting' && delivery.attempts > 0 && delivery.next_attempt_at !== null && (
            <span class="alert-note">
              {'next attempt '}
              <RelativeTime at={delivery.next_attempt_at} />
            </span>
          )}
        </span>
      ),
    },
    { head: 'Attempts', numeric: true, cell: ({ attempts }) => figure(attempts) },
    { head: 'Latency', numeric: true, cell: ({ latency_ms: ms }) => latencyText(ms) },
    { head: 'Written', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
    {
      head: '',
      cell: ({ id, state }) => state === 'dead' && <Button onClick={() => replay(id)}>Replay</Button>,
    },
  ];
}
