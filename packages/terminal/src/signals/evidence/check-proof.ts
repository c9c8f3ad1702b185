// Recomputes the proof of one signal in this page: hashes of its records, the note, the rules, the result. check-log.ts checks
// the rest of the log.
import type { ClosedRecord, LogEntry, PublishedRecord, SignalDetail, SignalProof } from '@tickwire/client';

import { meanPrice, resultOf, type TradeExit, ZERO_RESULT } from './arithmetic.ts';
import { recordHash, sha256Hex } from './canonical.ts';
import { type CheckResult, runCheck } from './check-result.ts';
import { type CheckTicket, closingFaults, fillFaults, publicationFaults } from './rules.ts';
import { SignalLife } from './signal-life.ts';

/** Versions of the rules that this page knows. */
const RULES = [1, 2];

type VoidedRecord = Extract<LogEntry['record'], { type: 'voided' }>;

/** `shown` is the signal as the page displays it. */
export function checkProof(
  proof: SignalProof,
  shown: SignalDetail,
  subtle: SubtleCrypto,
  checkTicket: CheckTicket,
): Promise<CheckResult[]> {
  const { published, closed, seals, note, records } = proof;
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
  const between = records.filter(({ record }) => record.n !== published.record.n && record.n !== closed?.record.n);
  if (between.length > 0)
    checks.push(
      runCheck('Hashes of the records between', async (faults) => {
        for (const { hash, record } of between)
          if ((await recordHash(record, subtle)) !== hash) faults.push(`Record ${record.n} was changed`);
        return `${between.length === 1 ? 'One more record about it has its hash' : `${between.length} more records about it have their hashes`}.`;
      }),
    );
  if (p.rules > 1) checks.push(runCheck('Order in time', (faults) => checkOrder(proof, faults)));
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
    runCheck('Same signal', (faults) => compare(p, c, voidOf(records), shown, faults)),
    runCheck('Publication follows the rules', (faults) => {
      faults.push(...publicationFaults(p, checkTicket));
      const { bid, ask, seq } = p.quote;
      const order = p.entry_price === undefined ? `was a ${p.order} order` : `filled at ${p.entry_price}`;
      return `At the quote ${bid} / ${ask} (event ${seq}) it ${order}. Levels and deadlines are valid.`;
    }),
  );
  if (p.rules > 1) checks.push(...checkLife(p, c, records));
  else if (c !== null)
    checks.push(
      runCheck('Closing follows the rules', (faults) => {
        faults.push(...fillFaults(p, c), ...closingFaults(p, c));
        return `${decisionText(c)}. The exit price follows from it.`;
      }),
      runCheck('Pips, percent and R', (faults) =>
        checkResultOf(p, c, c.exit_price === null ? [] : [{ fraction: 1, price: c.exit_price }], faults),
      ),
    );
  return Promise.all(checks);
}

/** Rules version 2: every record follows from the evidence in it and from the records before. */
function checkLife(p: PublishedRecord, c: ClosedRecord | null, records: readonly LogEntry[]): Promise<CheckResult>[] {
  const life = new SignalLife(p);
  const rules = runCheck(`${c ? 'Closing follows' : 'Fill and exits follow'} the rules`, (faults) => {
    for (const { record } of records) if (record.n !== p.n) life.add(record);
    faults.push(...life.faults);
    const { length } = life.exits;
    if (!c)
      return `${life.entryPrice === null ? 'Not filled yet' : `Filled at ${life.entryPrice}`}, ${length} targets hit.`;
    return `${decisionText(c)}. ${length > 1 ? `All ${length} exits follow` : 'The exit price follows'} from the evidence.`;
  });
  if (!c) return [rules];
  // The exits are known once the records have been followed.
  return [
    rules,
    rules.then(() => runCheck('Pips, percent and R', (faults) => checkResultOf(p, c, life.exits, faults))),
  ];
}

/** Records are in order, none is older than the one before, and their quotes do not get older. */
function checkOrder({ records, published, closed }: SignalProof, faults: string[]): string {
  if (records[0]?.hash !== published.hash) faults.push('The first record is not the publication');
  if (closed && !records.some(({ hash }) => hash === closed.hash)) faults.push('The closing is not among the records');
  let before: LogEntry['record'] | null = null;
  let seq = -1;
  for (const { record } of records) {
    if (before && (record.n <= before.n || record.at < before.at))
      faults.push(`Record ${record.n} is older than record ${before.n}`);
    if ('quote' in record) {
      if (record.quote.seq < seq) faults.push(`The quote of record ${record.n} is older than one before it`);
      seq = record.quote.seq;
    }
    before = record;
  }
  return `${records.length} records, written from ${records[0]?.record.at} to ${before?.at}, are in order.`;
}

const voidOf = (records: readonly LogEntry[]): VoidedRecord | null => {
  const found = records.find(({ record }) => record.type === 'voided');
  return found ? (found.record as VoidedRecord) : null;
};

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
function compare(
  p: PublishedRecord,
  c: ClosedRecord | null,
  voided: VoidedRecord | null,
  shown: SignalDetail,
  faults: string[],
): string {
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
  if (!RULES.includes(p.rules))
    faults.push(`It uses version ${p.rules} of the rules; this page knows ${RULES.join(' and ')}`);
  if (c !== null) {
    if (c.signal !== p.signal || c.publisher !== p.publisher || c.symbol !== p.symbol)
      faults.push('The closing belongs to another signal');
    if (c.n <= p.n) faults.push('It was closed before it was published');
    if (c.instrument.digits !== p.instrument.digits || c.instrument.pip_size !== p.instrument.pip_size)
      faults.push('Digits or pip size were changed after publication');
    if (shown.status === 'closed' && !voided) {
      same('The reason', c.reason, shown.close_reason);
      same('The result', c.pnl, shown.pnl);
      same('The result in R', c.pnl_r, shown.pnl_r);
      same('The exit', c.exit_price, shown.exit_price);
    }
  } else if (shown.status === 'closed' && !voided) faults.push('It is shown as closed, but the log has no closing');
  if (voided && (shown.status !== 'closed' || shown.close_reason !== 'voided' || shown.pnl !== 0 || shown.pnl_r !== 0))
    faults.push('An operator voided it, but it is shown with a result');
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

function checkResultOf(p: PublishedRecord, c: ClosedRecord, exits: readonly TradeExit[], faults: string[]): string {
  const { digits, pip_size: pipSize } = p.instrument;
  const { rules, direction, entry, stop_loss: stopLoss } = p;
  const { entry_price: entryPrice, exit_price: exitPrice } = c;
  const computed =
    entryPrice === null || exitPrice === null
      ? ZERO_RESULT
      : resultOf({ rules, direction, entry, entryPrice, stopLoss, exits, digits, pipSize });
  if (computed === null) {
    faults.push('The result cannot be computed from these prices');
    return '';
  }
  if (exitPrice !== null && exitPrice !== meanPrice(exits, digits))
    faults.push('exit_price is not the mean of the exits');
  for (const name of ['pnl', 'pnl_percent', 'pnl_r'] as const)
    if (c[name] !== computed[name]) faults.push(`${name} is ${c[name]} in the log, but should be ${computed[name]}`);
  const { pnl, pnl_percent, pnl_r } = computed;
  const trade = entryPrice === null ? 'Not filled' : `From ${entryPrice} to ${exitPrice}`;
  return `${trade}: pnl ${pnl}, ${pnl_percent} %, ${pnl_r} R, recomputed here.`.replaceAll('-', '−');
}
