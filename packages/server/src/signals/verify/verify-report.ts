// The result of `tickwire verify` as text and as JSON.
import { formatCount as count, formatDuration as duration } from '../../ops/progress.ts';
import { findingNumber } from './findings.ts';
import { notProved, UNPROVED_CODES } from './not-proved.ts';
import type { MissingReason } from './tick-source.ts';
import type { VerifyResult } from './verify.ts';

const SHOWN = 50;

const WHY: Readonly<Record<MissingReason, string>> = {
  tape_gone: 'the tape of a day is missing, and the day was not sealed or its sealed file is missing',
  evidence_damaged: 'the sealed file of a day does not match the log, and its tape is missing',
};

/** What no fault does not mean. */
const JUDGE =
  'the engine, which also judged for the service. A fault of the engine is found by tickwire-verify of the Python package';

const plural = (value: number, one: string): string => `${count(value)} ${one}${value === 1 ? '' : 's'}`;

export function verifySummary(result: VerifyResult, name: string, ms: number): string {
  const { log, findings, heads, stamps, rows, tape } = result;
  if (log.records === 0) return `${name}: the log is empty\n`;
  const lines = [`${name}: ${plural(log.records, 'record')} checked in ${duration(ms)}`];
  const add = (what: string, text: string): number => lines.push(`  ${what.padEnd(10)} ${text}`);
  if (log.opened) add('log', `${log.opened.log} (${log.opened.realm}), key ${log.opened.public_key}`);
  add(
    'chain',
    log.broken === 0
      ? `intact up to record ${log.tail!.n}: ${log.tail!.hash}`
      : `BROKEN: ${plural(log.broken, 'fault')}`,
  );
  const voided = log.voided > 0 ? `, ${count(log.voided)} voided` : '';
  add(
    'signals',
    `${count(log.signals)} published, ${count(log.closed)} closed, ${count(log.active.size)} active${voided}`,
  );
  add(
    'evidence',
    `${count(log.recomputed)} of ${count(log.closed)} closings recomputed from the ticks in their records`,
  );
  if (log.signatures.valid > 0) add('signed', `${plural(log.signatures.valid, 'valid signature')} of publishers`);
  if (heads > 0) add('heads', `${plural(heads, 'head')} checked against the log`);
  if (stamps && stamps.tokens > 0)
    add(
      'stamps',
      `${plural(stamps.tokens, 'time stamp')} of ${plural(stamps.heads, 'head')}: each record up to ${stamps.until} existed at most ${duration(stamps.longestMs)} after its time`,
    );
  if (rows !== null) add('rows', `${plural(rows, 'signal')} in the store checked against the log`);
  if (!tape) add('tape', 'not checked');
  else {
    add(
      'tape',
      `${count(tape.confirmed)} of ${count(log.closed)} closed signals judged again from ${plural(tape.ticks, 'tick')}`,
    );
    add(
      'seals',
      `${plural(log.seals.size, 'day')} sealed: ${count(tape.intact)} intact, ${count(tape.absent)} missing`,
    );
    for (const [why, signals] of tape.unchecked) add('unchecked', `${plural(signals, 'signal')}: ${WHY[why]}`);
    for (const { signal, symbol, day } of tape.firstUnchecked.slice(0, SHOWN))
      lines.push(`    ${signal}  ${symbol} of ${day}`);
  }
  add('judge', JUDGE);
  add('result', findings.count === 0 ? 'no faults found' : `${plural(findings.count, 'FAULT')}`);
  for (const { n, signal, code, message } of findings.first.slice(0, SHOWN))
    lines.push(
      `    ${n === null ? '' : `record ${n}: `}${signal === undefined ? '' : `${signal}: `}${message} (F${findingNumber(code)} ${code})`,
    );
  if (findings.count > SHOWN)
    lines.push(`    and ${count(findings.count - Math.min(SHOWN, findings.first.length))} more`);
  for (const { code, message } of notProved(result))
    add('not proved', `${message} (N${UNPROVED_CODES.indexOf(code) + 1} ${code})`);
  return `${lines.join('\n')}\n`;
}

export function verifyReport(result: VerifyResult): unknown {
  const { log, findings, heads, stamps, rows, tape } = result;
  return {
    ok: findings.count === 0,
    log: log.opened?.log ?? null,
    realm: log.opened?.realm ?? null,
    records: log.records,
    head: log.tail,
    chain_ok: log.broken === 0,
    signals: log.signals,
    closed: log.closed,
    active: log.active.size,
    voided: log.voided,
    valid_signatures: log.signatures.valid,
    judged_by: 'engine',
    recomputed_from_evidence: log.recomputed,
    heads_checked: heads,
    time_stamps: stamps && {
      valid: stamps.tokens,
      heads: stamps.heads,
      until: stamps.until,
      longest_seconds: Math.ceil(stamps.longestMs / 1000),
    },
    rows_checked: rows,
    tape: tape && {
      recomputed: tape.confirmed,
      ticks: tape.ticks,
      seals: { logged: log.seals.size, intact: tape.intact, absent: tape.absent },
      unchecked: Object.fromEntries(tape.unchecked),
      unchecked_signals: tape.firstUnchecked,
    },
    not_proved: notProved(result),
    faults: findings.count,
    findings: findings.first,
  };
}
