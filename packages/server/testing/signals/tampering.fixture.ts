// What someone with access to the file could do to a log: change bytes, or rewrite it from some record on with correct
// hashes.
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { canonicalJson, type LogRecord } from '@tickwire/contract';
import { sha256Hex } from '../../src/ops/sha256.ts';
import { LogCheck, type LogCheckOptions, type LogLine } from '../../src/signals/verify/check-log.ts';
import { type Finding, Findings } from '../../src/signals/verify/findings.ts';

type StoredLine = Required<LogLine>;
type Edit = (records: Draft[]) => void;
/** A record that may be changed into anything. */
export type Draft = Record<string, unknown> & { type: LogRecord['type'] };

/** The file of a store as an intruder sees it. */
export class LogFile {
  readonly #database: Database;

  constructor(folder: string) {
    this.#database = new Database(join(folder, 'sim', 'market.db'));
  }

  lines(): StoredLine[] {
    return this.#database.query<StoredLine, []>('SELECT n, hash, text FROM signal_log ORDER BY n').all();
  }

  set({ n, hash, text }: StoredLine): void {
    this.#database.query('UPDATE signal_log SET hash = ?, text = ? WHERE n = ?').run(hash, text, n);
  }

  run(sql: string, ...values: (string | number | null)[]): void {
    this.#database.query(sql).run(...values);
  }

  /** Replaces the whole log. */
  replace(lines: readonly StoredLine[]): void {
    this.#database.run('PRAGMA foreign_keys = OFF');
    this.#database.run('DELETE FROM signal_log');
    const insert = this.#database.query('INSERT INTO signal_log (n, hash, text) VALUES (?, ?, ?)');
    this.#database.transaction(() => {
      for (const { n, hash, text } of lines) insert.run(n, hash, text);
    })();
  }

  close(): void {
    this.#database.close();
  }
}

/** The log with its records edited, and numbers and hashes recomputed. */
export function rewritten(lines: readonly LogLine[], edit: Edit): StoredLine[] {
  const records = lines.map(({ text }) => JSON.parse(text) as Draft);
  edit(records);
  let prev = '0'.repeat(64);
  return records.map((record, n) => {
    const text = canonicalJson({ ...record, n, prev });
    prev = sha256Hex(text);
    return { n, hash: prev, text };
  });
}

/** Findings from the log alone. */
export async function findingsOf(lines: Iterable<LogLine>, options: Partial<LogCheckOptions> = {}): Promise<Finding[]> {
  const findings = new Findings();
  const check = new LogCheck({ ...options, findings });
  check.add(lines);
  await check.end();
  return findings.first;
}

export const codesOf = (findings: readonly Finding[]): string[] => [...new Set(findings.map(({ code }) => code))];
