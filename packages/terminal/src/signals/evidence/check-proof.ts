// Recomputes the proof of one signal in this page: hashes of its records, the note, the rules, the result. What takes the rest
// of the log is in check-log.ts.
import type { LogEntry, SignalDetail, SignalProof } from '@tickwire/client';
import { NOTHING_WON, resultOf } from './arithmetic.ts';
import { recordHash, sha256 } from './canonical.ts';
import { endFaults, fillFaults, publicationFaults } from './judgement.ts';
import { attempt, type ClosedRecord, type PublishedRecord, type Step, stepOf } from './step.ts';

/** The rules that this page knows. */
const RULES = 1;

export async function checkProof(proof: SignalProof, shown: SignalDetail, subtle: SubtleCrypto): Promise<Step[]> {
  const { published, closed, seals, note } = proof;
  const p = published.record as PublishedRecord;
  const c = closed === null ? null : (closed.record as ClosedRecord);
  return [
    await hashStep('Hash of the publication', published, subtle),
    ...(closed === null ? [] : [await hashStep('Hash of the closing', closed, subtle)]),
    ...(seals.length === 0 ? [] : [await sealStep(seals, p.symbol, subtle)]),
    ...(p.note_sha256 === undefined && note === null ? [] : [await noteStep(p, note, subtle)]),
    await attempt(BELONGS, () => belongs(p, c, shown)),
    await attempt(ACCEPTED, () => accepted(p)),
    ...(c === null ? [] : [await attempt(ENDED, () => ended(p, c)), await attempt(RESULT, () => result(p, c))]),
  ];
}

const BELONGS = 'Same signal';
const ACCEPTED = 'Publication by the rules';
const ENDED = 'What ended it';
const RESULT = 'Pips, percent and R';

function hashStep(title: string, { hash, record }: LogEntry, subtle: SubtleCrypto): Promise<Step> {
  return attempt(title, async () => {
    const computed = await recordHash(record, subtle);
    const faults = computed === hash ? [] : [`Record ${record.n} was changed: its SHA-256 is ${computed}, not ${hash}`];
    return stepOf(title, `Record ${record.n} of the log: SHA-256 ${hash}`, faults);
  });
}

function sealStep(seals: readonly LogEntry[], symbol: string, subtle: SubtleCrypto): Promise<Step> {
  const title = 'Seals of the price tape';
  return attempt(title, async () => {
    const faults: string[] = [];
    for (const { hash, record } of seals) {
      if ((await recordHash(record, subtle)) !== hash) faults.push(`Record ${record.n}, a seal, was changed`);
      if (record.type !== 'tape' || record.symbol !== symbol) faults.push(`Record ${record.n} is no seal of ${symbol}`);
    }
    const days = seals.map(({ record }) => (record.type === 'tape' ? record.day : '')).join(', ');
    return stepOf(title, `The ticks of ${symbol} are sealed in the log for ${days}`, faults);
  });
}

function noteStep({ note_sha256 }: PublishedRecord, note: string | null, subtle: SubtleCrypto): Promise<Step> {
  const title = 'The note';
  return attempt(title, async () => {
    if (note_sha256 === undefined) return stepOf(title, '', ['A note is shown, but none was published']);
    if (note === null) return stepOf(title, '', ['A note was published, but it is missing']);
    const same = (await sha256(note, subtle)) === note_sha256;
    return stepOf(title, 'Its text has the hash that was published', same ? [] : ['Its text was changed afterwards']);
  });
}

/** The records are those of the signal that the page shows, and say the same. */
function belongs(p: PublishedRecord, c: ClosedRecord | null, shown: SignalDetail): Step {
  const faults: string[] = [];
  const same = (what: string, one: unknown, other: unknown): void => {
    if (one !== other) faults.push(`${what} is ${String(other)} on this page, but ${String(one)} in the log`);
  };
  same('The id', p.signal, shown.id);
  same('The publisher', p.publisher, shown.publisher);
  same('The instrument', p.symbol, shown.symbol);
  same('The direction', p.direction, shown.direction);
  same('The entry', p.entry, shown.entry);
  same('The stop', p.stop_loss, shown.stop_loss);
  same('The target', p.take_profit, shown.take_profit);
  same('The time', p.at, shown.timestamp);
  if (p.rules !== RULES) faults.push(`It goes by version ${p.rules} of the rules, and this page knows ${RULES}`);
  if (c !== null) {
    if (c.signal !== p.signal || c.publisher !== p.publisher || c.symbol !== p.symbol)
      faults.push('The closing is that of another signal');
    if (c.n <= p.n) faults.push('It was closed before it was published');
    if (c.instrument.digits !== p.instrument.digits || c.instrument.pip_size !== p.instrument.pip_size)
      faults.push('Digits or pip size were changed after publication');
    if (shown.status === 'closed') {
      same('The reason', c.reason, shown.close_reason);
      same('The result in pips', c.pnl, shown.pnl);
      same('The result in R', c.pnl_r, shown.pnl_r);
      same('The exit', c.exit_price, shown.exit_price);
    }
  } else if (shown.status === 'closed') faults.push('It is called closed, but no closing is in the log');
  return stepOf(BELONGS, 'What this page shows is what the records say', faults);
}

function accepted(p: PublishedRecord): Step {
  const { bid, ask } = p.quote;
  const kind = p.order === 'market' ? `filled at ${p.entry_price}` : `became a ${p.order} entry`;
  const text = `Against the quote ${bid} / ${ask} (event ${p.quote.seq}) it ${kind}; levels and deadlines are in order`;
  return stepOf(ACCEPTED, text, publicationFaults(p));
}

function ended(p: PublishedRecord, c: ClosedRecord): Step {
  const faults = [...fillFaults(p, c), ...endFaults(p, c)];
  return stepOf(ENDED, `${said(c)}, and the exit price follows from it by the rules`, faults);
}

function said({ decided: e, reason }: ClosedRecord): string {
  const what =
    e.kind === 'quote'
      ? `The quote ${e.bid} / ${e.ask}`
      : e.kind === 'trade'
        ? `A ${e.side} at ${e.price}`
        : `The minute from ${e.low} to ${e.high}`;
  const did = { stop_loss: 'met the stop', take_profit: 'met the target' } as const;
  const verb = reason === 'stop_loss' || reason === 'take_profit' ? did[reason] : 'was what stood when it ended';
  return `${what} (event ${e.seq}, ${e.source}) ${verb}`;
}

function result(p: PublishedRecord, c: ClosedRecord): Step {
  const { digits, pip_size: pipSize } = p.instrument;
  const computed =
    c.entry_price === null || c.exit_price === null
      ? NOTHING_WON
      : resultOf({
          direction: p.direction,
          entry: p.entry,
          entryPrice: c.entry_price,
          stopLoss: p.stop_loss,
          exitPrice: c.exit_price,
          digits,
          pipSize,
        });
  if (computed === null) return stepOf(RESULT, '', ['It cannot be worked out from these prices']);
  const faults = (['pnl', 'pnl_percent', 'pnl_r'] as const)
    .filter((name) => c[name] !== computed[name])
    .map((name) => `${name} is ${c[name]} in the log, but comes to ${computed[name]}`);
  const from = c.entry_price === null ? 'It never filled' : `From ${c.entry_price} to ${c.exit_price}`;
  const { pnl, pnl_percent, pnl_r } = computed;
  const text = `${from}: ${pnl} pips, ${pnl_percent} %, ${pnl_r} R, worked out again here`.replaceAll('-', '−');
  return stepOf(RESULT, text, faults);
}
