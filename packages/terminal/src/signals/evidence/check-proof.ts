// Recomputes the proof of one signal in this page: hashes of its records, the note, the rules, the result. check-log.ts checks
// the rest of the log.
import type { ClosedRecord, LogEntry, PublishedRecord, SignalDetail, SignalProof } from '@tickwire/client';
import { resultOf, type Trade, ZERO_RESULT } from './arithmetic.ts';
import { recordHash, sha256Hex } from './canonical.ts';
import { type CheckResult, runCheck } from './check-result.ts';
import { isSigned, signatureIsValid } from './check-signature.ts';
import { compareWithPage } from './compare-with-page.ts';
import * as version1 from './rules-version-1.ts';
import * as version2 from './rules-version-2.ts';

type CheckTicket = version1.CheckTicket;

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
  const records = proof.records.map(({ record }) => record as version2.SignalRecord);
  const between = proof.records.filter(({ hash }) => hash !== published.hash && hash !== closed?.hash);
  const checks = [checkHashes('Hash of the publication', [published], subtle)];
  if (between.length > 0) checks.push(checkHashes('Hashes of fill, exits and requests', between, subtle));
  if (closed !== null) checks.push(checkHashes('Hash of the closing', [closed], subtle));
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
  if (records.some(isSigned)) checks.push(checkSignatures(records, subtle));
  checks.push(
    runCheck('Same signal', (faults) => compareWithPage(records, shown, faults)),
    runCheck('Publication follows the rules', (faults) => {
      const { publicationFaults } = p.rules === 1 ? version1 : version2;
      faults.push(...publicationFaults(p, checkTicket));
      const { bid, ask, seq } = p.quote;
      return `At the quote ${bid} / ${ask} (event ${seq}) it was a ${p.order} order. Levels and deadlines are valid.`;
    }),
  );
  if (p.rules !== 1 && records.length > 1)
    checks.push(
      runCheck(c === null ? 'Every step follows the rules' : 'Closing follows the rules', (faults) => {
        faults.push(...version2.courseFaults(p, records.slice(1)));
        const steps = `Each of the ${records.length} records follows from its evidence and from those before it.`;
        return c === null ? steps : `${decisionText(c)}. ${steps}`;
      }),
    );
  else if (c !== null)
    checks.push(
      runCheck('Closing follows the rules', (faults) => {
        faults.push(...version1.fillFaults(p, c), ...version1.closingFaults(p, c));
        return `${decisionText(c)}. The exit price follows from it.`;
      }),
    );
  if (c !== null) checks.push(runCheck('Pips, percent and R', (faults) => checkResultOf(p, c, records, faults)));
  return Promise.all(checks);
}

function checkHashes(title: string, entries: readonly LogEntry[], subtle: SubtleCrypto): Promise<CheckResult> {
  return runCheck(title, async (faults) => {
    for (const { hash, record } of entries) {
      const computed = await recordHash(record, subtle);
      if (computed !== hash) faults.push(`Record ${record.n} was changed: its SHA-256 is ${computed}, not ${hash}`);
    }
    const [{ hash, record } = { hash: '', record: { n: 0 } }] = entries;
    if (entries.length === 1) return `Record ${record.n} of the log has the SHA-256 ${hash}.`;
    return `Records ${entries.map((entry) => entry.record.n).join(', ')} of the log have their hashes.`;
  });
}

async function checkSignatures(records: readonly version2.SignalRecord[], subtle: SubtleCrypto): Promise<CheckResult> {
  const title = 'Signatures of the publisher';
  const signed = records.filter(isSigned);
  const valid = await Promise.all(signed.map((record) => signatureIsValid(record, subtle)));
  if (valid.includes(null))
    return { title, outcome: 'unavailable', text: 'This browser cannot verify Ed25519 signatures.' };
  return runCheck(title, (faults) => {
    for (const [index, { n }] of signed.entries())
      if (!valid[index]) faults.push(`The signature of record ${n} is not valid`);
    const key = signed[0]!.signed.public_key;
    return `${signed.length === 1 ? 'One request is' : `${signed.length} requests are`} signed with the key ${key}.`;
  });
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

function checkResultOf(
  p: PublishedRecord,
  c: ClosedRecord,
  records: readonly version2.SignalRecord[],
  faults: string[],
): string {
  const { digits, pip_size: pipSize } = p.instrument;
  const { direction, entry, stop_loss: stopLoss, rules } = p;
  const { entry_price: entryPrice, exit_price: exitPrice } = c;
  const partial = records.flatMap((record) => (record.type === 'exited' ? [record] : []));
  const last = rules === 1 ? exitPrice !== null && { price: exitPrice, fraction: 1 } : c.last_exit;
  const exits: Trade['exits'] = last ? [...partial, last] : partial;
  const computed =
    entryPrice === null || exitPrice === null
      ? ZERO_RESULT
      : resultOf({ direction, entry, entryPrice, stopLoss, exits, rules, digits, pipSize });
  if (computed === null) {
    faults.push('The result cannot be computed from these prices');
    return '';
  }
  for (const name of ['pnl', 'pnl_percent', 'pnl_r'] as const)
    if (c[name] !== computed[name]) faults.push(`${name} is ${c[name]} in the log, but should be ${computed[name]}`);
  const { pnl, pnl_percent, pnl_r } = computed;
  const trade =
    entryPrice === null ? 'Not filled' : `From ${entryPrice} to ${exits.map(({ price }) => price).join(', ')}`;
  return `${trade}: ${pnl} pips, ${pnl_percent} %, ${pnl_r} R, recomputed here.`.replaceAll('-', '−');
}
