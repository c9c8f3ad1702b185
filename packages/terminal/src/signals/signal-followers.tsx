// What followers of one closed signal would have had who acted some seconds later.
import type { CoreClient, SignalDetail } from '@tickwire/client';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { Signed } from '../ui/signed.tsx';
import { Facts } from '../ui/table.tsx';
import { delayText, hasResult, inR } from './labels.ts';
import { SignalPanel } from './signal-parts.tsx';

/** The service computes results for this number of a publisher's newest closed signals. */
const LIMIT = 200;
/** A quote for the longest delay comes within this time, or much later. */
const SETTLED_MS = 120_000;
const REFRESH_MS = 10_000;

interface Props {
  readonly client: CoreClient;
  readonly signal: SignalDetail;
}

/** Only for signals with a result. */
export function SignalFollowers({ client, signal }: Props) {
  if (!hasResult(signal)) return null;
  return <DelayedResults client={client} user={signal.user} id={signal.id} closedAt={Date.parse(signal.closed_at)} />;
}

interface ClosedProps extends Pick<Props, 'client'> {
  readonly user: string;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly closedAt: number;
}

function DelayedResults({ client, user, id, closedAt }: ClosedProps) {
  const results = useRemote((signal) => client.publisherFollowers(user, { limit: LIMIT, signal }), [id]);
  const followed = results.data?.items.find((item) => item.id === id);
  const isSettled = Date.now() > closedAt + SETTLED_MS || followed?.follower_r.every((r) => r !== null) === true;
  return (
    <SignalPanel title="For followers: result with a delay">
      <RemoteSection remote={results} {...(!isSettled && { everyMs: REFRESH_MS })}>
        {({ delays }) => {
          if (!followed)
            return <p class="hint">{`Only known for the newest ${LIMIT} closed signals of a publisher.`}</p>;
          const { pnl_r, follower_r } = followed;
          return (
            <Facts
              entries={delays.map(({ seconds }, index) => {
                const r = index === 0 ? pnl_r : (follower_r[index - 1] ?? null);
                return [
                  delayText(seconds),
                  r === null ? 'unknown: the tape has no later quote' : <Signed key="" text={inR(r)} />,
                ];
              })}
            />
          );
        }}
      </RemoteSection>
      <p class="hint">
        Entry and exits are at the first quote that comes at least this much later. Fees are not included.
      </p>
    </SignalPanel>
  );
}
