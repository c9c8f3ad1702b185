// Forgeries of a signal log by somebody who has its key: the operator. Each has correct hashes, new signed heads and, where it says so,
// a new seal. The suite says what every verifier must find, and what it must say is not proved.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { canonicalJson, type LogHead, RULES_VERSION } from '@tickwire/contract';
import { sha256Hex } from '../../src/ops/sha256.ts';
import { evidenceText } from '../../src/signals/verify/evidence-file.ts';
import type { EvidenceLine } from '../../src/signals/verify/evidence-line.ts';
import type { FindingCode } from '../../src/signals/verify/findings.ts';
import type { UnprovedCode } from '../../src/signals/verify/not-proved.ts';
import { randomLog } from './random-log.fixture.ts';
import { type Draft, rewritten } from './tampering.fixture.ts';

export const DAY = '2026-03-02';
const SYMBOL = 'XAUUSD';
const SEALED_AT = '2026-03-03T00:15:00.000Z';

type Lines = ReturnType<typeof rewritten>;

export interface ForgedLog {
  readonly name: string;
  readonly lines: Lines;
  /** The head that the service serves. */
  readonly head: LogHead;
  /** Heads that somebody else kept before the forgery. */
  readonly outside: readonly LogHead[];
  /** The sealed file and the tape that the service serves; `null` if it serves none. */
  readonly tape: readonly EvidenceLine[] | null;
  readonly findings: readonly FindingCode[];
  readonly notProved: readonly UnprovedCode[];
  readonly status: number;
}

interface Forgery {
  readonly edit?: (drafts: Draft[]) => void;
  readonly tape?: (lines: EvidenceLine[]) => EvidenceLine[] | null;
  /** Seals the changed tape. Default: the seal is that of the true tape. */
  readonly reseals?: boolean;
  readonly outside?: boolean;
  readonly headAt?: string;
  readonly findings?: readonly FindingCode[];
  readonly notProved?: readonly UnprovedCode[];
  readonly status?: number;
}

const ALWAYS = ['no_time_stamp', 'operator_keys', 'declared_gaps'] as const;
const ALONE = ['no_outside_head', ...ALWAYS] as const;
/** Two days after the deadlines of all signals that have one within minutes. */
const LATER = '2026-03-05T00:00:00.000Z';

const isOf = (signal: unknown) => (draft: Draft) => draft.signal === signal;
const closings = (drafts: readonly Draft[]): Draft[] => drafts.filter(({ type }) => type === 'closed');
const remove = (drafts: Draft[], unwanted: (draft: Draft) => boolean): void => {
  for (let index = drafts.length - 1; index >= 0; index--) if (unwanted(drafts[index]!)) drafts.splice(index, 1);
};
const isFilledLoser = (draft: Draft): boolean => draft.reason === 'expired' && (draft.pnl_r as number) < 0;
const isWinner = (draft: Draft): boolean => (draft.pnl_r as number) > 0;
/** An unsigned winner that nothing else depends on. */
const winnerOf = (drafts: readonly Draft[]): Draft =>
  closings(drafts).find((draft) => isWinner(draft) && draft.publisher === 'pub_two' && !draft.gap_from)!;

/** Losers that expired stay active for ever. */
function keepLosersActive(drafts: Draft[]): void {
  const losers = new Set(
    closings(drafts)
      .filter(isFilledLoser)
      .map(({ signal }) => signal),
  );
  remove(drafts, ({ type, signal }) => losers.has(signal) && type !== 'published');
}

/** A closing by a tick of the publisher's own, which the log says came from the feed. */
function relabel(drafts: Draft[]): void {
  for (const draft of drafts) {
    if (draft.type === 'closed') delete draft.self_sourced;
    for (const field of ['quote', 'filled', 'decided']) {
      const evidence = draft[field] as { source: string } | null | undefined;
      if (evidence?.source.startsWith('push:')) draft[field] = { ...evidence, source: 'sim' };
    }
  }
}

const relabelled = (lines: EvidenceLine[]): EvidenceLine[] =>
  lines.map((line) => ('source' in line ? { ...line, source: 'sim' } : line));
