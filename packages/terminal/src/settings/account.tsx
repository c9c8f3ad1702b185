// The account itself: its tier, where it is signed in, its password, and how to delete it.
import type { SessionInfo } from '@tickwire/client';
import { Button, GuideLink } from '../ui/button.tsx';
import { AccountName, NewPasswordField, PasswordField } from '../ui/credential-fields.tsx';
import { askToConfirm } from '../ui/dialog.tsx';
import { Check, Form } from '../ui/form.tsx';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Facts, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { limitFacts } from './limit-facts.ts';
import type { SettingsProps } from './section.ts';
import { SigningKey } from './signing-key.tsx';
import { TwoFactor } from './two-factor.tsx';

export function AccountSection(props: SettingsProps) {
  return (
    <>
      <AccountFacts {...props} />
      <Limits {...props} />
      <Sessions {...props} />
      <ChangePassword {...props} />
      <TwoFactor {...props} />
      {props.account.scopes.includes('publish') && <SigningKey {...props} />}
      <DeleteAccount {...props} />
    </>
  );
}

function AccountFacts({ account }: SettingsProps) {
  return (
    <Panel title="Your account">
      <Facts
        entries={[
          ['Name', account.owner ? `${account.name} (owner of this service)` : account.name],
          ['Created', <RelativeTime at={account.created_at} />],
          ['Id', <code>{account.id}</code>],
        ]}
      />
    </Panel>
  );
}

/** Asked for again: the operator may have changed the tier since the terminal was opened. */
function Limits({ client }: SettingsProps) {
  const account = useRemote((signal) => client.account.get({ signal }));
  return (
    <Panel title="Limits">
      <RemoteSection remote={account}>
        {({ tier, tier_limits }) => <Facts entries={[['Tier', tier], ...limitFacts(tier_limits)]} />}
      </RemoteSection>
      <p class="hint">
        Your keys share these limits. Requests and streams of your signed-in sessions are counted separately, with the
        same limits. <GuideLink href="/guide/reference/rate-limits#tiers">Tiers</GuideLink>
      </p>
    </Panel>
  );
}

function Sessions({ client, session }: SettingsProps) {
  const sessions = useRemote(() => client.account.sessions());
  const end = (id: string): void =>
    askToConfirm({
      title: 'Sign out that browser?',
      text: 'It has to sign in again.',
      confirm: 'Sign out',
      act: () => client.account.revokeSession(id).then(sessions.refresh),
    });
  const endAll = (): void =>
    askToConfirm({
      title: 'Sign out everywhere?',
      text: 'Every browser has to sign in again, including this one. Your API keys stay valid.',
      confirm: 'Sign out everywhere',
      act: () => client.account.signOutEverywhere().then(() => session.end()),
    });
  const columns: readonly Column<SessionInfo>[] = [
    { head: 'Browser', cell: ({ browser }) => browser },
    { head: 'Address', cell: ({ address }) => <code>{address}</code> },
    { head: 'Signed in', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
    { head: 'Last seen', cell: ({ last_seen_at }) => <RelativeTime at={last_seen_at} /> },
    {
      head: '',
      cell: ({ id, current }) =>
        current ? <span class="chip good">this browser</span> : <Button onClick={() => end(id)}>Sign out</Button>,
    },
  ];
  return (
    <Panel title="Signed in">
      <RemoteSection remote={sessions}>
        {({ items }) => (
          <Table caption="Sessions" columns={columns} rows={items} keyOf={({ id }) => id} empty="No sessions." />
        )}
      </RemoteSection>
      <div class="actions">
        {/* Small screens have no room for the button in the header. */}
        <Button onClick={session.signOut}>Sign out</Button>
        <Button onClick={endAll}>Sign out everywhere</Button>
      </div>
    </Panel>
  );
}

function ChangePassword({ client, account }: SettingsProps) {
  return (
    <Panel title="Password">
      <Form
        submit="Change password"
        onSubmit={async (values, form) => {
          const { sessions_ended, keys_revoked } = await client.account.changePassword({
            ...values.confirmation(),
            new_password: values.text('new_password'),
            revoke_keys: values.text('revoke_keys') !== '',
          });
          form.reset();
          const others = sessions_ended === 0 ? '' : ' Your other sessions were signed out.';
          const keys = keys_revoked > 0 ? ` API keys revoked: ${keys_revoked}.` : '';
          form.show(`Your password was changed.${others}${keys}`, 'good');
        }}
      >
        <PasswordField label="Current password" />
        <NewPasswordField name="new_password" label="New password" />
        <Check name="revoke_keys" checked>
          Also revoke my API keys and data links, in case someone else has one
        </Check>
        <AccountName name={account.name} />
      </Form>
    </Panel>
  );
}

function DeleteAccount({ client, account, session }: SettingsProps) {
  if (account.owner)
    return (
      <Panel title="Delete account">
        <p class="intro">The owner account cannot be deleted.</p>
      </Panel>
    );
  return (
    <Panel title="Delete account">
      <p class="intro">
        Your keys and sessions end immediately, and your password and usage are deleted. Signals you published stay in
        the log, without your name.
      </p>
      <Form
        submit="Delete my account…"
        tone="danger"
        onSubmit={async (values, form) =>
          askToConfirm({
            title: 'Delete your account for good?',
            text: `${account.name} cannot be restored, and nobody can use the name again.`,
            confirm: 'Delete for good',
            act: async () => {
              try {
                await client.account.delete(values.confirmation());
                session.end();
              } catch (error) {
                // The password is what can be wrong, and its field is in the form behind the dialog.
                form.fail(error);
              }
            },
          })
        }
      >
        <PasswordField label="Confirm with your password" />
        <AccountName name={account.name} />
      </Form>
    </Panel>
  );
}
