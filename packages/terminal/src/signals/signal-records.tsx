// What has happened to a signal, record by record of the log: the only complete list of its amendments and exits.
import type { CoreClient, Evidence, LogEntry, LogRecord, SignalDetail } from '@tickwire/client';
import { NO_VALUE, price, setNumber } from '../ui/format.ts';
import { exactly } from '../ui/relative-time.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { partText, REASONS } from './labels.ts';
import { SignalPanel } from './signal-parts.tsx';

interface Props {
  readonly client: CoreClient;
  readonly signal: SignalDetail;
  readonly digits: number;
}

export function SignalRecords({ client, signal, digits }: Props) {
  const { id, state, exits, current_stop_loss, close_requested_at, voided_at } = signal;
  const proof = useRemote(
    (end) => client.signalProof(id, { signal: end }),
    // Each of these is a new record.
    [id, state, exits.length, current_stop_loss, close_requested_at, voided_at],
  );
  const at = (value: number | null): string => price(value, digits);
  const columns: readonly Column<LogEntry>[] = [
    { head: 'Event', cell: ({ record }) => eventText(record, at) },
    {
      head: 'Time',
      cell: ({ record }) => <time dateTime={timeOf(record)}>{exactly(Date.parse(timeOf(record)))}</time>,
    },
    { head: 'Decided by', cell: ({ record }) => evidenceText(record, at) },
    {
      head: 'Record',
      cell: ({ record }) => (
        <span class="chips">
          {'signed' in record && record.signed && <span class="chip good">signed</span>}
          {setNumber(String(record.n))}
        </span>
      ),
      numeric: true,
    },
  ];
  return (
    <SignalPanel title="Records in the log">
      <RemoteSection remote={proof}>
        {({ records }) => (
          <Table caption="Records" columns={columns} rows={records} keyOf={({ record }) => record.n} empty="" />
        )}
      </RemoteSection>
    </SignalPanel>
  );
}

/** When it happened in the market, which may be before it was written. */
function timeOf(record: LogRecord): string {
  if (record.type === 'filled') return record.filled_at;
  if (record.type === 'exited') return record.exited_at;
  return record.type === 'closed' ? record.closed_at : record.at;
}

function eventText(record: LogRecord, at: (price: number | null) => string): string {
  switch (record.type) {
    case 'published':
      return `Published, ${record.order} order`;
    case 'filled':
      return `Filled at ${at(record.entry_price)}`;
    case 'exited':
      return `Target ${record.target} hit: ${partText(record.fraction)} out at ${at(record.price)}`;
    case 'amended':
      return `Stop tightened to ${at(record.stop_loss)}`;
    case 'close_requested':
      return 'Close requested';
    case 'closed': {
      const { last_exit: last, reason } = record;
      return last ? `${REASONS[reason]}: ${partText(last.fraction)} out at ${at(last.price)}` : REASONS[reason];
    }
    case 'voided':
      return `Voided: ${record.reason}`;
    default:
      return record.type;
  }
}

/** The price in the record, with its source. */
function evidenceText(record: LogRecord, at: (price: number | null) => string): string {
  const evidence: Evidence | null =
    'decided' in record
      ? record.decided
      : 'filled' in record
        ? record.filled
        : 'quote' in record
          ? { ...record.quote, kind: 'quote' }
          : null;
  if (!evidence) return NO_VALUE;
  const prices =
    evidence.kind === 'quote'
      ? `${at(evidence.bid)} / ${at(evidence.ask)}`
      : evidence.kind === 'trade'
        ? `trade at ${at(evidence.price)}`
        : `minute ${at(evidence.low)} to ${at(evidence.high)}`;
  return `${prices}, ${evidence.source}`;
}
