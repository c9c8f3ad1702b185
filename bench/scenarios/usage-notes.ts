// Notes on machine usage during a scenario: whether the load had capacity to spare, and whether other programs interfered.
import { median } from '../measure/statistics.ts';
import type { WindowUsage } from '../measure/usage-window.ts';
import type { Figure } from '../results.ts';

const BUSY_LOAD = 0.95;
export const DISTURBED = 0.05;
const SPOILT = 0.25;

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const most = (rounds: readonly WindowUsage[], of: (round: WindowUsage) => number): number =>
  Math.max(...rounds.map((round) => of(round) / round.seconds));

const shareOfOthers = (
  rounds: readonly WindowUsage[],
  of: 'othersCpu' | 'loadOthersCpu',
  fold: (shares: readonly number[]) => number,
): number => fold(rounds.map((round) => (round[of] ?? 0) / round.seconds));

/** The larger of the shares of the two cores that others took. */
export const shareTaken = ({ othersCpu, loadOthersCpu, seconds }: WindowUsage): number =>
  Math.max(othersCpu ?? 0, loadOthersCpu ?? 0) / seconds;

/** A note if other programs interfered in at least half of the rounds. On the load's core they starve the server as well. */
export function disturbance(rounds: readonly WindowUsage[], from = DISTURBED): string | null {
  const server = shareOfOthers(rounds, 'othersCpu', median);
  const load = shareOfOthers(rounds, 'loadOthersCpu', median);
  if (Math.max(server, load) < from) return null;
  return `disturbed: others took ${percent(server)} of the server's core, ${percent(load)} of the load's`;
}

/** A note if the disturbance makes even ratios unreliable. */
export const heavilyDisturbed = (rounds: readonly WindowUsage[]): string | null => disturbance(rounds, SPOILT);

export function usageNotes(rounds: readonly WindowUsage[], load: string): string[] {
  const busiest = most(rounds, ({ loadCpu }) => loadCpu);
  // A load that others keep from its core is a limit too, however little it used.
  const fullest = most(rounds, ({ loadCpu, loadOthersCpu }) => loadCpu + (loadOthersCpu ?? 0));
  const highest = (shares: readonly number[]): number => Math.max(...shares);
  const others = shareOfOthers(rounds, 'othersCpu', highest);
  const loadOthers = shareOfOthers(rounds, 'loadOthersCpu', highest);
  return [
    fullest < BUSY_LOAD
      ? `The ${load} is not the limit: it used at most ${percent(busiest)} of its core.`
      : `THE CORE OF THE ${load.toUpperCase()} WAS FULL in some rounds (it used up to ${percent(busiest)}): rates and latency may be bound by it; the ratios, per CPU second of the server, are less so.`,
    ...(Math.max(others, loadOthers) < DISTURBED
      ? []
      : [
          `DISTURBED: other programs took up to ${percent(others)} of the server's core, ${percent(loadOthers)} of the load's. Ratios per CPU second bear that better than rates, not well: work that goes by the clock weighs more on a server that is kept from its requests. Latencies do not bear it at all.`,
        ]),
  ];
}

export function usageFigures(rounds: readonly WindowUsage[]): Figure[] {
  const figure = (name: string, value: (round: WindowUsage) => number): Figure => ({
    name,
    unit: '%',
    values: rounds.map((round) => (100 * value(round)) / round.seconds),
  });
  return [
    figure('server CPU', ({ serverCpu }) => serverCpu),
    figure('load CPU', ({ loadCpu }) => loadCpu),
    figure("others on the server's core", ({ othersCpu }) => othersCpu ?? Number.NaN),
    figure("others on the load's core", ({ loadOthersCpu }) => loadOthersCpu ?? Number.NaN),
  ];
}
