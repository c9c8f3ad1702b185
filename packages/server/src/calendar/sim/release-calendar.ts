// Invented economic releases at the usual hours. The releases of a day are a function of the seed and the day.
import type { Noise } from '../../market/feeds/sim/noise.ts';

const HOURS = ['06:00', '07:00', '08:30', '09:00', '10:00', '12:30', '13:30', '14:00', '15:00', '18:00'] as const;
export const RELEASES = [
  'inflation report',
  'jobs report',
  'retail sales figures',
  'factory output data',
  'consumer confidence survey',
  'trade balance figures',
  'home sales data',
  'economic growth estimate',
  'services PMI survey',
  'manufacturing PMI survey',
  'producer price index',
  'unemployment figures',
  'wage growth data',
] as const;
/** Share of the hours that have a release. */
const SHARE = 0.7;
export const AHEAD_MINUTES = 20;
export const AFTER_MINUTES = 15;

export interface Release {
  readonly name: string;
  /** UTC, such as 12:30. */
  readonly clock: string;
  /** Minute of the UTC day. */
  readonly minute: number;
}

export function releasesOf(noise: Noise, day: number): Release[] {
  const ofDay = noise.derived(day);
  const first = (ofDay.draw(HOURS.length).a >>> 0) % RELEASES.length;
  return HOURS.flatMap((clock, at) => {
    if (ofDay.uniform(at) >= SHARE) return [];
    const [hours, minutes] = clock.split(':').map(Number);
    // 5 and 13 have no common divisor, so no name occurs twice a day.
    return [{ name: RELEASES[(first + 5 * at) % RELEASES.length]!, clock, minute: hours! * 60 + minutes! }];
  });
}
