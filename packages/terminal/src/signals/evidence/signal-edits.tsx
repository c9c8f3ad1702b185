// Later edits, and the deletion, of the chat message that published a signal. They changed nothing about it.
import type { CoreClient, SignalEdit } from '@tickwire/client';
import { exactly } from '../../ui/relative-time.ts';
import { RemoteSection, useRemote } from '../../ui/remote.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { SignalPanel } from '../signal-parts.tsx';

/** Characters of a hash that tell texts apart. */
const SHORT_HASH = 8;

const COLUMNS: readonly Column<SignalEdit>[] = [
  { head: 'Time', cell: ({ edited_at }) => <time dateTime={edited_at}>{exactly(Date.parse(edited_at))}</time> },
  { head: 'Text', cell: ({ text, new_sha256 }) => text ?? (new_sha256 === null ? 'deleted' : 'not kept') },
  {
    head: 'SHA-256',
    cell: ({ old_sha256, new_sha256 }) =>
      [old_sha256, new_sha256 ?? 'none'].map((hash) => hash.slice(0, SHORT_HASH)).join(' → '),
  },
];

/** Nothing if the signal has none. */
export function SignalEdits({ client, id }: { readonly client: CoreClient; readonly id: string }) {
  const edits = useRemote((end) => client.signalEdits(id, { signal: end }), [id]);
  if (edits.error === null && !edits.data?.items.length) return null;
  return (
    <SignalPanel title="Edits of the message">
      <p class="hint">Edited or deleted after the signal was published, which stays as it was.</p>
      <RemoteSection remote={edits}>
        {({ items }) => (
          <Table
            caption="Edits of the message"
            columns={COLUMNS}
            rows={items}
            keyOf={({ edited_at, new_sha256 }) => `${edited_at} ${new_sha256}`}
            empty="No edits."
          />
        )}
      </RemoteSection>
    </SignalPanel>
  );
}
