// Data links: the list with their last use, a form for a new one, and revocation. The address of a link is shown once, with texts
// that are ready to paste into a spreadsheet.
import { useSignal } from '@preact/signals';
import type { DataLink, IssuedDataLink } from '@tickwire/client';
import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Snippet } from '../ui/copied-text.tsx';
import { askToConfirm } from '../ui/dialog.tsx';
import { Form, SelectField, TextField } from '../ui/form.tsx';
import { IssuedSecret } from '../ui/issued-secret.tsx';
import { Panel } from '../ui/panel.tsx';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import type { Column } from '../ui/table.tsx';
import { CredentialTables, EndedSession } from './credential-tables.tsx';
import { LINK_KINDS, type LinkKind, type LinkUse, linkPath, linkUses } from './data-link-kinds.ts';
import type { SettingsProps } from './section.ts';

const EXPIRIES = [
  { value: '90', text: 'in 90 days' },
  { value: '30', text: 'in 30 days' },
  { value: '7', text: 'in 7 days' },
  { value: '365', text: 'in a year' },
] as const;
const INTERVALS = ['1d', '4h', '1h', '30m', '15m', '5m', '1m', '1w', '1M'].map((value) => ({ value, text: value }));
const COUNTS = [
  { value: '250', text: '250' },
  { value: '100', text: '100' },
  { value: '1000', text: '1,000' },
  { value: '5000', text: '5,000' },
] as const;
const STATUSES = [
  { value: 'active', text: 'active' },
  { value: 'closed', text: 'closed' },
  { value: 'all', text: 'all' },
] as const;

export function DataLinks({ client }: SettingsProps) {
  const links = useRemote(() => client.links.list());
  const issued = useSignal<IssuedDataLink | null>(null);
  const [kind, setKind] = useState<LinkKind>('quotes');
  const revoke = ({ id, name }: DataLink): void =>
    askToConfirm({
      title: `Revoke “${name}”?`,
      text: 'Programs that use its address are refused immediately. This cannot be undone.',
      confirm: 'Revoke',
      act: async () => {
        await client.links.revoke(id);
        if (issued.peek()?.id === id) issued.value = null;
        await links.refresh();
      },
    });
  const actions: Column<DataLink> = {
    head: '',
    cell: (link) => <Button onClick={() => revoke(link)}>Revoke</Button>,
  };
  return (
    <>
      {issued.value && (
        <IssuedSecret
          title={`Link “${issued.value.name}”`}
          secret={issued.value.url}
          text="Copy it now: the address is a secret, and it is never shown again. Anyone who knows it can read the data."
          onDone={() => {
            issued.value = null;
          }}
        >
          {issued.value.url !== null &&
            linkUses(issued.value.url, issued.value.path).map((use) => <Use key={use.program} {...use} />)}
        </IssuedSecret>
      )}
      <Panel title="Your links">
        <RemoteSection remote={links}>
          {({ items }) => (
            <CredentialTables
              name="data links"
              items={items}
              columns={COLUMNS}
              actions={actions}
              empty="No links yet. Create the first one below."
            />
          )}
        </RemoteSection>
      </Panel>
      <Panel title="New link">
        <Form
          submit="Create link"
          onSubmit={async (values, form) => {
            const path = linkPath(kind, values);
            const expires_days = Number(values.text('expires_days'));
            issued.value = await client.links.create({ name: values.text('name'), path, expires_days });
            form.reset();
            setKind('quotes');
            await links.refresh();
          }}
        >
          <SelectField name="kind" label="Reads" choices={LINK_KINDS} value={kind} onChange={setKind} />
          <KindFields key={kind} kind={kind} />
          <TextField
            name="name"
            label="Name"
            hint="The program that uses it, such as “portfolio sheet”. Give each program a link of its own."
            maxLength={48}
          />
          <SelectField name="expires_days" label="Expires" choices={EXPIRIES} />
        </Form>
      </Panel>
    </>
  );
}

function KindFields({ kind }: { readonly kind: LinkKind }) {
  switch (kind) {
    case 'quotes':
      return (
        <TextField
          name="symbols"
          label="Instruments"
          hint="Separated by commas. Without any, the link reads all of them."
          placeholder="EURUSD, XAUUSD"
          maxLength={400}
          optional
        />
      );
    case 'bars':
      return (
        <>
          <TextField name="symbols" label="Instrument" placeholder="EURUSD" maxLength={32} />
          <SelectField name="interval" label="Interval" choices={INTERVALS} />
          <SelectField name="limit" label="Newest bars" choices={COUNTS} />
        </>
      );
    case 'signals':
      return (
        <>
          <SelectField name="status" label="Status" choices={STATUSES} />
          <TextField
            name="symbols"
            label="Instrument"
            hint="Without one, of all instruments."
            maxLength={32}
            optional
          />
        </>
      );
    case 'publisher':
      return <TextField name="publisher" label="Publisher" maxLength={64} />;
    case 'udf':
      return null;
    case 'path':
      return (
        <TextField
          name="path"
          label="Path and query"
          hint="An endpoint of market data, signals, publishers, news or the calendar."
          placeholder="/api/bars/EURUSD?interval=1d&format=csv"
          maxLength={2_000}
          mono
        />
      );
  }
}

function Use({ program, where, text }: LinkUse) {
  return (
    <div class="part">
      <Snippet label={`For ${program}`} text={text}>
        <p>
          <b>{program}</b> <span class="hint">{where}</span>
        </p>
      </Snippet>
    </div>
  );
}

const COLUMNS: readonly Column<DataLink>[] = [
  {
    head: 'Name',
    cell: (link) => (
      <span class="chips">
        <span class="key-name">{link.name}</span>
        <EndedSession {...link} />
      </span>
    ),
  },
  { head: 'Reads', cell: ({ path }) => <code class="link-path">{path}</code> },
];
