// What an intruder could do to a log: change bytes, or rewrite it from some record on with correct hashes.
import { describe, expect, test } from 'bun:test';
import { HOUR_MS } from '@tickwire/engine';
import { randomLog } from '../../../testing/signals/random-log.fixture.ts';
import { codesOf, type Draft, findingsOf, rewritten } from '../../../testing/signals/tampering.fixture.ts';
import type { LogLine } from './check-log.ts';

const TYPES = [
  ...[
    'amended',
    'close_requested',
    'closed',
    'exited',
    'feed',
    'filled',
    'opened',
    'published',
    'publisher_key',
    'tape',
  ],
  'voided',
];
const later = (time: unknown, ms: number): string => new Date(Date.parse(time as string) + ms).toISOString();

const lines = rewritten(randomLog({ seed: 4, events: 1_000 }).lines, (drafts) => {
  const at = drafts.at(-1)!.at as string;
  const seal = { day: '2026-03-01', symbol: 'XAUUSD', ticks: 0, sha256: 'ab'.repeat(32) };
  drafts.push({ type: 'tape', rules: 2, at, ...seal });
});
const typeOf = ({ text }: LogLine): string => (JSON.parse(text) as Draft).type;
const numberOf = (type: string): number => lines.findIndex((line) => typeOf(line) === type);

test('an untouched log has no faults', async () => {
  expect(await findingsOf(lines)).toEqual([]);
  expect([...new Set(lines.map(typeOf))].sort()).toEqual(TYPES);
});

describe('one changed byte is found, with its place', () => {
  /** Another character of the same kind, so that the text stays as valid as possible. */
  const other = (char: string): string =>
    /\d/.test(char)
      ? String((Number(char) + 1) % 10)
      : /[a-z]/.test(char)
        ? char === 'a'
          ? 'b'
          : 'a'
        : char === ' '
          ? '_'
          : ' ';
  const withChange = (text: string, at: number): string => text.slice(0, at) + other(text[at]!) + text.slice(at + 1);

  for (const type of TYPES) {
    test(`${type}: every byte of its text and its hash`, async () => {
      const n = numberOf(type);
      const line = lines[n]!;
      const missed: string[] = [];
      // Records before it, and the next one: all others are chained to them.
      const around = lines.slice(Math.max(0, n - 1), n + 2);
      const look = async (changed: Required<LogLine>, what: string): Promise<void> => {
        const found = await findingsOf(around.with(around.indexOf(line), changed));
        if (!found.some((finding) => finding.n === n && finding.code === 'hash')) missed.push(what);
      };
      for (let at = 0; at < line.text.length; at++)
        await look({ ...line, text: withChange(line.text, at) }, `text ${at}`);
      for (let at = 0; at < line.hash.length; at++)
        await look({ ...line, hash: withChange(line.hash, at) }, `hash ${at}`);
      expect(missed).toEqual([]);
      expect(line.text.length).toBeGreaterThan(200);
    });
  }

  test('finds a record that was changed together with its hash, through the next record', async () => {
    for (const n of TYPES.map(numberOf).filter((each) => each < lines.length - 1)) {
      const forged = rewritten(lines, (drafts) => {
        drafts[n]!.at = '2026-03-02T00:00:00.001Z';
      })[n]!;
      const found = await findingsOf(lines.with(n, forged));
      expect([n, found.some((finding) => finding.n === n + 1 && finding.code === 'prev')]).toEqual([n, true]);
    }
  });

  test('finds removed, duplicated and swapped records', async () => {
    const n = numberOf('closed');
    expect(codesOf(await findingsOf(lines.toSpliced(n, 1)))).toContain('number');
    expect(codesOf(await findingsOf(lines.slice(1)))).toContain('number');
    expect(codesOf(await findingsOf(lines.toSpliced(n, 0, lines[n]!)))).toContain('number');
    expect(codesOf(await findingsOf(lines.with(n, lines[n + 1]!).with(n + 1, lines[n]!)))).toContain('prev');
  });
});

const older = (evidence: unknown): object => ({ ...(evidence as object), seq: 1 });
const aged = (quote: unknown): object => ({ ...(quote as object), time: '2026-03-02T00:00:00.000Z' });
/** Both directions: far beyond every stop. */
const wider = (draft: Draft): Record<string, unknown> => ({ stop_loss: (draft.stop_loss as number) > 20 ? 10 : 40 });

function requestOfManual(drafts: Draft[]): Draft {
  const { signal } = drafts.find(({ type, reason }) => type === 'closed' && reason === 'manual')!;
  return drafts.find((each) => each.signal === signal && each.type === 'close_requested')!;
}

