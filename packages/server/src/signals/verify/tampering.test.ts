import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { HOUR_MS } from '@tickwire/engine';
import { temporaryFolder } from '../../../testing/service.fixture.ts';
import { writeRealLog } from '../../../testing/signals/real-log.fixture.ts';
import { codesOf, type Draft, findingsOf, LogFile, rewritten } from '../../../testing/signals/tampering.fixture.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import type { LogLine } from './check-log.ts';

setDefaultTimeout(60_000);

const folder = temporaryFolder();
let file: LogFile;
let store: Store;
let lines: Required<LogLine>[];

beforeAll(async () => {
  await writeRealLog({ folder, perMinute: 2 });
  file = new LogFile(folder);
  store = openSqliteStore({ folder, realm: 'sim', exclusive: false });
  lines = file.lines();
});
afterAll(async () => {
  file.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const typeOf = ({ text }: LogLine): string => (JSON.parse(text) as Draft).type;
const numberOf = (type: string): number => lines.findIndex((line) => typeOf(line) === type);

test('an untouched log has no faults', () => {
  expect(findingsOf(lines)).toEqual([]);
  expect(new Set(lines.map(typeOf))).toEqual(new Set(['opened', 'published', 'closed', 'tape']));
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

  const records: [string, () => number][] = [
    ['the first record', () => 0],
    ['a publication', () => numberOf('published')],
    ['a closing', () => numberOf('closed')],
    ['a seal of the tape', () => numberOf('tape')],
    ['the last record', () => lines.length - 1],
  ];
  for (const [name, number] of records) {
    test(`${name}: every byte of its text and its hash`, async () => {
      const n = number();
      const line = lines[n]!;
      const missed: string[] = [];
      const look = async (changed: Required<LogLine>, what: string): Promise<void> => {
        file.set(changed);
        // Neighbours are enough: other records are chained to them.
        const first = await store.signals.log(n - 1, 2);
        const found = findingsOf([...lines.slice(0, n), ...first]);
        if (!found.some((finding) => finding.n === n && finding.code === 'hash')) missed.push(what);
      };
      for (let at = 0; at < line.text.length; at++)
        await look({ ...line, text: withChange(line.text, at) }, `text ${at}`);
      for (let at = 0; at < line.hash.length; at++)
        await look({ ...line, hash: withChange(line.hash, at) }, `hash ${at}`);
      file.set(line);
      expect(missed).toEqual([]);
      expect(line.text.length).toBeGreaterThan(200);
    });
  }

  test('finds a record that was changed together with its hash, through the next record', () => {
    for (const n of [0, numberOf('published'), numberOf('closed'), numberOf('tape')].filter(
      (each) => each < lines.length - 1,
    )) {
      const forged = rewritten(lines, (drafts) => {
        drafts[n]!.at = '2026-03-02T00:00:00.001Z';
      })[n]!;
      const found = findingsOf(lines.with(n, forged));
      expect([n, found.some((finding) => finding.n === n + 1 && finding.code === 'prev')]).toEqual([n, true]);
    }
  });

  test('finds removed, duplicated and swapped records', () => {
    const n = numberOf('closed');
    expect(codesOf(findingsOf(lines.toSpliced(n, 1)))).toContain('number');
    expect(codesOf(findingsOf(lines.slice(1)))).toContain('number');
    expect(codesOf(findingsOf(lines.toSpliced(n, 0, lines[n]!)))).toContain('number');
    expect(codesOf(findingsOf(lines.with(n, lines[n + 1]!).with(n + 1, lines[n]!)))).toContain('prev');
  });
});

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
  const stopped = closing('stop_loss', ({ filled, decided }) => filled === null && kindOf(decided) === 'quote');
  const kindOf = (evidence: unknown): unknown => (evidence as { kind: string }).kind;
  const publication = (order: string) => (drafts: Draft[]) =>
    find(drafts, (draft) => draft.type === 'published' && draft.order === order);
  const later = (time: unknown, ms: number): string => new Date(Date.parse(time as string) + ms).toISOString();
  const decided = (draft: Draft) => draft.decided as Record<string, unknown>;

  const set = (draft: Draft, change: Record<string, unknown>): void => void Object.assign(draft, change);
  type Lie = (drafts: Draft[]) => void;
  /** Replaces one record by the edited one. */
  const change =
    (which: (drafts: Draft[]) => Draft, to: (draft: Draft) => Record<string, unknown>): Lie =>
    (drafts) => {
      const draft = which(drafts);
      set(draft, to(draft));
    };
  const twice =
    (which: (drafts: Draft[]) => Draft): Lie =>
    (drafts) => {
      drafts.push({ ...which(drafts) });
    };
  const filledLater = closing('stop_loss', ({ filled }) => filled !== null);
  const own = (drafts: Draft[]): Draft => find(drafts, (draft) => draft.self_sourced === true);
  const notOwn = closing('stop_loss', (draft) => !draft.self_sourced);
  const seal = (drafts: Draft[]): Draft => find(drafts, ({ type }) => type === 'tape');
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
      change(stopped, (draft) => ({ decided: { ...decided(draft), ...nothing } })),
    ],
    ['when it closed', 'closed_at', change(stopped, (draft) => ({ closed_at: later(draft.closed_at, 1) }))],
    [
      'an expiry before the deadline',
      'closed_at',
      change(closing('expired'), (draft) => ({ closed_at: later(draft.closed_at, -1) })),
    ],
    ['what had its say', 'evidence_order', change(stopped, () => ({ decided_seq: 1 }))],
    [
      'a fill before the publication',
      'evidence_order',
      change(filledLater, ({ filled }) => ({ filled: { ...(filled as object), seq: 1 } })),
    ],
    ['an unfilled signal with a result', 'pnl', change(closing('unfilled'), () => ({ pnl: 4 }))],
    ['another publisher', 'belongs', change(stopped, () => ({ publisher: 'pub_somebody' }))],
    ['other digits', 'belongs', change(stopped, () => ({ instrument: { digits: 1, pip_size: 0.1 } }))],
    ['a self-sourced one that is none', 'self_sourced', change(notOwn, () => ({ self_sourced: true }))],
    ['a self-sourced one not called so', 'self_sourced', change(own, () => ({ self_sourced: undefined }))],
    ['half a gap', 'gap', change(stopped, (draft) => ({ gap_from: draft.closed_at, gap_to: undefined }))],
    ['a market entry called a limit', 'order_kind', change(publication('market'), () => ({ order: 'limit' }))],
    ['a market entry filled better', 'order_kind', change(publication('market'), () => ({ entry_price: 1 }))],
    [
      'a longer lifecycle',
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
    ['other rules', 'rules_version', change(stopped, () => ({ rules: 2 }))],
    ['no such reason', 'shape', change(stopped, () => ({ reason: 'luck' }))],
    ['a time that is none', 'shape', change(stopped, () => ({ closed_at: 'yesterday' }))],
    ['a closing given to another', 'not_published', change(stopped, () => ({ signal: 'sig_none' }))],
    ['a second closing', 'closed_twice', twice(stopped)],
    ['a second publication', 'published_twice', twice(publication('market'))],
    ['a second opening', 'opening', twice((drafts) => drafts[0]!)],
    ['a day sealed twice', 'sealed_twice', twice(seal)],
    ['a day sealed before its end', 'sealed_file', change(seal, () => ({ day: '2026-03-03' }))],
  ];
  for (const [name, code, lie] of lies) {
    test(name, () => {
      const forged = rewritten(lines, lie);
      const codes = codesOf(findingsOf(forged));
      expect(codes).toContain(code);
      expect(codes).not.toContain('hash');
      expect(codes).not.toContain('prev');
    });
  }

  test('reports every fault and continues after each', () => {
    const forged = rewritten(lines, (drafts) => {
      for (const draft of drafts) if (draft.type === 'closed') draft.pnl = 12_345;
    });
    const closed = lines.filter((line) => typeOf(line) === 'closed').length;
    const found = findingsOf(forged);
    expect(found.map(({ code }) => code)).toEqual(Array(closed).fill('pnl'));
    expect(found[0]!.message).toMatch(/^pnl is 12345: recomputed -?[\d.]+$/);
    expect(found[0]!.signal).toStartWith('sig_');
  });
});
