// Operator: every account, its tier, and whether it is enabled.
import type { AccountReport } from '@tickwire/client';
import type { TerminalServices } from '../services/terminal-services.ts';
import { Button } from '../ui/button.tsx';
import { askToConfirm } from '../ui/dialog.tsx';
import { SelectField } from '../ui/form.tsx';
import { figure } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';

/** `tiers`: by name. */
export const TierField = ({ tiers, value }: { readonly tiers: object; readonly value: string }) => (
  <SelectField
    name="tier"
    label="Tier"
    value={value}
    choices={Object.keys(tiers).map((each) => ({ value: each, text: each }))}
  />
);

export function Accounts({ client }: Pick<TerminalServices, 'client'>) {
  const accounts = useRemote(() => client.admin.accounts());
  const disable = ({ id, name }: AccountReport): void =>
    askToConfirm({
      title: `Disable ${name}?`,
      text: 'The account is signed out everywhere and its keys are rejected until you enable it again.',
      confirm: 'Disable',
      act: () => client.admin.disable(id).then(accounts.refresh),
    });
  const enable = ({ id, name }: AccountReport): void =>
    askToConfirm({
      title: `Enable ${name}?`,
      text: 'The account can sign in again, and its keys are valid again.',
      confirm: 'Enable',
      tone: 'primary',
      act: () => client.admin.enable(id).then(accounts.refresh),
    });
  const changeTier = ({ id, name, tier }: AccountReport, tiers: object): void =>
    askToConfirm({
      title: `Change the tier of ${name}`,
      text: 'The new limits apply to its keys immediately.',
      confirm: 'Change tier',
      tone: 'primary',
      fields: <TierField tiers={tiers} value={tier} />,
      act: (values) => client.admin.setTier(id, values.text('tier')).then(accounts.refresh),
    });
  const actions = (tiers: object): Column<AccountReport> => ({
    head: '',
    cell: (account) => (
      <span class="row-actions">
        <Button onClick={() => changeTier(account, tiers)}>Change tier…</Button>
        {!account.owner &&
          (account.state === 'active' ? (
            <Button onClick={() => disable(account)}>Disable</Button>
          ) : (
            <Button onClick={() => enable(account)}>Enable</Button>
          ))}
      </span>
    ),
  });
  return (
    <Panel title="Accounts">
      <RemoteSection remote={accounts}>
        {({ items, tiers }) => (
          <Table
            caption="Accounts"
            columns={[...COLUMNS, actions(tiers)]}
            rows={items}
            keyOf={({ id }) => id}
            empty="No accounts."
          />
        )}
      </RemoteSection>
    </Panel>
  );
}

const COLUMNS: readonly Column<AccountReport>[] = [
  {
    head: 'Name',
    cell: ({ name, owner, state, signs_in, keys_of_revoked_sessions: keys }) => (
      <span class="chips">
        <span class="key-name">{name}</span>
        {owner && <span class="chip good">owner</span>}
        {!signs_in && <span class="chip">keys only</span>}
        {state === 'disabled' && <span class="chip bad">disabled</span>}
        {keys.length > 0 && <span class="chip">{`keys of ended sessions: ${keys.join(', ')}`}</span>}
      </span>
    ),
  },
  { head: 'Tier', cell: ({ tier }) => tier },
  { head: 'Last seen', cell: ({ last_seen_at }) => <RelativeTime at={last_seen_at} never="never" /> },
  { head: 'Keys', cell: ({ keys }) => figure(keys), numeric: true },
  { head: 'Streams', cell: ({ streams }) => figure(streams), numeric: true },
  { head: 'Requests', cell: ({ requests_day }) => figure(requests_day), numeric: true },
  { head: 'Errors', cell: ({ errors_day }) => figure(errors_day), numeric: true },
];
