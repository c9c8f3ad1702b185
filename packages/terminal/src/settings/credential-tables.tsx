// Keys or data links: those that can be used, and below them the revoked and expired ones.
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';

interface Credential {
  readonly id: string;
  readonly state: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly session_ended_at: string | null;
}

interface Props<T extends Credential> {
  /** In the plural: `keys`. */
  readonly name: string;
  readonly items: readonly T[];
  /** Columns of both tables. */
  readonly columns: readonly Column<T>[];
  readonly actions: Column<T>;
  readonly empty: string;
}

/** An expiry this near is highlighted. */
const SOON_MS = 3 * 86_400_000;

const CREATED: Column<Credential> = { head: 'Created', cell: ({ created_at }) => <RelativeTime at={created_at} /> };
const LAST_USED: Column<Credential> = {
  head: 'Last used',
  // Use is counted by the minute, so the first one can seem older than the credential.
  cell: ({ last_used_at: used, created_at: created }) => (
    <RelativeTime at={used !== null && used < created ? created : used} never="never" />
  ),
};
const EXPIRES: Column<Credential> = {
  head: 'Expires',
  cell: ({ expires_at: end }) => {
    const soon = end !== null && Date.parse(end) - Date.now() < SOON_MS;
    return <RelativeTime at={end} never="never" class={soon ? 'alarming' : ''} />;
  },
};
const ENDED: Column<Credential> = {
  head: 'Ended',
  cell: ({ revoked_at, expires_at }) => <RelativeTime at={revoked_at ?? expires_at} />,
};

/** A mark, unless the session that made the credential goes on, or has expired. */
export function EndedSession({ session_ended_at }: Pick<Credential, 'session_ended_at'>) {
  if (session_ended_at === null) return null;
  return (
    <span class="chip" title="The session that created it was revoked or signed out. Revoke it if that was not you">
      created in an ended session
    </span>
  );
}

export function CredentialTables<T extends Credential>({ name, items, columns, actions, empty }: Props<T>) {
  const valid = items.filter(({ state }) => state === 'good');
  const ended = items.filter(({ state }) => state !== 'good');
  const keyOf = ({ id }: T): string => id;
  return (
    <>
      <Table
        caption={name.charAt(0).toUpperCase() + name.slice(1)}
        columns={[...columns, CREATED, LAST_USED, EXPIRES, actions]}
        rows={valid}
        keyOf={keyOf}
        empty={empty}
      />
      {ended.length > 0 && (
        <details class="ended">
          <summary>{`${ended.length} revoked or expired`}</summary>
          <Table
            caption={`Revoked and expired ${name}`}
            columns={[...columns, CREATED, ENDED]}
            rows={ended}
            keyOf={keyOf}
            empty=""
          />
        </details>
      )}
    </>
  );
}
