// What followers of a publisher would have had who acted some seconds later: by delay, and for each signal.
import type { CoreClient, FollowedSignal, FollowerDelay, FollowerResults } from '@tickwire/client';
import { delayText, inR } from '../signals/labels.ts';
import { SignalPanel } from '../signals/signal-parts.tsx';
import { pathOf } from '../ui/address.ts';
import { NO_VALUE, signedFigure } from '../ui/format.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { Signed } from '../ui/signed.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { asPercent } from './figures.ts';

/** Closed signals to look at. */
const LIMIT = 100;

interface Props {
  readonly client: CoreClient;
  readonly name: string;
  /** Number of closed signals: another one may change the results. */
  readonly closed: number;
}

export function Followers({ client, name, closed }: Props) {
  const results = useRemote((signal) => client.publisherFollowers(name, { limit: LIMIT, signal }), [closed]);
  return (
    <SignalPanel title="For followers: results with a delay">
      <RemoteSection remote={results}>{(loaded) => <Loaded {...loaded} />}</RemoteSection>
    </SignalPanel>
  );
}

function Loaded({ delays, items, count, unknown }: FollowerResults) {
  const known = count - unknown;
  if (count === 0) return <p class="empty-note">No signal was filled and has closed yet.</p>;
  return (
    <>
      {known > 0 && (
        <Table
          caption="Delays"
          columns={delayColumns(delays)}
          rows={delays}
          keyOf={({ seconds }) => seconds}
          empty=""
          compact
        />
      )}
      <p class="hint">
        {`${countText(known, count)} A follower enters and exits at the first quote that comes at least this much later than each
        fill and exit. Effect: R per signal, compared with the publisher’s. Fees are not included.`}
      </p>
      <details class="ended">
        <summary>By signal</summary>
        <Table
          caption="Followed signals"
          columns={signalColumns(delays)}
          rows={items}
          keyOf={({ id }) => id}
          empty=""
          compact
        />
      </details>
    </>
  );
}

const countText = (known: number, count: number): string =>
  known === count
    ? `${count === 1 ? 'One closed signal' : `The newest ${count} closed signals`}.`
    : `${known} of the newest ${count} closed signals: those for which the tape has the prices of every delay. ${count - known} results are unknown and not in the averages.`;

function delayColumns(delays: readonly FollowerDelay[]): readonly Column<FollowerDelay>[] {
  const published = delays[0]?.average_r ?? null;
  return [
    { head: 'Delay', cell: ({ seconds }) => delayText(seconds) },
    { head: 'Per signal', cell: ({ average_r }) => <Signed text={inR(average_r)} />, numeric: true },
    {
      head: 'Effect',
      cell: ({ seconds, average_r }) =>
        seconds === 0 || average_r === null || published === null ? (
          NO_VALUE
        ) : (
          <Signed text={`${signedFigure(average_r - published, 3)} R`} />
        ),
      numeric: true,
    },
    { head: 'Total', cell: ({ total_r }) => <Signed text={inR(total_r)} />, numeric: true },
    { head: 'Win rate', cell: ({ win_rate }) => asPercent(win_rate), numeric: true },
  ];
}

/** The published result, then one column for each delay. */
const signalColumns = (delays: readonly FollowerDelay[]): readonly Column<FollowedSignal>[] => [
  {
    head: 'Signal',
    cell: ({ id, symbol, closed_at }) => (
      <span class="stacked">
        <a class="signal-link" href={pathOf('signals', id)}>
          {symbol}
        </a>
        <span class="hint">
          <RelativeTime at={closed_at} />
        </span>
      </span>
    ),
  },
  ...delays.map(({ seconds }, index) => ({
    head: delayText(seconds),
    cell: ({ pnl_r, follower_r }: FollowedSignal) => (
      <Signed text={inR(index === 0 ? pnl_r : (follower_r[index - 1] ?? null))} />
    ),
    numeric: true,
  })),
];
