// The order of records in time: what a forger with the key of the log could append with hindsight.
import { describe, expect, test } from 'bun:test';
import { randomLog } from '../../../testing/signals/random-log.fixture.ts';
import { codesOf, type Draft, findingsOf, rewritten } from '../../../testing/signals/tampering.fixture.ts';
import { verifyWithTape } from '../../../testing/signals/verified-log.fixture.ts';

const WINNERS = 35;
const log = randomLog({ seed: 8, events: 2_500, signed: 0 });
const drafts = (): Draft[] => log.lines.map(({ text }) => JSON.parse(text) as Draft);

/** Ids of signals that closed with a profit, the last ones first. */
const winners = new Set(
  drafts()
    .filter(({ type, pnl_r }) => type === 'closed' && (pnl_r as number) > 0)
    .map(({ signal }) => signal)
    .slice(-WINNERS),
);
const isWinner = ({ signal }: Draft): boolean => winners.has(signal);
const timeOf = (draft: Draft): number => Date.parse(draft.at as string);
/** The log without them. Nothing else depends on them. */
const honest = rewritten(log.lines, (all) => all.splice(0, all.length, ...all.filter((draft) => !isWinner(draft))));
const LAST = honest.length - 1;
const invented = (): Draft[] => drafts().filter(isWinner);

describe('35 winners that were invented with hindsight', () => {
  test('would pass every check if they had been published in time', async () => {
    expect(winners.size).toBe(WINNERS);
    expect((await verifyWithTape(log.lines, log.tape)).findings).toEqual([]);
    expect((await verifyWithTape(honest, log.tape)).findings).toEqual([]);
  });

  test('are found if they have their past times', async () => {
    const forged = rewritten(honest, (all) => all.push(...invented()));
    const found = await findingsOf(forged);
    expect(codesOf(found)).toEqual(expect.arrayContaining(['time_order', 'quote_order']));
    expect(found.every(({ n }) => n! > LAST)).toBe(true);
  });

  test('are found by a head kept outside, if the log was quiet since', async () => {
    const first = Math.min(...invented().map(timeOf));
    const quiet = rewritten(honest, (all) => all.splice(0, all.length, ...all.filter((each) => timeOf(each) < first)));
    const forged = rewritten(quiet, (all) => all.push(...invented()));
    // Nothing contradicts them within the log: the head shows that it ended before them.
    expect(codesOf(await findingsOf(forged))).not.toContain('time_order');
    const signedAt = Math.max(...invented().map(timeOf)) + 1;
    const heads = new Map([[quiet.length - 1, signedAt]]);
    const found = await findingsOf(forged, { heads });
    expect(found.filter(({ code }) => code === 'time_order').length).toBe(invented().length);
    expect(codesOf(await findingsOf(quiet, { heads }))).toEqual([]);
  });

  test('are found if they have the time of the forgery', async () => {
    const at = new Date(timeOf(drafts().at(-1)!) + 60_001).toISOString();
    const forged = rewritten(honest, (all) => all.push(...invented().map((draft) => ({ ...draft, at }))));
    const codes = codesOf(await findingsOf(forged));
    expect(codes).toEqual(expect.arrayContaining(['accepted_quote', 'deadline']));
  });

  test('are found on the tape if their quotes have the time of the forgery too', async () => {
    const shift = timeOf(drafts().at(-1)!) - Math.min(...invented().map(timeOf)) + 60_001;
    const later = (text: string): string => new Date(Date.parse(text) + shift).toISOString();
    const shifted = (draft: Draft): Draft =>
      JSON.parse(JSON.stringify(draft).replace(/\d{4}-\d\d-\d\dT[^"]+/g, later)) as Draft;
    // The quotes must seem new as well.
    const moved = (draft: Draft): Draft =>
      JSON.parse(
        JSON.stringify(shifted(draft)).replace(
          /("(?:decided_)?seq":)(\d+)/g,
          (_, name, seq) => name + (Number(seq) + 1e6),
        ),
        // The log declares no gap at that time.
        (name, value) => (name === 'gap_from' || name === 'gap_to' ? undefined : value),
      ) as Draft;
    const forged = rewritten(honest, (all) => all.push(...invented().map(moved)));
    expect(await findingsOf(forged)).toEqual([]);
    const { findings } = await verifyWithTape(forged, log.tape);
    const found = new Set(findings.map(({ signal }) => signal));
    expect(found).toEqual(winners as Set<string>);
  });
});

describe('order in time', () => {
  const edited = (edit: (all: Draft[]) => void) => findingsOf(rewritten(log.lines, edit));
  const earlier = (draft: Draft, ms: number): string => new Date(timeOf(draft) - ms).toISOString();

  test('finds a record that is older than the one before, or than the opening', async () => {
    const n = log.types.lastIndexOf('voided');
    const found = await edited((all) => {
      all[n]!.at = earlier(all[n - 1]!, 1);
    });
    expect(found.map(({ code }) => code)).toContain('time_order');
    const opened = await edited((all) => {
      all[0]!.at = earlier(all.at(-1)!, 1);
    });
    expect(opened.filter(({ code }) => code === 'time_order').length).toBeGreaterThan(900);
  });

  test('finds a quote that is older than one in a record before, of the same symbol', async () => {
    const [first, second] = [...log.types.keys()].filter((n) => log.types[n] === 'published');
    const found = await edited((all) => {
      const quote = all[second!]!.quote as { seq: number };
      quote.seq = (all[first!]!.quote as { seq: number }).seq - 1;
    });
    expect(codesOf(found)).toContain('quote_order');
  });
});
