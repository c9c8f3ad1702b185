// Operator: the audit log with its filters, page by page.
import type { AuditAction, AuditItem } from '@tickwire/client';
import { useState } from 'preact/hooks';
import type { TerminalServices } from '../services/terminal-services.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/form.tsx';
import { NO_VALUE } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';

/** What the filter fields contain; '' is no filter. */
const ANY = { account: '', action: '', from: '', to: '' };
const FIELDS = [
  ['account', 'Account', 'search'],
  ['from', 'From', 'datetime-local'],
  ['to', 'To', 'datetime-local'],
] as const;

export function Audit({ client }: Pick<TerminalServices, 'client'>) {
  const [filter, setFilter] = useState(ANY);
  const [before, setBefore] = useState<number | null>(null);
  const log = useRemote(() => {
    const { account, action, from, to } = filter;
    return client.admin.auditLog({
      detail: true,
      ...(account && { account }),
      ...(action && { action: action as AuditAction }),
      ...(from && { from: new Date(from) }),
      ...(to && { to: new Date(to) }),
      ...(before !== null && { before }),
    });
  }, [filter, before]);
  const change = ({
    currentTarget: { name, value },
  }: {
    currentTarget: HTMLInputElement | HTMLSelectElement;
  }): void => {
    setFilter({ ...filter, [name]: value.trim() });
    setBefore(null);
  };
  return (
    <Panel title="Entries">
      <div class="form audit-filters">
        {FIELDS.map(([name, label, type]) => (
          <Field key={name} name={name} label={label}>
            {(control) => <input {...control} type={type as 'search'} onChange={change} />}
          </Field>
        ))}
        <Field name="action" label="Action">
          {(control) => (
            <select {...control} onChange={change}>
              {['', ...(log.data?.actions ?? [])].map((action) => (
                <option key={action} value={action}>
                  {action || 'all'}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <RemoteSection remote={log}>
        {({ items, next_before }) => (
          <>
            <Table caption="Audit log" columns={COLUMNS} rows={items} keyOf={({ id }) => id} empty="No entries." />
            <div class="actions">
              {before !== null && <Button onClick={() => setBefore(null)}>Newest</Button>}
              {next_before !== null && <Button onClick={() => setBefore(next_before)}>Older</Button>}
            </div>
          </>
        )}
      </RemoteSection>
    </Panel>
  );
}

/** A deleted account has no name any more. */
function Named({ id, name }: { readonly id: string | null; readonly name: string | null | undefined }) {
  return name ? <span title={id ?? ''}>{name}</span> : <code>{id ?? NO_VALUE}</code>;
}

const COLUMNS: readonly Column<AuditItem>[] = [
  { head: 'Time', cell: ({ timestamp }) => <RelativeTime at={timestamp} /> },
  { head: 'Action', cell: ({ action }) => action },
  { head: 'Account', cell: ({ account, account_name }) => <Named id={account} name={account_name} /> },
  { head: 'Subject', cell: ({ subject, account, account_name }) => (subject === account && account_name) || subject },
  { head: 'Actor', cell: ({ actor, actor_name }) => <Named id={actor} name={actor_name} /> },
  { head: 'Address', cell: ({ address }) => <code>{address ?? NO_VALUE}</code> },
];
