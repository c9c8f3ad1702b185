// Who the readers of a soak are: what each listens to and how it behaves. Seeded: a soak can be run again with the same ones.
import { CATALOGUE } from '@tickwire/engine';
import { dice } from '../contenders/signal-crowd.ts';

export const BEHAVIOURS = ['steady', 'slow', 'stalling', 'restless'] as const;
/** Reads at once; reads less than comes; stops for a while; goes and comes back. */
export type Behaviour = (typeof BEHAVIOURS)[number];
export type SoakChannel = 'market' | 'orderflow' | 'signals' | 'news';

export interface SoakPlan {
  readonly channel: SoakChannel;
  readonly behaviour: Behaviour;
  /** null: everything the channel has. */
  readonly symbols: readonly string[] | null;
  /** How much of what comes a slow one reads. */
  readonly share: number;
}

const SLOW = 0.1;
const STALLING = 0.05;
const RESTLESS = 0.15;
/** Symbols of a reader that is not to fall behind. */
const FEW = 5;

/** The first ones have one of each behaviour, so that a small soak has them too. */
export function planReaders(readers: number, seed: number): SoakPlan[] {
  const roll = dice(seed);
  return Array.from({ length: readers }, (_, index) => {
    const behaviour = BEHAVIOURS[index] ?? behaviourOf(roll());
    const channel = index < BEHAVIOURS.length ? 'market' : channelOf(roll());
    const mayFallBehind = behaviour === 'slow' || behaviour === 'stalling';
    const all = mayFallBehind || channel === 'signals' || channel === 'news';
    return { channel, behaviour, symbols: all ? null : some(roll), share: 0.15 + 0.65 * roll() };
  });
}

function behaviourOf(drawn: number): Behaviour {
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
