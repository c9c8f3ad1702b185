// What a check says at its end: to a person, and to a program.
import { count, duration } from '../../import/progress.ts';
import type { Missing } from './tape-shelf.ts';
import type { Verified } from './verify.ts';

const SHOWN = 50;

const WHY: Readonly<Record<Missing, string>> = {
  tape_gone: 'the tape of a day is gone, and it was not sealed or its sealed file is not there',
  evidence_damaged: 'the sealed file of a day is not what the log says, and its tape is gone',
};

const plural = (value: number, one: string): string => `${count(value)} ${one}${value === 1 ? '' : 's'}`;

export function summary({ log, findings, heads, rows, tape }: Verified, name: string, ms: number): string {
  if (log.records === 0) return `${name}: the log is empty\n`;
  const lines = [`${name}: ${plural(log.records, 'record')} checked in ${duration(ms)}`];
  const tell = (what: string, text: string): number => lines.push(`  ${what.padEnd(10)} ${text}`);
  if (log.opened) tell('log', `${log.opened.log} (${log.opened.realm}), key ${log.opened.public_key}`);
  tell(
    'chain',
    log.broken === 0
      ? `whole, up to record ${log.tail!.n}: ${log.tail!.hash}`
      : `BROKEN: ${plural(log.broken, 'fault')}`,
  );
  tell('signals', `${count(log.signals)} published, ${count(log.closed)} closed, ${count(log.active.size)} active`);
  tell(
    'evidence',
    `${count(log.recomputed)} of ${count(log.closed)} closings recomputed from the ticks in their records`,
  );
  if (heads > 0) tell('heads', `${plural(heads, 'head')} held against the log`);
  if (rows !== null) tell('rows', `${plural(rows, 'signal')} in the store held against the log`);
  if (!tape) tell('tape', 'not looked at: --tape FOLDER names the folder of a realm with tape/ and evidence/');
  else {
    tell(
      'tape',
      `${count(tape.confirmed)} of ${count(log.closed)} lives judged again from ${plural(tape.ticks, 'tick')}`,
    );
    tell(
      'seals',
      `${plural(log.seals.size, 'day')} sealed: ${count(tape.intact)} intact, ${count(tape.absent)} not there`,
    );
    for (const [why, signals] of tape.unchecked) tell('unchecked', `${plural(signals, 'signal')}: ${WHY[why]}`);
    for (const { signal, symbol, day } of tape.firstUnchecked.slice(0, SHOWN))
      lines.push(`    ${signal}  ${symbol} of ${day}`);
  }
  tell('result', findings.count === 0 ? 'nothing false was found' : `${plural(findings.count, 'FAULT')}`);
  for (const { n, signal, code, message } of findings.first.slice(0, SHOWN))
    lines.push(
      `    ${n === null ? '' : `record ${n}: `}${signal === undefined ? '' : `${signal}: `}${message} (${code})`,
    );
  if (findings.count > SHOWN)
    lines.push(`    and ${count(findings.count - Math.min(SHOWN, findings.first.length))} more`);
  return `${lines.join('\n')}\n`;
}

export function report({ log, findings, heads, rows, tape }: Verified): unknown {
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
    recomputed_from_evidence: log.recomputed,
    heads_checked: heads,
    rows_checked: rows,
    tape: tape && {
      recomputed: tape.confirmed,
      ticks: tape.ticks,
      seals: { logged: log.seals.size, intact: tape.intact, absent: tape.absent },
      unchecked: Object.fromEntries(tape.unchecked),
      unchecked_signals: tape.firstUnchecked,
    },
    faults: findings.count,
    findings: findings.first,
  };
}
