// What somebody with the file in hand could do to a log: change bytes, or write it anew from some record on, with every
// hash after it made right again.
import { Database } from 'bun:sqlite';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { canonicalJson, type LogRecord } from '@tickwire/contract';
import { LogCheck, type LogLine } from './check-log.ts';
import { type Finding, Findings } from './finding.ts';

type StoredLine = Required<LogLine>;
type Edit = (records: Draft[]) => void;
/** A record that may be changed into anything. */
export type Draft = Record<string, unknown> & { type: LogRecord['type'] };

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

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

  /** Puts another log in place of the one there is. */
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

/** The log with its records edited, and numbers and hashes made to fit again. */
export function rewritten(lines: readonly LogLine[], edit: Edit): StoredLine[] {
  const records = lines.map(({ text }) => JSON.parse(text) as Draft);
  edit(records);
  let prev = '0'.repeat(64);
  return records.map((record, n) => {
    const text = canonicalJson({ ...record, n, prev });
    prev = sha256(text);
    return { n, hash: prev, text };
  });
}

/** What the log by itself shows. */
export function findingsOf(lines: Iterable<LogLine>): Finding[] {
  const findings = new Findings();
  new LogCheck({ findings }).add(lines);
  return findings.first;
}

export const codesOf = (findings: readonly Finding[]): string[] => [...new Set(findings.map(({ code }) => code))];
