// What the account follows: publishers, instruments and news categories, each with the destinations of its messages.
import { useSignal } from '@preact/signals';
import type { NewsCategory } from '@tickwire/client';
import { DestinationChecks } from '../alerts/deliver-choice.tsx';
import { FollowedTable, useFollowed } from '../alerts/followed.tsx';
import { CATEGORIES } from '../news/news-filter.ts';
import { ChoiceBar } from '../ui/button.tsx';
import { Form, SelectField, TextField } from '../ui/form.tsx';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection } from '../ui/remote.tsx';
import type { SettingsProps } from './section.ts';

type Kind = 'publisher' | 'symbol' | 'category';

const KINDS: readonly (readonly [Kind, string])[] = [
  ['publisher', 'Publisher'],
  ['symbol', 'Instrument'],
  ['category', 'News category'],
];

export function Following({ client }: SettingsProps) {
  const followed = useFollowed(client);
  const kind = useSignal<Kind>('publisher');
  return (
    <RemoteSection remote={followed}>
      {(loaded) => (
        <>
          <Panel title="You follow">
            <FollowedTable
              client={client}
              {...loaded}
              empty="Nothing yet."
              onUnfollowed={() => void followed.refresh()}
            />
          </Panel>
          <Panel title="Follow">
            {loaded.destinations.length === 0 ? (
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
                    const name = values.text(kind.value).trim();
                    await client.createSubscription({ ...request(kind.value, name), deliver });
                    form.reset();
                    form.show(`You follow ${name} now.`, 'good');
                    await followed.refresh();
                  }}
                >
                  <FollowedField kind={kind.value} />
                  <fieldset class="scopes">
                    <legend>Deliver to</legend>
                    <DestinationChecks destinations={loaded.destinations} isChecked={() => false} />
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

function FollowedField({ kind }: { readonly kind: Kind }) {
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
