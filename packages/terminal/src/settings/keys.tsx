// API keys: the list with their last use, a form for a new one, rotation and revocation.
import { useSignal } from '@preact/signals';
import type { IssuedKey, KeyInfo } from '@tickwire/client';
import { Button } from '../ui/button.tsx';
import { askToConfirm } from '../ui/dialog.tsx';
import { Check, Form, SelectField, TextField } from '../ui/form.tsx';
import { IssuedSecret } from '../ui/issued-secret.tsx';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import type { Column } from '../ui/table.tsx';
import { confirmed } from './confirmed.tsx';
import { CredentialTables, EndedSession } from './credential-tables.tsx';
import type { SettingsProps } from './section.ts';

type Scope = KeyInfo['scopes'][number];

const PERMISSIONS: Readonly<Record<Scope, string>> = {
  read: 'markets, signals, news and your alerts, over REST and streams',
  alerts: 'create, change and delete alerts, destinations and subscriptions',
  publish: 'publish and close signals under your name',
  hook: 'publish through a TradingView webhook, and nothing else',
  ingest: 'send your own quotes, trades and news',
  admin: 'accounts, invitations, feeds and keys',
};

const EXPIRIES = [
  { value: '90', text: 'in 90 days' },
  { value: '30', text: 'in 30 days' },
  { value: '365', text: 'in a year' },
  { value: '', text: 'never' },
] as const;

const OVERLAPS = [
  { value: '24', text: 'in 24 hours' },
  { value: '168', text: 'in 7 days' },
  { value: '1', text: 'in 1 hour' },
  { value: '0', text: 'immediately' },
] as const;

export function Keys(props: SettingsProps) {
  const { client, account, issuedKey } = props;
  const keys = useRemote(() => client.keys.list());
  const issued = useSignal<IssuedKey | null>(null);
  const show = (key: IssuedKey): void => {
    issued.value = key;
    if (key.key !== null) issuedKey.value = { id: key.id, key: key.key, scopes: key.scopes };
    void keys.refresh();
  };
  const forget = (id: string): void => {
    if (issuedKey.peek()?.id === id) issuedKey.value = null;
  };
  const rotate = ({ id, name }: KeyInfo): void =>
    askToConfirm({
      title: `Rotate “${name}”?`,
      text: 'You get a new key with the same permissions. Give it to your program before the old one expires.',
      confirm: 'Create new key',
      tone: 'primary',
      fields: <SelectField name="overlap_hours" label="Old key expires" choices={OVERLAPS} />,
      act: async (values) => {
        const overlap_hours = Number(values.text('overlap_hours'));
        show(await confirmed(props, () => client.keys.rotate(id, { overlap_hours })));
      },
    });
  const revoke = ({ id, name }: KeyInfo): void =>
    askToConfirm({
      title: `Revoke “${name}”?`,
      text: 'Requests with this key are rejected immediately, and its streams close. This cannot be undone.',
      confirm: 'Revoke',
      act: async () => {
        await client.keys.revoke(id);
        forget(id);
        await keys.refresh();
      },
    });
  const actions: Column<KeyInfo> = {
    head: '',
    cell: (key) => (
      <span class="row-actions">
        <Button onClick={() => rotate(key)}>Rotate</Button>
        <Button onClick={() => revoke(key)}>Revoke</Button>
      </span>
    ),
  };
  return (
    <>
      {issued.value && (
        <IssuedSecret
          title={`Key “${issued.value.name}”`}
          secret={issued.value.key}
          text="Copy it now and store it where your program can read it. The service does not store it and never shows it again."
          onDone={() => {
            forget(issued.value?.id ?? '');
            issued.value = null;
          }}
        >
          <p>
            <a href="#snippets">Open a snippet</a> that contains it.
          </p>
        </IssuedSecret>
      )}
      <Panel title="Your keys">
        <RemoteSection remote={keys}>
          {({ items }) => (
            <CredentialTables
              name="keys"
              items={items}
              columns={COLUMNS}
              actions={actions}
              empty="No keys yet. Create the first one below."
            />
          )}
        </RemoteSection>
      </Panel>
      <Panel title="New key">
        <Form
          submit="Create key"
          onSubmit={async (values, form) => {
            const scopes = values.all('scopes') as Scope[];
            const days = values.text('expires_days');
            if (scopes.length === 0) {
              form.show('Choose at least one permission.', 'bad');
              return;
            }
            const expires_days = days === '' ? null : Number(days);
            const request = { name: values.text('name'), scopes, expires_days };
            show(await confirmed(props, () => client.keys.create(request)));
            form.reset();
          }}
        >
          <TextField name="name" label="Name" hint="What the key is for, such as “night bot”." maxLength={48} />
          <SelectField name="expires_days" label="Expires" choices={EXPIRIES} />
          <fieldset class="scopes">
            <legend>Permissions</legend>
            {account.key_scopes.map((scope) => (
              <Check key={scope} name="scopes" value={scope} checked={scope === 'read'}>
                <span>
                  <b>{scope}</b> {PERMISSIONS[scope]}
                </span>
              </Check>
            ))}
          </fieldset>
        </Form>
      </Panel>
    </>
  );
}

const DEMO_KEY_MS = 7 * 86_400_000;

/** The key that the service prints at its first start: the list has no mark for it, but no form creates one like it. */
function isDemo({ name, created_at, expires_at, scopes }: KeyInfo): boolean {
  const lasts = expires_at === null ? null : Date.parse(expires_at) - Date.parse(created_at);
  return name === 'demo' && lasts === DEMO_KEY_MS && scopes.join() === 'read,alerts,publish';
}

const COLUMNS: readonly Column<KeyInfo>[] = [
  {
    head: 'Name',
    cell: (key) => (
      <span class="chips">
        <span class="key-name">{key.name}</span>
        {isDemo(key) && (
          <span class="chip" title="The service printed it at its first start">
            demo key from the first start
          </span>
        )}
        <EndedSession {...key} />
      </span>
    ),
  },
  { head: 'Id', cell: ({ id }) => <code>{id}</code> },
  {
    head: 'Permissions',
    cell: ({ scopes }) => (
      <span class="chips">
        {scopes.map((scope) => (
          <span key={scope} class="chip">
            {scope}
          </span>
        ))}
      </span>
    ),
  },
];
