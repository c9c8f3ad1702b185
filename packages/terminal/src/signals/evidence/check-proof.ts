// Recomputes the proof of one signal in this page: hashes of its records, the note, the rules, the result. check-log.ts checks
// the rest of the log.
import type { ClosedRecord, LogEntry, PublishedRecord, SignalDetail, SignalProof } from '@tickwire/client';
import { resultOf, ZERO_RESULT } from './arithmetic.ts';
import { recordHash, sha256Hex } from './canonical.ts';
import { type CheckResult, runCheck } from './check-result.ts';
import { type CheckTicket, closingFaults, fillFaults, publicationFaults } from './rules.ts';

/** Version of the rules that this page knows. */
const RULES = 1;

/** `shown` is the signal as the page displays it. */
export function checkProof(
  proof: SignalProof,
  shown: SignalDetail,
  subtle: SubtleCrypto,
  checkTicket: CheckTicket,
): Promise<CheckResult[]> {
  const { published, closed, seals, note } = proof;
  const p = published.record as PublishedRecord;
  const c = closed === null ? null : (closed.record as ClosedRecord);
  const checkHash = (title: string, { hash, record }: LogEntry): Promise<CheckResult> =>
    runCheck(title, async (faults) => {
      const computed = await recordHash(record, subtle);
      if (computed !== hash) faults.push(`Record ${record.n} was changed: its SHA-256 is ${computed}, not ${hash}`);
      return `Record ${record.n} of the log has the SHA-256 ${hash}.`;
    });
  const checks = [checkHash('Hash of the publication', published)];
  if (closed !== null) checks.push(checkHash('Hash of the closing', closed));
  if (seals.length > 0)
    checks.push(runCheck('Seals of the price tape', (faults) => checkSeals(seals, p.symbol, faults, subtle)));
  if (p.note_sha256 !== undefined || note !== null)
    checks.push(
      runCheck('Note', async (faults) => {
        if (p.note_sha256 === undefined) faults.push('A note is shown, but none was published');
        else if (note === null) faults.push('A note was published, but it is missing');
        else if ((await sha256Hex(note, subtle)) !== p.note_sha256)
          faults.push('The note was changed after publication');
        return 'The note has the published hash.';
      }),
    );
  checks.push(
    runCheck('Same signal', (faults) => compare(p, c, shown, faults)),
    runCheck('Publication follows the rules', (faults) => {
      faults.push(...publicationFaults(p, checkTicket));
      const { bid, ask, seq } = p.quote;
      const order = p.order === 'market' ? `filled at ${p.entry_price}` : `was a ${p.order} order`;
      return `At the quote ${bid} / ${ask} (event ${seq}) it ${order}. Levels and deadlines are valid.`;
    }),
  );
  if (c !== null)
    checks.push(
      runCheck('Closing follows the rules', (faults) => {
        faults.push(...fillFaults(p, c), ...closingFaults(p, c));
        return `${decisionText(c)}. The exit price follows from it.`;
      }),
      runCheck('Pips, percent and R', (faults) => checkResultOf(p, c, faults)),
    );
  return Promise.all(checks);
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
function compare(p: PublishedRecord, c: ClosedRecord | null, shown: SignalDetail, faults: string[]): string {
  const same = (what: string, logged: unknown, displayed: unknown): void => {
    if (logged !== displayed)
      faults.push(`${what} is ${String(displayed)} on this page, but ${String(logged)} in the log`);
  };
  same('The id', p.signal, shown.id);
  same('The publisher', p.publisher, shown.publisher);
  same('The instrument', p.symbol, shown.symbol);
  same('The direction', p.direction, shown.direction);
  same('The entry', p.entry, shown.entry);
  same('The stop', p.stop_loss, shown.stop_loss);
  same('The target', p.take_profit, shown.take_profit);
  same('The time', p.at, shown.timestamp);
  if (p.rules !== RULES) faults.push(`It uses version ${p.rules} of the rules; this page knows version ${RULES}`);
  if (c !== null) {
    if (c.signal !== p.signal || c.publisher !== p.publisher || c.symbol !== p.symbol)
      faults.push('The closing belongs to another signal');
    if (c.n <= p.n) faults.push('It was closed before it was published');
    if (c.instrument.digits !== p.instrument.digits || c.instrument.pip_size !== p.instrument.pip_size)
      faults.push('Digits or pip size were changed after publication');
    if (shown.status === 'closed') {
      same('The reason', c.reason, shown.close_reason);
      same('The result in pips', c.pnl, shown.pnl);
      same('The result in R', c.pnl_r, shown.pnl_r);
      same('The exit', c.exit_price, shown.exit_price);
    }
  } else if (shown.status === 'closed') faults.push('It is shown as closed, but the log has no closing');
  return 'This page shows what the records contain.';
}

function decisionText({ decided, reason }: ClosedRecord): string {
  const price =
    decided.kind === 'quote'
      ? `The quote ${decided.bid} / ${decided.ask}`
      : decided.kind === 'trade'
        ? `A ${decided.side} at ${decided.price}`
        : `The minute from ${decided.low} to ${decided.high}`;
  const did =
    reason === 'stop_loss' ? 'hit the stop' : reason === 'take_profit' ? 'hit the target' : 'was current when it ended';
  return `${price} (event ${decided.seq}, ${decided.source}) ${did}`;
}

function checkResultOf(p: PublishedRecord, c: ClosedRecord, faults: string[]): string {
  const { digits, pip_size: pipSize } = p.instrument;
  const { direction, entry, stop_loss: stopLoss } = p;
  const { entry_price: entryPrice, exit_price: exitPrice } = c;
  const computed =
    entryPrice === null || exitPrice === null
      ? ZERO_RESULT
      : resultOf({ direction, entry, entryPrice, stopLoss, exitPrice, digits, pipSize });
  if (computed === null) {
    faults.push('The result cannot be computed from these prices');
    return '';
  }
  for (const name of ['pnl', 'pnl_percent', 'pnl_r'] as const)
    if (c[name] !== computed[name]) faults.push(`${name} is ${c[name]} in the log, but should be ${computed[name]}`);
  const { pnl, pnl_percent, pnl_r } = computed;
  const trade = entryPrice === null ? 'Not filled' : `From ${entryPrice} to ${exitPrice}`;
  return `${trade}: ${pnl} pips, ${pnl_percent} %, ${pnl_r} R, recomputed here.`.replaceAll('-', '−');
}