function fillVoided(drafts: Draft[]): void {
  const voided = drafts.findIndex(({ type, signal }, n) => {
    const isFilled = drafts.slice(0, n).some((each) => each.signal === signal && each.type === 'filled');
    return type === 'voided' && isFilled;
  });
  const { signal, at } = drafts[voided]!;
  drafts.splice(voided + 1, 0, { ...drafts.find((each) => each.signal === signal && each.type === 'filled')!, at });
}

describe('a false record with recomputed hashes is found', () => {
  const find = (drafts: Draft[], wanted: (draft: Draft) => boolean): Draft => {
    const found = drafts.find(wanted);
    if (!found) throw new Error('the log has no such record');
    return found;
  };
  const closing =
    (reason: string, more: (draft: Draft) => boolean = () => true) =>
    (drafts: Draft[]) =>
      find(drafts, (draft) => draft.type === 'closed' && draft.reason === reason && more(draft));
  const kindOf = (evidence: unknown): unknown => (evidence as { kind: string } | null)?.kind;
  const stopped = closing('stop_loss', ({ decided }) => kindOf(decided) === 'quote');
  /** Filled by an earlier quote. */
  const stoppedLater = closing('stop_loss', (draft) => {
    const [filled, last] = [draft.filled, draft.decided] as { kind: string; seq: number }[];
    return last!.kind === 'quote' && filled!.seq < last!.seq;
  });
  const publication = (order: string) => (drafts: Draft[]) =>
    find(drafts, (draft) => draft.type === 'published' && draft.order === order);
  const decided = (draft: Draft) => draft.decided as Record<string, unknown>;

  type Lie = (drafts: Draft[]) => void;
  /** Replaces one record by the edited one. */
  const change =
    (which: (drafts: Draft[]) => Draft, to: (draft: Draft) => Record<string, unknown>): Lie =>
    (drafts) => {
      const draft = which(drafts);
      Object.assign(draft, to(draft));
    };
  const again =
    (which: (drafts: Draft[]) => Draft): Lie =>
    (drafts) => {
      drafts.push({ ...which(drafts), at: drafts.at(-1)!.at });
    };
  /** Appends a copy of a record right after it. */
  const twice =
    (which: (drafts: Draft[]) => Draft): Lie =>
    (drafts) => {
      const draft = which(drafts);
      drafts.splice(drafts.indexOf(draft) + 1, 0, { ...draft });
    };
  const without =
    (which: (drafts: Draft[]) => Draft): Lie =>
    (drafts) => {
      drafts.splice(drafts.indexOf(which(drafts)), 1);
    };
  const of =
    (type: string, more: (draft: Draft) => boolean = () => true) =>
    (drafts: Draft[]): Draft =>
      find(drafts, (draft) => draft.type === type && more(draft));
  const own = (drafts: Draft[]): Draft => find(drafts, (draft) => draft.self_sourced === true);
  const notOwn = closing('stop_loss', (draft) => !draft.self_sourced);
  const hasTargets = of('published', ({ targets }) => targets !== undefined);
  const targetsOf = (draft: Draft) => draft.targets as { price: number; fraction: number }[];
  const nothing = { bid: 100_000, ask: 100_001 };

  const lies: [string, string, Lie][] = [
    ['pnl', 'pnl', change(stopped, () => ({ pnl: 12 }))],
    ['pnl_percent', 'pnl', change(stopped, (draft) => ({ pnl_percent: (draft.pnl_percent as number) + 0.0001 }))],
    ['pnl_r', 'pnl', change(stopped, () => ({ pnl_r: -0.5 }))],
    ['a best case that no bar leaves open', 'pnl', change(stopped, () => ({ pnl_best: 3 }))],
    ['where it filled', 'fill', change(stopped, () => ({ entry_price: 1.5 }))],
    ['where it closed', 'decision', change(stopped, (draft) => ({ exit_price: draft.entry_price }))],
    ['a stop called a target', 'decision', change(stopped, () => ({ reason: 'take_profit' }))],
    [
      'a quote that decides nothing',
      'decision',
      change(stoppedLater, (draft) => ({ decided: { ...decided(draft), ...nothing } })),
    ],
    ['when it closed', 'closed_at', change(stopped, (draft) => ({ closed_at: later(draft.closed_at, 1) }))],
    [
      'an expiry before the deadline',
      'closed_at',
      change(closing('expired'), (draft) => ({ closed_at: later(draft.closed_at, -1) })),
    ],
    ['what had its say', 'evidence_order', change(stopped, () => ({ decided_seq: 1 }))],
    ['an unfilled signal with a result', 'pnl', change(closing('unfilled'), () => ({ pnl: 4 }))],
    ['another publisher', 'belongs', change(stopped, () => ({ publisher: 'pub_somebody' }))],
    ['other digits', 'belongs', change(stopped, () => ({ instrument: { digits: 1, pip_size: 0.1 } }))],
    ['a self-sourced one that is none', 'self_sourced', change(notOwn, () => ({ self_sourced: true }))],
    ['a self-sourced one not called so', 'self_sourced', change(own, () => ({ self_sourced: undefined }))],
    ['half a gap', 'gap', change(stopped, (draft) => ({ gap_from: draft.closed_at, gap_to: undefined }))],
    ['a market entry called a limit', 'order_kind', change(publication('market'), () => ({ order: 'limit' }))],
    [
      'a longer time to fill',
      'deadline',
      change(publication('limit'), (draft) => ({ entry_deadline: later(draft.at, 9e9) })),
    ],
    ['levels out of order', 'levels', change(publication('stop'), (draft) => ({ stop_loss: draft.take_profit }))],
    ['a stale quote', 'accepted_quote', change(publication('market'), (draft) => ({ at: later(draft.at, HOUR_MS) }))],
    [
      'a price too fine',
      'price',
      change(publication('market'), (draft) => ({ entry: (draft.entry as number) + 1e-9 })),
    ],
    [
      'fractions that do not add up',
      'targets',
      change(hasTargets, (draft) => ({ targets: targetsOf(draft).map((each) => ({ ...each, fraction: 0.5001 })) })),
    ],
    ['another last target', 'targets', change(hasTargets, (draft) => ({ take_profit: targetsOf(draft)[0]!.price }))],
    ['breakeven after the last target', 'targets', change(hasTargets, () => ({ breakeven_after: 4 }))],
    [
      'a fill before its publication',
      'evidence_order',
      change(of('filled'), (draft) => ({ filled: older(draft.filled) })),
    ],
    ['a second fill', 'record_order', twice(of('filled'))],
    ['no fill', 'fill', without(of('filled', ({ filled }) => kindOf(filled) === 'quote'))],
    ['a second exit at a target', 'record_order', twice(of('exited'))],
    [
      'an exit at a later target',
      'record_order',
      change(of('exited'), ({ target }) => ({ target: (target as number) + 1 })),
    ],
    ['an exit of more than its fraction', 'decision', change(of('exited'), () => ({ fraction: 0.9 }))],
    ['a wider stop', 'amendment', change(of('amended'), wider)],
    ['an amendment after the closing', 'record_order', again(of('amended'))],
    [
      'an amendment at a stale quote',
      'accepted_quote',
      change(of('amended'), (draft) => ({ quote: aged(draft.quote) })),
    ],
    ['a second request to close', 'close_request', twice(of('close_requested'))],
    ['a closing without its request', 'decision', without(requestOfManual)],
    ['a second void', 'voided_twice', twice(of('voided'))],
    ['a fill of a voided signal', 'record_order', fillVoided],
    ['a void of a signal that does not exist', 'not_published', change(of('voided'), () => ({ signal: 'sig_none' }))],
    ['other rules', 'rules_version', change(stopped, () => ({ rules: 3 }))],
    ['no such reason', 'shape', change(stopped, () => ({ reason: 'luck' }))],
    ['a void as a closing', 'shape', change(stopped, () => ({ reason: 'voided' }))],
    ['a time that is none', 'shape', change(stopped, () => ({ closed_at: 'yesterday' }))],
    ['a closing given to another', 'not_published', change(stopped, () => ({ signal: 'sig_none' }))],
    ['a second closing', 'closed_twice', again(stopped)],
    ['a second publication', 'published_twice', again(publication('market'))],
    ['a second opening', 'opening', again((drafts) => drafts[0]!)],
    ['a day sealed twice', 'sealed_twice', again(of('tape'))],
    ['a day sealed before its end', 'sealed_file', change(of('tape'), () => ({ day: '2026-03-03' }))],
  ];
  for (const [name, code, lie] of lies) {
    test(name, async () => {
      const forged = rewritten(lines, lie);
      const codes = codesOf(await findingsOf(forged));
      expect(codes).toContain(code);
      expect(codes).not.toContain('hash');
      expect(codes).not.toContain('prev');
    });
  }

  test('reports every fault and continues after each', async () => {
    const forged = rewritten(lines, (drafts) => {
      for (const draft of drafts) if (draft.type === 'closed') draft.pnl = 12_345;
    });
    const closed = lines.filter((line) => typeOf(line) === 'closed').length;
    const found = await findingsOf(forged);
    expect(found.map(({ code }) => code)).toEqual(Array(closed).fill('pnl'));
    expect(found[0]!.message).toMatch(/^pnl is 12345: recomputed -?[\d.]+$/);
    expect(found[0]!.signal).toStartWith('sig_');
  });
});
