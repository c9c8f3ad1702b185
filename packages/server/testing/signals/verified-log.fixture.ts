// Verifies a log that is in memory, with its tape.
import { LogCheck, type LogCheckOptions, type LogLine } from '../../src/signals/verify/check-log.ts';
import type { EvidenceLine } from '../../src/signals/verify/evidence-line.ts';
import { type Finding, Findings } from '../../src/signals/verify/findings.ts';
import type { RecordedSignal } from '../../src/signals/verify/recorded-signal.ts';
import { ReplayCheck } from '../../src/signals/verify/replay-check.ts';

export interface VerifiedLog {
  readonly findings: readonly Finding[];
  readonly check: LogCheck;
  /** Closed signals that the replay from the tape confirmed. */
  readonly confirmed: number;
}

/** All signals must have the same instrument. */
export async function verifyWithTape(
  lines: Iterable<LogLine>,
  tape: readonly EvidenceLine[],
  options: Partial<LogCheckOptions> = {},
): Promise<VerifiedLog> {
  const findings = new Findings();
  const ended: RecordedSignal[] = [];
  const check = new LogCheck({ ...options, findings, onJudged: (signal) => ended.push(signal) });
  check.add(lines);
  await check.end();
  const signals = [...ended, ...[...check.active.values()].filter(({ unsound }) => !unsound)];
  if (signals.length === 0) return { findings: findings.first, check, confirmed: 0 };
  const replay = new ReplayCheck(signals, { findings, judgedUntil: Number.POSITIVE_INFINITY });
  replay.read(tape);
  replay.end();
  return { findings: findings.first, check, confirmed: replay.confirmed };
}
