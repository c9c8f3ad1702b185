// Everything that the account follows: publishers, instruments and news, with where their messages go.
import type { CoreClient, Destination, Subscription } from '@tickwire/client';
import { pathOf } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { askToUnfollow } from './follow.tsx';
import { tellsText, whereText } from './follow-text.ts';

/** With the destinations, whose names the list shows. */
export const useFollowed = (client: CoreClient) =>
  useRemote(async () => {
    const [subscriptions, destinations] = await Promise.all([client.subscriptions(), client.destinations()]);
    return { subscriptions: subscriptions.items, destinations: destinations.items };
  });

interface Props {
  readonly client: CoreClient;
  readonly subscriptions: readonly Subscription[];
  readonly destinations: readonly Destination[];
  readonly empty: string;
  readonly onUnfollowed: () => void;
}

export function FollowedTable({ client, subscriptions, destinations, empty, onUnfollowed }: Props) {
  const columns: readonly Column<Subscription>[] = [
    { head: 'Following', cell: (subscription) => <Followed of={subscription} /> },
    { head: 'Messages about', cell: (subscription) => (subscription.category ? 'headlines' : tellsText(subscription)) },
    {
      head: 'Delivered to',
      cell: (subscription) => <span class="follow-where">{whereText(subscription, destinations)}</span>,
    },
    { head: 'Since', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
    {
      head: '',
      cell: (subscription) => (
        <Button onClick={() => askToUnfollow(client, subscription, onUnfollowed)}>Unfollow</Button>
      ),
    },
  ];
  return <Table caption="Following" columns={columns} rows={subscriptions} keyOf={({ id }) => id} empty={empty} />;
}

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
