// Subscriptions in words: what they follow, what they tell, and where their messages go.
import type { Destination, Subscription } from '@tickwire/client';
import { CHANNEL } from './alert-labels.ts';

type Events = Subscription['events'];

/** What a follower may want to know, with the events of a subscription. */
export const TELLS: readonly { readonly value: string; readonly text: string; readonly events: Events }[] = [
  { value: 'all', text: 'everything: published, filled, closed', events: ['published', 'filled', 'closed'] },
  { value: 'published', text: 'new signals only', events: ['published'] },
  { value: 'closed', text: 'results only', events: ['closed'] },
];

export function tellsText({ events, mirror }: Pick<Subscription, 'events' | 'mirror'>): string {
  const told = events.join(', ');
  return mirror ? `${told} (mirror for a community)` : told;
}

type Delivered = Pick<Subscription, 'deliver' | 'delay_seconds'>;

/** Every message is in the terminal as well. A destination of `known` is called by its name if it has one. */
export function whereText({ deliver, delay_seconds: delay }: Delivered, known: readonly Destination[] = []): string {
  const elsewhere = deliver
    .filter(({ channel }) => channel !== 'in_app')
    .map(({ channel, destination, address }) => {
      const name = known.find(({ id }) => id === destination)?.name ?? address;
      return `${CHANNEL[channel]} ${name}`.trim();
    });
  return `${['this terminal', ...elsewhere].join(', ')}${delay > 0 ? `, ${delay} s later` : ''}`;
}

/** The subscription by which an account follows a publisher. Mirrors post for others and do not count. */
export const followOf = (items: readonly Subscription[], publisherId: string): Subscription | undefined =>
  items.find(({ publisher, mirror }) => publisher?.id === publisherId && !mirror);
