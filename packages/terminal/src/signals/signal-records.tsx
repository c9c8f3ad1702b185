// What has happened to a signal, record by record of the log: the only complete list of its amendments and exits.
import type { CoreClient, LogEntry, LogRecord, SignalDetail } from '@tickwire/client';
import { NO_VALUE, setNumber } from '../ui/format.ts';
import { exactly } from '../ui/relative-time.ts';
import { RemoteSection, useRemote } from '../ui/remote.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { eventText, pricesOf, tickOf } from './record-text.ts';
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
  const columns: readonly Column<LogEntry>[] = [
    { head: 'Event', cell: ({ record }) => eventText(record, digits) },
    {
      head: 'Time',
      cell: ({ record }) => <time dateTime={timeOf(record)}>{exactly(Date.parse(timeOf(record)))}</time>,
    },
    { head: 'Decided by', cell: ({ record }) => decidedBy(record, digits) },
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

/** The price in the record, with its source. */
function decidedBy(record: LogRecord, digits: number): string {
  const tick = tickOf(record);
  return tick ? `${pricesOf(tick, digits)}, ${tick.source}` : NO_VALUE;
}
