// Words of direction: synonyms for up and down, and pairs of opposites that cannot both be true of one event.
import { stemsOf } from './tokenizer.ts';

const UP = `rise, rises, rising, rose, gain, gains, gained, climb, climbs, climbed, jump, jumps, jumped, surge, surges, surged, soar, soars,
  soared, rally, rallies, rallied, advance, advances, advanced, strengthen, strengthens, firm, firms, firmed, higher, up, rebound,
  rebounds, rebounded, spike, spikes, add, adds, leap, leaps`;
const DOWN = `fall, falls, falling, fell, drop, drops, dropped, slip, slips, slipped, slide, slides, slid, dip, dips, dipped, decline,
  declines, declined, tumble, tumbles, tumbled, plunge, plunges, plunged, sink, sinks, sank, ease, eases, eased, weaken, weakens,
  lower, down, retreat, retreats, retreated, lose, loses, lost, slump, slumps, slumped, crash, crashes, shed, sheds`;

export const RISE = '↑';
export const FALL = '↓';

const stemList = (words: string): string[] => words.split(/,\s*/).map((word) => stemsOf(word)[0]!);

const DIRECTION: ReadonlyMap<string, string> = new Map([
  ...stemList(UP).map((stem): [string, string] => [stem, RISE]),
  ...stemList(DOWN).map((stem): [string, string] => [stem, FALL]),
]);

/** Replaces every word of a direction by one symbol: "slips" and "dips" mean the same. */
export const normalizeDirection = (stem: string): string => DIRECTION.get(stem) ?? stem;

export const isDirection = (word: string): boolean => word === RISE || word === FALL;

const OPPOSITES: ReadonlyMap<string, string> = new Map(
  [
    [RISE, FALL],
    ...`buy/sell, beat/miss, raise/cut, hike/cut, upgrade/downgrade, approve/reject, bullish/bearish, hawkish/dovish, profit/loss,
      strong/weak, stronger/weaker, positive/negative, open/close, open/end, high/low, best/worst, more/less, above/below,
      buyer/seller, gainer/loser, hawk/dove, widen/narrow, overweight/underweight, bull/bear, support/resistance, outperform/underperform,
      green/red, win/lose, accept/refuse, confirm/deny, start/end, before/after, import/export, deficit/surplus, long/short`
      .split(/,\s*/)
      .map((pair) => pair.split('/').map((word) => stemsOf(word)[0]!)),
  ].flatMap(([one, other]) => [
    [one!, other!],
    [other!, one!],
  ]),
);

/** Whether one title has a word whose opposite is only in the other title. */
export function contradicts(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  for (const word of one) {
    const opposite = OPPOSITES.get(word);
    if (opposite && !other.has(word) && other.has(opposite) && !one.has(opposite)) return true;
  }
  return false;
}
