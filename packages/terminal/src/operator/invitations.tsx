// Operator: links that create one account each.
import type { Account, Invitation } from '@tickwire/client';
import { useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { Button } from '../ui/button.tsx';
import { askToConfirm } from '../ui/dialog.tsx';
import { Form, SelectField } from '../ui/form.tsx';
import { NO_VALUE } from '../ui/format.ts';
import { IssuedSecret } from '../ui/issued-secret.tsx';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { TierField } from './accounts.tsx';

const EXPIRIES = [
  { value: '7', text: 'in 7 days' },
  { value: '1', text: 'in a day' },
  { value: '30', text: 'in 30 days' },
] as const;

interface Props extends Pick<TerminalServices, 'client'> {
  readonly account: Account;
}

export function Invitations({ client, account }: Props) {
  const invitations = useRemote(() => client.admin.invitations());
  // The list of accounts contains the tiers.
  const accounts = useRemote(() => client.admin.accounts());
  const [issued, setIssued] = useState<{ readonly link: string | null } | null>(null);
  const revoke = ({ id }: Invitation): void =>
    askToConfirm({
      title: 'Revoke the invitation?',
      text: 'Its link can no longer create an account.',
      confirm: 'Revoke',
      act: () => client.admin.revokeInvitation(id).then(invitations.refresh),
    });
  const actions: Column<Invitation> = {
    head: '',
    cell: (each) => each.state === 'open' && <Button onClick={() => revoke(each)}>Revoke</Button>,
  };
  return (
    <>
      {issued && (
        <IssuedSecret
          title="Invitation link"
          secret={issued.link}
          text="Send it to the person you invite. It works once and is not shown again."
          onDone={() => setIssued(null)}
        />
      )}
      <Panel title="New invitation">
        <RemoteSection remote={accounts}>
          {({ tiers }) => (
            <Form
              submit="Create link"
              onSubmit={async (values) => {
                const expires_days = Number(values.text('expires_days'));
                setIssued(await client.admin.createInvitation({ tier: values.text('tier'), expires_days }));
                await invitations.refresh();
              }}
            >
              <TierField tiers={tiers} value={account.owner ? 'free' : account.tier} />
              <SelectField name="expires_days" label="Link expires" choices={EXPIRIES} />
            </Form>
          )}
        </RemoteSection>
      </Panel>
      <Panel title="Last 12 months">
        <RemoteSection remote={invitations}>
          {({ items }) => (
            <Table
              caption="Invitations"
              columns={[...COLUMNS, actions]}
              rows={items}
              keyOf={({ id }) => id}
              empty="No invitations."
            />
          )}
        </RemoteSection>
      </Panel>
    </>
  );
}

const COLUMNS: readonly Column<Invitation>[] = [
  { head: 'State', cell: ({ state }) => <span class={state === 'open' ? 'chip good' : 'chip'}>{state}</span> },
  { head: 'Tier', cell: ({ tier }) => tier },
  { head: 'Created', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  { head: 'Expires', cell: ({ expires_at }) => <RelativeTime at={expires_at} /> },
  { head: 'Account', cell: ({ account }) => account ?? NO_VALUE },
];