const unseal = (drafts: Draft[]): void => remove(drafts, ({ type }) => type === 'tape');
const gapIntoWinners = (drafts: Draft[]): void => {
  const { publisher } = winnerOf(drafts);
  for (const draft of closings(drafts))
    if (isWinner(draft) && draft.publisher === publisher && !draft.gap_from)
      Object.assign(draft, { gap_from: draft.closed_at, gap_to: draft.closed_at });
};
/** An unsigned market order that filled with some slippage and ended, with its records. */
function slippedOrder(drafts: readonly Draft[], isWanted: (closed: Draft) => boolean): Readonly<Record<string, Draft>> {
  for (const published of drafts) {
    if (typeof published.max_slippage !== 'number' || published.signed) continue;
    const records = drafts.filter(isOf(published.signal));
    const [filled, closed] = ['filled', 'closed'].map((wanted) => records.find(({ type }) => type === wanted));
    if (filled && closed && filled.entry_price !== published.entry && isWanted(closed))
      return { published, filled, closed };
  }
  throw new Error('the log has no such market order');
}

/** The loss of a market order, as if the fill had been too far from its quote. */
function hideAsSlippage(drafts: Draft[]): void {
  const { published, filled, closed } = slippedOrder(
    drafts,
    ({ pnl_r, gap_from }) => (pnl_r as number) < 0 && !gap_from,
  );
  const { recovered, filled: decided, filled_at: closed_at, at } = filled!;
  const unfilled = { entry_price: null, exit_price: null, last_exit: null, pnl: 0, pnl_percent: 0, pnl_r: 0 };
  const { pnl_best: _, recovered: __, ...kept } = closed!;
  drafts[drafts.indexOf(filled!)] = {
    ...{ ...kept, ...unfilled, at, reason: 'unfilled', closed_at, filled: null, decided },
    ...(recovered !== undefined && { recovered }),
    decided_seq: (decided as { seq: number }).seq,
  };
  remove(drafts, (draft) => draft.signal === published!.signal && draft !== published && draft.reason !== 'unfilled');
}

const removeGaps = (drafts: Draft[]): void =>
  remove(drafts, ({ type, event }) => type === 'feed' && event !== 'disconnect');

const FORGERIES: Readonly<Record<string, Forgery>> = {
  'the true log': {},
  'the true log, with heads from outside': { outside: true },
  'losers that never end': {
    edit: keepLosersActive,
    headAt: LATER,
    findings: ['never_closed', 'tape_decides'],
    notProved: [...ALONE, 'active_signals'],
  },
  'losers that never end, soon after': {
    edit: keepLosersActive,
    findings: ['tape_decides'],
    notProved: [...ALONE, 'active_signals'],
  },
  'losers that never end, without a tape': {
    ...{ edit: keepLosersActive, tape: () => null, headAt: LATER, findings: ['never_closed'] },
    notProved: [...ALONE, 'not_served', 'active_signals'],
  },
  'a tape that is not served': { tape: () => null, notProved: [...ALONE, 'not_served'], status: 3 },
  // Nothing but a head or a time stamp shows when a record was written.
  'a winner that was inserted with hindsight': { edit: () => {} },
  'a winner that was inserted with hindsight, with heads from outside': {
    edit: () => {},
    outside: true,
    findings: ['head', 'time_order'],
  },
  'relabelled sources': { edit: relabel, findings: ['not_on_tape', 'tape_decides'] },
  'relabelled sources, also on the tape': { edit: relabel, tape: relabelled, findings: ['sealed_file'] },
  'relabelled sources with a new seal': { edit: relabel, tape: relabelled, reseals: true },
  'relabelled sources with a new seal, with heads from outside': {
    ...{ edit: relabel, tape: relabelled, reseals: true, outside: true, findings: ['head'] },
  },
  'a removed seal': { edit: unseal, notProved: [...ALONE, 'unsealed_days'] },
  'a removed seal, with heads from outside': {
    ...{ edit: unseal, outside: true, findings: ['head'], notProved: [...ALONE, 'unsealed_days'] },
  },
  "a gap in a rival's winners": { edit: gapIntoWinners, findings: ['gap'] },
  'a gap that nobody declared': {
    edit: removeGaps,
    findings: ['gap'],
    notProved: ['no_outside_head', 'no_time_stamp', 'operator_keys'],
  },
  'a market order at a better price than that of its quote': {
    edit(drafts) {
      const { published } = slippedOrder(drafts, () => true);
      const step = published!.direction === 'buy' ? -0.001 : 0.001;
      published!.entry = Math.round(((published!.entry as number) + step) * 1_000) / 1_000;
    },
    findings: ['order_kind'],
  },
  'a market order that filled beyond its slippage': {
    edit: (drafts) => void Object.assign(slippedOrder(drafts, () => true).published!, { max_slippage: 0 }),
    findings: ['fill'],
  },
  'a loss that is hidden as slippage': { edit: hideAsSlippage, findings: ['fill'] },
  'a better result': { edit: (drafts) => void Object.assign(winnerOf(drafts), { pnl_r: 99 }), findings: ['pnl'] },
  'a key that was changed': {
    edit: (drafts) =>
      void drafts.push({ ...drafts.find(({ type }) => type === 'publisher_key')!, at: SEALED_AT, public_key: null }),
    notProved: [...ALONE, 'key_changes'],
  },
};

