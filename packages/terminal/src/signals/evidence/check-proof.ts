// Checks the records of one signal: their hashes and order, the seals of the tape, the note, and that the page shows what they
// contain. check-log.ts checks the rest of the log. Whether the ticks lead to the result is not judged here.
import type { LogEntry, LogRecord, SignalDetail, SignalProof } from '@tickwire/client';
import { recordHash, sha256Hex } from './canonical.ts';
import { type CheckResult, runCheck } from './check-result.ts';

type RecordOf<T extends LogRecord['type']> = Extract<LogRecord, { readonly type: T }>;

/** `shown` is the signal as the page displays it; `describe` states what a record contains, ticks included. */
export function checkProof(
  proof: SignalProof,
  shown: SignalDetail,
  subtle: SubtleCrypto,
  describe: (record: LogRecord) => string,
): Promise<CheckResult[]> {
  const { records, seals, note } = proof;
  const checks = records.map(({ hash, record }) =>
    runCheck(`Record ${record.n}: ${record.type.replace('_', ' ')}`, async (faults) => {
      const computed = await recordHash(record, subtle);
      if (computed !== hash) faults.push(`Record ${record.n} was changed: its SHA-256 is ${computed}, not ${hash}`);
      return `${describe(record)}. Hash: ${hash}.`;
    }),
  );
  checks.push(runCheck('Order in time', (faults) => checkOrder(proof, faults)));
  if (seals.length > 0)
    checks.push(runCheck('Seals of the price tape', (faults) => checkSeals(seals, shown.symbol, faults, subtle)));
  const published = find(records, 'published');
  if (published?.note_sha256 !== undefined || note !== null)
    checks.push(
      runCheck('Note', async (faults) => {
        if (published?.note_sha256 === undefined) faults.push('A note is shown, but none was published');
        else if (note === null) faults.push('A note was published, but it is missing');
        else if ((await sha256Hex(note, subtle)) !== published.note_sha256)
          faults.push('The note was changed after publication');
        return 'The note matches the published hash.';
      }),
    );
  checks.push(runCheck('Same signal', (faults) => compare(records, shown, faults)));
  return Promise.all(checks);
}

function find<T extends LogRecord['type']>(records: readonly LogEntry[], type: T): RecordOf<T> | undefined {
  return records.map(({ record }) => record).find((record): record is RecordOf<T> => record.type === type);
}

/** The first record is the publication, and none is older than the one before. */
function checkOrder({ records, published, closed }: SignalProof, faults: string[]): string {
  if (records[0]?.hash !== published.hash) faults.push('The first record is not the publication');
  if (closed && !records.some(({ hash }) => hash === closed.hash)) faults.push('The closing is not among the records');
  for (const [index, { record }] of records.entries()) {
    const before = records[index - 1]?.record;
    if (before && (record.n <= before.n || record.at < before.at))
      faults.push(`Record ${record.n} is older than record ${before.n}`);
  }
  return `${records.length === 1 ? 'One record' : `${records.length} records`}, written from ${records[0]?.record.at} to ${records.at(-1)?.record.at}.`;
}

async function checkSeals(
  seals: readonly LogEntry[],
  symbol: string,
  faults: string[],
  subtle: SubtleCrypto,
): Promise<string> {
  const days: string[] = [];
  for (const { hash, record } of seals) {
    if ((await recordHash(record, subtle)) !== hash) faults.push(`The seal in record ${record.n} was changed`);
    if (record.type === 'tape' && record.symbol === symbol) days.push(record.day);
    else faults.push(`Record ${record.n} is not a seal of ${symbol}`);
  }
  return `The log seals the ticks of ${symbol} for ${days.join(', ')}.`;
}

/** The records belong to the displayed signal and contain the same values. */
function compare(records: readonly LogEntry[], shown: SignalDetail, faults: string[]): string {
  const same = (what: string, logged: unknown, displayed: unknown): void => {
    if (logged !== displayed)
      faults.push(`${what} is ${String(displayed)} on this page, but ${String(logged)} in the log`);
  };
  for (const { record } of records)
    if (!('signal' in record) || record.signal !== shown.id || record.publisher !== shown.publisher)
      faults.push(`Record ${record.n} belongs to another signal`);
  const [published, closed, voided] = [
    find(records, 'published'),
    find(records, 'closed'),
    find(records, 'voided'),
  ] as const;
  same('The instrument', published?.symbol, shown.symbol);
  same('The direction', published?.direction, shown.direction);
  same('The entry', published?.entry, shown.entry);
  same('The stop', published?.stop_loss, shown.stop_loss);
  same('The target', published?.take_profit, shown.take_profit);
  same('The time', published?.at, shown.timestamp);
  if (voided) {
    if (shown.status !== 'closed' || shown.close_reason !== 'voided' || shown.pnl !== 0 || shown.pnl_r !== 0)
      faults.push('An operator voided it, but it is shown with a result');
  } else if (shown.status === 'closed') {
    same('The reason', closed?.reason, shown.close_reason);
    same('The result', closed?.pnl, shown.pnl);
    same('The result in R', closed?.pnl_r, shown.pnl_r);
    same('The exit', closed?.exit_price, shown.exit_price);
  }
  return 'This page shows what the records contain.';
}
