// Everything that the account follows: publishers, instruments and news, with where their messages go.
import type { Subscription } from '@tickwire/client';
import { askToUnfollow } from '../alerts/follow.tsx';
import { tellsText, whereText } from '../alerts/follow-text.ts';
import type { TerminalServices } from '../services/terminal-services.ts';
import { pathOf } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';

const COLUMNS: readonly Column<Subscription>[] = [
  { head: 'Following', cell: (subscription) => <Followed of={subscription} /> },
  { head: 'Messages about', cell: (subscription) => (subscription.category ? 'headlines' : tellsText(subscription)) },
  { head: 'Go to', cell: (subscription) => <span class="follow-where">{whereText(subscription)}</span> },
  { head: 'Since', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
];

function Followed({ of: { publisher, symbol, category } }: { readonly of: Subscription }) {
  if (publisher)
    return (
      <a class="publisher-name" href={pathOf('publishers', publisher.name)}>
        {publisher.name}
      </a>
    );
  if (symbol !== null) return <a href={pathOf('markets', symbol)}>{symbol}</a>;
  return <a href={`/news?category=${category}`}>{`News: ${category}`}</a>;
}

export function Following({ client }: Pick<TerminalServices, 'client'>) {
  const subscriptions = useRemote((signal) => client.subscriptions({ signal }));
  const actions: Column<Subscription> = {
    head: '',
    cell: (subscription) => (
      <Button onClick={() => askToUnfollow(client, subscription, () => void subscriptions.refresh())}>Unfollow</Button>
    ),
  };
  return (
    <section class="signal-panel">
      <RemoteSection remote={subscriptions}>
        {({ items }) => (
          <Table
            caption="Following"
            columns={[...COLUMNS, actions]}
            rows={items}
            keyOf={({ id }) => id}
            empty="You follow nobody yet. Press Follow on the page of a publisher or of a signal."
          />
        )}
      </RemoteSection>
      <p class="hint">
        Messages are in the{' '}
        <a class="inline-link" href="/alerts/log">
          log of the alerts
        </a>{' '}
        and go to the{' '}
        <a class="inline-link" href="/alerts/destinations">
          destinations
        </a>{' '}
        that you chose.
      </p>
    </section>
  );
}
