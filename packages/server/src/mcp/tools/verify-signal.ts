// `verify_signal`: recomputes the log records of one signal: their hashes, every decision from the ticks in them, and the
// signature of the head. `tickwire verify` checks the whole chain and the tape as well.
import { canonicalJson, type LogEntry, type SignalDetail, type SignalProof } from '@tickwire/contract';
import { z } from 'zod';
import { sha256Hex } from '../../ops/sha256.ts';
import { verifyHead } from '../../signals/head.ts';
import { LogCheck } from '../../signals/verify/check-log.ts';
import { type Finding, type FindingCode, Findings } from '../../signals/verify/findings.ts';
import { fit, UNTRUSTED_NOTICE } from '../answer.ts';
import { defineTool, readNow } from '../tool.ts';
import { signalOf } from './signals.ts';

/** Faults that one signal's records always have: those between them are not part of the proof. */
const NEEDS_WHOLE_LOG = new Set<FindingCode>(['number', 'prev', 'opening']);
/** The key of the publisher was registered by a record that is not part of the proof. */
const NEEDS_KEY_RECORD = /^it is signed with the key /;

const MAX_FAULTS = 20;

export const verifySignalTool = defineTool({
  name: 'verify_signal',
  description:
    'Recompute the log records of a signal: hashes, fill, exits and result from the recorded ticks, and the signed head.',
  input: z.object({
    id: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .meta({ allowed: 'the id of a signal' }),
  }),
  output: { verified: { type: 'boolean' }, faults: { type: 'array' }, signal: { type: 'object' } },
  async run({ id }, { reader, instruments }) {
    const [proof, signal] = await Promise.all([
      reader.get<SignalProof>(`/api/signals/${id}/proof`),
      reader.get<SignalDetail>(`/api/signals/${id}`),
    ]);
    const traded = (await instruments.all()).filter(({ symbol }) => symbol === signal.symbol);
    const fresh = await instruments.freshness(traded);
    const { faults, signatures, reproduced } = await checkRecords(proof.records);
    const hasValidHead = verifyHead(proof.head);
    const all = [
      ...faults,
      ...(hasValidHead ? [] : [{ n: proof.head.n, code: 'head' as const, message: 'its signature is not valid' }]),
      ...mismatches(signal, proof),
    ];
    const isVerified = all.length === 0;
    const state = signal.status === 'closed' ? `closed (${signal.close_reason}), ${signal.pnl_r} R` : signal.state;
    return fit(proof.records.length, (count) => ({
      summary: `${isVerified ? 'Verified' : `NOT VERIFIED, ${all.length} faults`}: ${signal.symbol} ${signal.direction} of ${signal.user}, ${state}; ${proof.records.length} records`,
      ...readNow(reader),
      source: 'signal log',
      market: fresh.envelope.market,
      gaps:
        signal.status === 'closed' && signal.gap_from !== undefined
          ? [
              {
                symbol: signal.symbol,
                from: signal.gap_from,
                to: signal.gap_to ?? signal.closed_at,
                reason: 'no prices',
              },
            ]
          : [],
      verified: isVerified,
      checks: {
        hashes: proof.records.length,
        result_reproduced: signal.status === 'closed' ? reproduced : null,
        publisher_signatures: signatures,
        head_signature: hasValidHead,
      },
      not_checked: [
        'chain between these records',
        'sealed tape',
        'use: tickwire verify --url',
        'faults of the engine, which judges here too; use: tickwire-verify (Python)',
      ],
      faults: all.slice(0, MAX_FAULTS).map(({ n, code, message }) => ({ n, code, message })),
      ...(all.length > MAX_FAULTS && { faults_not_shown: all.length - MAX_FAULTS }),
      log: proof.head.log,
      head: { n: proof.head.n, hash: proof.head.hash, at: proof.head.at },
      records: proof.records.slice(0, count).map(({ hash, record }) => [record.n, record.type, hash]),
      ...(count < proof.records.length && { records_not_shown: proof.records.length - count }),
      ...(signal.note !== null && { notice: UNTRUSTED_NOTICE }),
      signal: signalOf(signal),
      next: null,
    }));
  },
});

async function checkRecords(records: readonly LogEntry[]) {
  const findings = new Findings();
  const check = new LogCheck({ findings });
  check.add(records.map(({ hash, record }) => ({ n: record.n, hash, text: canonicalJson(record) })));
  await check.end();
  const unregistered = findings.first.filter(({ message }) => NEEDS_KEY_RECORD.test(message)).length;
  return {
    faults: findings.first.filter(({ code, message }) => !NEEDS_WHOLE_LOG.has(code) && !NEEDS_KEY_RECORD.test(message)),
    signatures: { valid: check.signatures.valid, not_checked: unregistered },
    reproduced: check.recomputed > 0,
  };
}

/** Whether the signal that the feed shows is the one in the log. */
function mismatches(signal: SignalDetail, { published, closed, note }: SignalProof): Finding[] {
  const { record } = published;
  const faults: Finding[] = [];
  const expect = (isEqual: boolean, n: number, what: string): void => {
    if (!isEqual) faults.push({ n, code: 'row', message: `${what} of the feed differs from the log` });
  };
  if (record.type === 'published') {
    for (const field of ['symbol', 'direction', 'entry', 'stop_loss', 'take_profit', 'publisher'] as const)
      expect(signal[field] === record[field], record.n, field);
    if (note !== null && record.note_sha256 !== undefined)
      expect(sha256Hex(note) === record.note_sha256, record.n, 'note');
  }
  if (closed?.record.type === 'closed' && signal.status === 'closed' && signal.close_reason !== 'voided')
    for (const field of ['pnl', 'pnl_r', 'exit_price'] as const)
      expect(signal[field] === closed.record[field], closed.record.n, field);
  return faults;
}
