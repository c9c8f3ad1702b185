// Where messages go: the list of destinations with their state, and the form that adds one.
import { useSignal } from '@preact/signals';
import type { CreatedDestination, Destination } from '@tickwire/client';
import { Button } from '../ui/button.tsx';
import { askToConfirm, openFormDialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/form.tsx';
import { IssuedSecret } from '../ui/issued-secret.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { AddDestination } from './add-destination.tsx';
import { CHANNEL, DESTINATION_STATE } from './alert-labels.ts';
import type { AlertServices } from './alert-services.ts';
import { ChatLink } from './chat-link.tsx';
import { StateChip } from './chip.tsx';
import { MessagePreferences } from './message-preferences.tsx';

/** Telegram chats and browsers are verified elsewhere, without this page. */
const RELOAD_MS = 5_000;

export function Destinations({ services }: { readonly services: AlertServices }) {
  const { client, notifier } = services;
  const destinations = useRemote((signal) => client.destinations({ signal }));
  const created = useSignal<CreatedDestination | null>(null);
  const verify = ({ id, address }: Pick<Destination, 'id' | 'address'>): void => {
    openFormDialog({
      title: 'Enter the code',
      text: `${address} has received a code. It verifies that the messages reach you.`,
      submit: 'Verify',
      onSubmit: async (values) => {
        await client.verifyDestination(id, values.text('code').trim());
        await destinations.refresh();
      },
      children: <TextField name="code" label="Code" autocomplete="one-time-code" mono maxLength={64} />,
    });
  };
  const onCreated = (destination: CreatedDestination): void => {
    created.value = destination.secret === null && destination.link === null ? null : destination;
    void destinations.refresh();
    if (destination.link === null && destination.state === 'unverified' && destination.channel !== 'push')
      verify(destination);
  };
  const remove = ({ id, channel, address }: Destination): void =>
    askToConfirm({
      title: 'Delete this destination?',
      text: `Nothing more is delivered to ${CHANNEL[channel]} ${address}, and messages waiting for it are dropped.`,
      confirm: 'Delete',
      act: async () => {
        await client.deleteDestination(id);
        await destinations.refresh();
      },
    });
  const test = ({ id }: Destination): void => {
    client.testDestination(id).then(
      () => notifier.show('A test message is on the way. Deliveries shows whether it arrived.'),
      (error: unknown) => notifier.reportError(error, 'Test'),
    );
  };
  const actions: Column<Destination> = {
    head: '',
    cell: (destination) => (
      <span class="row-actions">
        {destination.state === 'unverified' && !['telegram', 'push'].includes(destination.channel) && (
          <Button onClick={() => verify(destination)}>Verify</Button>
        )}
        {destination.state === 'active' && <Button onClick={() => test(destination)}>Test</Button>}
        <Button onClick={() => remove(destination)}>Delete</Button>
      </span>
    ),
  };
  const { value: shown } = created;
  const done = (): void => {
    created.value = null;
  };
  const linked = destinations.data?.items.some(({ id, state }) => id === shown?.id && state === 'active') ?? false;
  return (
    <>
      {shown?.secret && (
        <IssuedSecret
          title="Signing secret of the webhook"
          secret={shown.secret}
          text="Copy it now: your receiver needs it to verify the messages. The service never shows it again."
          onDone={done}
        />
      )}
      {shown?.link && (
        <ChatLink
          link={shown.link}
          where="Send this code to the bot, in a private chat or in your group."
          linked={linked}
          onDone={done}
        />
      )}
      <section class="settings-panel" aria-label="Your destinations">
        <RemoteSection remote={destinations} everyMs={RELOAD_MS}>
          {({ items }) => (
            <Table
              caption="Destinations"
              columns={[...COLUMNS, actions]}
              rows={items}
              keyOf={({ id }) => id}
              empty="No destinations yet. Alerts appear in the terminal only."
            />
          )}
        </RemoteSection>
      </section>
      <section class="settings-panel">
        <h2>Add a destination</h2>
        <AddDestination client={client} onCreated={onCreated} onPushed={() => void destinations.refresh()} />
      </section>
      <section class="settings-panel">
        <h2>Times and numbers in messages</h2>
        <MessagePreferences client={client} />
      </section>
    </>
  );
}

const COLUMNS: readonly Column<Destination>[] = [
  {
    head: 'Destination',
    cell: ({ channel, name, address, failure }) => (
      <span class="stacked">
        <span class="alert-name">{name === null ? CHANNEL[channel] : `${CHANNEL[channel]}: ${name}`}</span>
        <span class="source-address">{address}</span>
        {failure !== null && (
          <span class="trouble" title={failure}>
            {failure}
          </span>
        )}
      </span>
    ),
  },
  { head: 'State', cell: ({ state }) => <StateChip of={DESTINATION_STATE[state]} /> },
  {
    head: 'Last delivered',
    cell: ({ last_delivered_at, waiting }) => (
      <span>
        <RelativeTime at={last_delivered_at} never="never" />
        {waiting > 0 && <span class="alert-note">{` (${waiting} waiting)`}</span>}
      </span>
    ),
  },
];
