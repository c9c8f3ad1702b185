// Converts the rounds of a REST scenario into figures, ratios and explanatory notes.
import type { HttpResult } from '../load/http-load.ts';
import type { Contender, Rounds } from '../measure/quiet-rounds.ts';
import { ratios } from '../measure/statistics.ts';
import type { Figure, ReportRow, ReportSection, TargetCheck } from '../results.ts';
import { TARGETS, type Target } from '../targets.ts';
import { ACCOUNTS, type RestWorkload, type SampleResponse } from './rest-spec.ts';
import { OURS } from './scenario.ts';
import { disturbance, heavilyDisturbed, usageFigures, usageNotes } from './usage-notes.ts';

const perCpuSecond = ({ requests, serverCpu }: HttpResult): number => requests / serverCpu;

export function restSection(
  { title, path, kind, connections }: RestWorkload,
  contenders: readonly Contender<HttpResult>[],
  rounds: Rounds<HttpResult>,
  { headers, body }: SampleResponse,
): ReportSection {
  const lines = contenders.map(
    ({ name, missing }): ReportRow => ({ contender: name, missing, figures: figuresOf(rounds.get(name)!) }),
  );
  const of = (name: string): number[] => rounds.get(name)!.map(perCpuSecond);
  const against = ({ name, missing }: Contender<HttpResult>, bar: Target | null): TargetCheck => ({
    what: `${title}: against ${name}`,
    unit: '×',
    values: ratios(of(OURS), of(name)),
    bar,
    unjudged: missing ?? heavilyDisturbed([...rounds.get(OURS)!, ...rounds.get(name)!]),
    caveat: disturbance([...rounds.get(OURS)!, ...rounds.get(name)!]),
  });
  const [, bare, checked, peer] = contenders;
  const quote = kind === 'quote';
  return {
    title: `${title}: GET ${path}`,
    lines,
    verdicts: [
      against(peer!, quote ? TARGETS.quoteFastify : TARGETS.historyFastify),
      against(checked!, quote ? TARGETS.quoteChecked : TARGETS.historyChecked),
      against(bare!, quote ? TARGETS.quoteBare : null),
    ],
    notes: [
      `${connections} keep-alive connections, one request in flight on each; ${ACCOUNTS} accounts in turn; every response was 200 (checked).`,
      `A response: ${body.length.toLocaleString('en')} bytes of body and ${Object.keys(headers).length} headers beside Date and Content-Length, on every server.`,
      `Ratios are of requests per CPU second of the server: on a shared machine that holds when wall time does not.`,
      ...usageNotes([...rounds.values()].flat(), 'load'),
    ],
  };
}

function figuresOf(rounds: readonly HttpResult[]): Figure[] {
  const figure = (name: string, unit: string, value: (round: HttpResult) => number): Figure => ({
    name,
    unit,
    values: rounds.map(value),
  });
  return [
    figure('requests per server CPU second', '', perCpuSecond),
    figure('requests/s', '', ({ requests, seconds }) => requests / seconds),
    ...usageFigures(rounds),
  ];
}
