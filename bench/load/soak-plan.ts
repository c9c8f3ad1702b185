// Plans the readers of a soak: subscriptions and behaviour of each. Seeded, so that a soak can be repeated with the same readers.
import { CATALOGUE } from '@tickwire/engine';
import { seededRandom } from '../contenders/signal-pool.ts';

export const BEHAVIOURS = ['steady', 'slow', 'stalling', 'restless'] as const;
/** steady: reads immediately; slow: reads less than it is sent; stalling: pauses; restless: disconnects and returns. */
export type ReaderBehaviour = (typeof BEHAVIOURS)[number];
export type SoakChannel = 'market' | 'orderflow' | 'signals' | 'news';

export interface SoakPlan {
  readonly channel: SoakChannel;
  readonly behaviour: ReaderBehaviour;
  /** `null`: all symbols of the channel. */
  readonly symbols: readonly string[] | null;
  /** Fraction of its messages that a slow reader reads. */
  readonly share: number;
}

const SLOW = 0.1;
const STALLING = 0.05;
const RESTLESS = 0.15;
/** Number of symbols of a reader that should keep up. */
const FEW = 5;

/** The first readers cover all behaviours, so that a small soak has each of them. */
export function planReaders(readers: number, seed: number): SoakPlan[] {
  const roll = seededRandom(seed);
  return Array.from({ length: readers }, (_, index) => {
    const behaviour = BEHAVIOURS[index] ?? behaviourOf(roll());
    const channel = index < BEHAVIOURS.length ? 'market' : channelOf(roll());
    const mayFallBehind = behaviour === 'slow' || behaviour === 'stalling';
    const all = mayFallBehind || channel === 'signals' || channel === 'news';
    return { channel, behaviour, symbols: all ? null : some(roll), share: 0.15 + 0.65 * roll() };
  });
}

function behaviourOf(drawn: number): ReaderBehaviour {
  if (drawn < SLOW) return 'slow';
  if (drawn < SLOW + STALLING) return 'stalling';
  return drawn < SLOW + STALLING + RESTLESS ? 'restless' : 'steady';
}

function channelOf(drawn: number): SoakChannel {
  if (drawn < 0.05) return 'orderflow';
  if (drawn < 0.08) return 'signals';
  return drawn < 0.11 ? 'news' : 'market';
}

function some(roll: () => number): string[] {
  const chosen = new Set<string>();
  while (chosen.size < FEW) chosen.add(CATALOGUE[Math.floor(roll() * CATALOGUE.length)]!.symbol);
  return [...chosen];
}
