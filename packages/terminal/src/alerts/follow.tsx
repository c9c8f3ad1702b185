// Follow and unfollow a publisher: a subscription that sends a message for each of its signals.
import type { CoreClient, Destination, Subscription } from '@tickwire/client';
import type { TerminalServices } from '../services/terminal-services.ts';
import { Button } from '../ui/button.tsx';
import { askToConfirm, openFormDialog } from '../ui/dialog.tsx';
import { SelectField } from '../ui/form.tsx';
import { useRemote } from '../ui/remote.tsx';
import { DestinationChecks } from './deliver-choice.tsx';
import { followOf, TELLS, whereText } from './follow-text.ts';

interface Publisher {
  readonly id: string;
  readonly name: string;
}

interface Props extends Pick<TerminalServices, 'client' | 'session' | 'notifier'> {
  readonly publisher: Publisher;
}

/** Nobody follows the own account. */
export function FollowControl({ client, session, notifier, publisher }: Props) {
  const subscriptions = useRemote((signal) => client.subscriptions({ signal }), [publisher.id]);
  if (session.account?.id === publisher.id || subscriptions.data === null) return null;
  const follow = followOf(subscriptions.data.items, publisher.id);
  const changed = (): void => void subscriptions.refresh();
  if (!follow) {
    const ask = (): void => {
      client.destinations().then(
        ({ items }) => askToFollow(client, publisher, items, changed),
        (error: unknown) => notifier.reportError(error, 'Follow'),
      );
    };
    return (
      <span class="follow">
        <Button tone="primary" onClick={ask}>
          Follow
        </Button>
      </span>
    );
  }
  return (
    <span class="follow">
      <span class="hint follow-where">{`Following. Messages go to ${whereText(follow)}.`}</span>
      <Button onClick={() => askToUnfollow(client, follow, changed)}>Unfollow</Button>
    </span>
  );
}

function askToFollow(
  client: CoreClient,
  { id, name }: Publisher,
  destinations: readonly Destination[],
  onFollowed: () => void,
): void {
  openFormDialog({
    title: `Follow ${name}`,
    text: `You get a message about the signals of ${name}, from the next one on.`,
    submit: 'Follow',
    children: (
      <>
        <SelectField name="tells" label="Notify me about" choices={TELLS} />
        <fieldset class="scopes">
          <legend>Messages go to</legend>
          <p class="hint">This terminal, always: in the corner, and in the log of the alerts.</p>
          <DestinationChecks destinations={destinations} isChecked={({ state }) => state === 'active'} />
          <p class="hint">
            {destinations.length === 0 && 'To get messages while the terminal is closed: '}
            <a class="inline-link" href="/alerts/destinations" onClick={closeDialog}>
              {destinations.length === 0 ? 'Add a destination' : 'Manage destinations'}
            </a>
          </p>
        </fieldset>
      </>
    ),
    onSubmit: async (values) => {
      const chosen = values.all('deliver').map((destination) => ({ destination }));
      const { events } = TELLS.find(({ value }) => value === values.text('tells')) ?? TELLS[0]!;
      const deliver = chosen.length > 0 ? chosen : [{ channel: 'in_app' as const }];
      await client.createSubscription({ publisher: id, events, deliver });
      onFollowed();
    },
  });
}

/** The link opens another page below the dialog. */
const closeDialog = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void =>
  currentTarget.closest('dialog')?.close();

export function askToUnfollow(client: CoreClient, { id, publisher, ...of }: Subscription, onEnded: () => void): void {
  const name = publisher?.name ?? of.symbol ?? of.category ?? '';
  askToConfirm({
    title: `Unfollow ${name}?`,
    text: 'You get no more messages. Those already on their way are still delivered.',
    confirm: 'Unfollow',
    tone: 'primary',
    act: async () => {
      await client.deleteSubscription(id);
      onEnded();
    },
  });
}
