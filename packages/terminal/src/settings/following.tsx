// What the account follows: publishers, instruments and news categories, each with the destinations of its messages.
import { useSignal } from '@preact/signals';
import type { Destination, NewsCategory, Subscription } from '@tickwire/client';
import { CHANNEL } from '../alerts/alert-labels.ts';
import { CATEGORIES } from '../news/news-filter.ts';
import { Button, ChoiceBar } from '../ui/button.tsx';
import { askToConfirm } from '../ui/dialog.tsx';
import { Check, Form, SelectField, TextField } from '../ui/form.tsx';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import type { SettingsProps } from './section.ts';

type Kind = 'publisher' | 'symbol' | 'category';

const KINDS: readonly (readonly [Kind, string])[] = [
  ['publisher', 'Publisher'],
  ['symbol', 'Instrument'],
  ['category', 'News category'],
];

const nameOf = ({ publisher, symbol, category }: Subscription): string =>
  publisher?.name ?? symbol ?? `${category} news`;
const addressOf = ({ channel, name, address }: Destination): string => `${CHANNEL[channel]}: ${name ?? address}`;

export function Following({ client }: SettingsProps) {
  const following = useRemote(async () => {
    const [subscriptions, destinations] = await Promise.all([client.subscriptions(), client.destinations()]);
    return { subscriptions: subscriptions.items, destinations: destinations.items };
  });
  const kind = useSignal<Kind>('publisher');
  const remove = (subscription: Subscription): void =>
    askToConfirm({
      title: `Stop following ${nameOf(subscription)}?`,
      text: 'Messages that were written before are still delivered.',
      confirm: 'Stop following',
      act: async () => {
        await client.deleteSubscription(subscription.id);
        await following.refresh();
      },
    });
  const columns = (destinations: readonly Destination[]): readonly Column<Subscription>[] => [
    { head: 'Follows', cell: (each) => <span class="key-name">{nameOf(each)}</span> },
    { head: 'Tells', cell: ({ mirror, events, category }) => tells(mirror, events, category) },
    {
      head: 'Delivered to',
      cell: ({ deliver }) =>
        deliver
          .map(({ destination }) => destinations.find(({ id }) => id === destination))
          .map((each) => (each ? addressOf(each) : 'a removed destination'))
          .join(', '),
    },
    { head: 'Since', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
    { head: '', cell: (each) => <Button onClick={() => remove(each)}>Remove</Button> },
  ];
  return (
    <RemoteSection remote={following}>
      {({ subscriptions, destinations }) => (
        <>
          <Panel title="You follow">
            <Table
              caption="Followed publishers, instruments and news categories"
              columns={columns(destinations)}
              rows={subscriptions}
              keyOf={({ id }) => id}
              empty="Nothing yet."
            />
          </Panel>
          <Panel title="Follow">
            {destinations.length === 0 ? (
              <p class="intro">
                Messages need a destination, such as this browser or an e-mail address.{' '}
                <a href="/alerts/destinations">Add a destination</a> first.
              </p>
            ) : (
              <>
                <ChoiceBar
                  label="What to follow"
                  choices={KINDS}
                  value={kind.value}
                  onChange={(value) => {
                    kind.value = value;
                  }}
                />
                <Form
                  key={kind.value}
                  submit="Follow"
                  onSubmit={async (values, form) => {
                    const deliver = values.all('deliver').map((destination) => ({ destination }));
                    if (deliver.length === 0) {
                      form.show('Choose at least one destination.', 'bad');
                      return;
                    }
                    const followed = values.text(kind.value).trim();
                    await client.createSubscription({ ...request(kind.value, followed), deliver });
                    form.reset();
                    form.show(`You follow ${followed} now.`, 'good');
                    await following.refresh();
                  }}
                >
                  <Followed kind={kind.value} />
                  <fieldset class="scopes">
                    <legend>Deliver to</legend>
                    {destinations.map((each) => (
                      <Check key={each.id} name="deliver" value={each.id}>
                        {addressOf(each)}
                      </Check>
                    ))}
                  </fieldset>
                </Form>
              </>
            )}
          </Panel>
        </>
      )}
    </RemoteSection>
  );
}

function Followed({ kind }: { readonly kind: Kind }) {
  if (kind === 'publisher') return <TextField name="publisher" label="Publisher" maxLength={64} />;
  if (kind === 'symbol') return <TextField name="symbol" label="Instrument" placeholder="EURUSD" maxLength={32} />;
  return (
    <SelectField name="category" label="News category" choices={CATEGORIES.map((value) => ({ value, text: value }))} />
  );
}

function request(kind: Kind, followed: string) {
  if (kind === 'publisher') return { publisher: followed };
  return kind === 'symbol' ? { symbol: followed.toUpperCase() } : { category: followed as NewsCategory };
}

function tells(mirror: boolean, events: Subscription['events'], category: Subscription['category']): string {
  if (category !== null) return 'headlines';
  return mirror ? 'everything, as a mirror' : `signals ${events.join(', ')}`;
}