export function forgedLogs(): ForgedLog[] {
  const { lines, tape } = randomLog({ seed: 4, events: 600 });
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
  const ended = new Set(
    lines
      .map(({ text }) => JSON.parse(text) as Draft)
      .flatMap((r) => (/^(closed|voided)$/.test(r.type) ? [r.signal] : [])),
  );
  const complete = rewritten(lines, (drafts) => {
    drafts[0]!.public_key = key;
    // Every signal has ended.
    remove(drafts, ({ signal }) => signal !== undefined && !ended.has(signal));
    drafts.push({ type: 'tape', rules: RULES_VERSION, at: SEALED_AT, day: DAY, symbol: SYMBOL, ...seal(tape) });
  });
  const inserted = winnerOf(complete.map(({ text }) => JSON.parse(text) as Draft)).signal;
  const withoutIt = rewritten(complete, (drafts) => remove(drafts, isOf(inserted)));
  const headOf = (log: Lines, n: number, at?: string): LogHead => signed(privateKey, key, log, n, at);
  return Object.entries(FORGERIES).map(([name, forgery]): ForgedLog => {
    const { edit, outside = false, headAt = '2026-03-03T00:20:00.000Z', findings = [] } = forgery;
    const isInsertion = name.includes('inserted');
    const served = forgery.tape ? forgery.tape([...tape]) : tape;
    const forged = rewritten(complete, (drafts) => {
      edit?.(drafts);
      if (forgery.reseals) Object.assign(drafts.find(({ type }) => type === 'tape')!, seal(served ?? []));
    });
    const original = isInsertion ? withoutIt : complete;
    const kept = outside ? [original.length >> 1, original.length - 1].map((n) => headOf(original, n)) : [];
    return {
      name,
      lines: forged,
      head: headOf(forged, forged.length - 1, headAt),
      outside: kept,
      tape: served,
      findings,
      notProved: forgery.notProved ?? (outside && findings.length === 0 ? ALWAYS : ALONE),
      status: forgery.status ?? (findings.length > 0 ? 1 : 0),
    };
  });
}

function seal(tape: readonly EvidenceLine[]): { ticks: number; sha256: string } {
  return { ticks: tape.length, sha256: sha256Hex(evidenceText(tape)) };
}

function signed(privateKey: KeyObject, public_key: string, log: Lines, n: number, at?: string): LogHead {
  const { hash, text } = log[n]!;
  const record = JSON.parse(text) as { at: string };
  const head = { log: (JSON.parse(log[0]!.text) as { log: string }).log, n, hash, at: at ?? record.at };
  return { ...head, public_key, signature: sign(null, Buffer.from(canonicalJson(head)), privateKey).toString('hex') };
}
