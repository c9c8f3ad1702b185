// What is wrong with the feeds, in sentences that name the venue, the cause, and what replaces it. Read by the log, /readyz,
// /api/feeds, `tickwire doctor` and the terminal.
import type { MarketSymbol } from '@tickwire/engine';
import type { Refusal } from './connector.ts';
import type { FeedStatus } from './feed.ts';

/** A feed of a venue, as far as its problems go. */
export type VenueStatus = Pick<FeedStatus, 'name' | 'state' | 'symbols' | 'failure' | 'refused'> & {
  readonly title: string;
  /** As in VenueConnector. */
  readonly isSubscribed?: (symbol: MarketSymbol) => boolean;
};

export interface Delivery {
  /** The feeds of a symbol, in the order of the configuration. */
  candidates(symbol: MarketSymbol): readonly string[];
  /** The feed whose prices count. */
  owner(symbol: MarketSymbol): string | undefined;
}

export const NOTHING_REACHABLE =
  'No venue is reachable from here. For simulated markets, start without --live or with TICKWIRE_FEEDS=sim, or choose them under Operator › Markets if nothing else sets the feeds.';

/** Symbols that a sentence lists. */
const MAX_LISTED = 5;

const REFUSALS: Readonly<Record<Refusal, string>> = { 'not offered': 'does not offer', 'not trading': 'has halted' };

export class FeedProblems {
  readonly #venues: () => readonly VenueStatus[];
  readonly #delivery: Delivery;
  readonly #hasPush: boolean;
  readonly #isPushActive: () => boolean;

  /** `hasPush`: prices of any instrument may be pushed; `isPushActive`: some were a moment ago. */
  constructor(
    venues: () => readonly VenueStatus[],
    delivery: Delivery,
    hasPush = false,
    isPushActive: () => boolean = () => false,
  ) {
    this.#venues = venues;
    this.#delivery = delivery;
    this.#hasPush = hasPush;
    this.#isPushActive = isPushActive;
  }

  /** The problem of each venue that has one, by its name. */
  get byFeed(): ReadonlyMap<string, string> {
    const venues = this.#venues();
    return new Map(
      venues.flatMap((venue): [string, string][] => {
        const text = this.#problem(venue, venue.symbols, venues);
        return text === null ? [] : [[venue.name, text]];
      }),
    );
  }

  /** Said instead of all problems: no venue is connected, each has failed, and no prices are pushed. */
  get nothingReachable(): string | null {
    const venues = this.#venues();
    const isNothing = venues.length > 0 && venues.every(({ failure }) => failure) && !this.#isPushActive();
    return isNothing ? NOTHING_REACHABLE : null;
  }

  /** Which feed delivers a symbol, and why its first venue does not; `null` if there is nothing to say. */
  of(symbol: MarketSymbol): { readonly feed: string | null; readonly problem: string | null } {
    const venues = this.#venues();
    const candidates = this.#delivery.candidates(symbol);
    if (candidates.length === 0)
      return { feed: null, problem: this.#hasPush ? null : `No configured feed offers ${symbol}.` };
    const owner = this.#delivery.owner(symbol);
    const feed = venues.find((venue) => venue.name === owner && delivers(venue, symbol))?.name ?? null;
    const first = candidates
      .map((name) => venues.find((venue) => venue.name === name)!)
      .find((venue) => venue.failure || venue.refused?.has(symbol));
    // A venue that is not needed is of no interest here.
    const isNeeded = first && (feed === null || this.#rank(symbol, first.name) < this.#rank(symbol, feed));
    const problem = isNeeded ? this.#problem(first, [symbol], venues) : null;
    return { feed, problem: feed === null ? (this.nothingReachable ?? problem) : problem };
  }

  /** Whether another venue may take over symbols of this one in a moment: it is connected, or on its first attempt. */
  mayBeReplaced(name: string): boolean {
    const venues = this.#venues();
    const able = venues.filter((each) => each.name !== name && !each.failure);
    const owned = venues.find((each) => each.name === name)?.symbols.filter((symbol) => this.#owns(name, symbol)) ?? [];
    return owned.some((symbol) => able.some((other) => other.symbols.includes(symbol) && !other.refused?.has(symbol)));
  }

  #problem(venue: VenueStatus, symbols: readonly MarketSymbol[], venues: readonly VenueStatus[]): string | null {
    const { title, failure, refused } = venue;
    if (failure) return `${title} ${failure.text}. ${this.#replacement(symbols, venue, venues)}`;
    const missing = symbols.filter((symbol) => refused?.has(symbol));
    if (missing.length === 0) return null;
    return [...Map.groupBy(missing, (symbol) => refused!.get(symbol)!)]
      .map(([why, some]) => `${title} ${REFUSALS[why]} ${listed(some)}. ${this.#replacement(some, venue, venues)}`)
      .join(' ');
  }

  #replacement(symbols: readonly MarketSymbol[], venue: VenueStatus, venues: readonly VenueStatus[]): string {
    const needed = symbols.filter((symbol) => {
      const owner = venues.find((each) => this.#owns(each.name, symbol));
      return !owner || !delivers(owner, symbol) || this.#rank(symbol, owner.name) > this.#rank(symbol, venue.name);
    });
    if (needed.length === 0) return 'Other venues deliver its instruments.';
    const byOwner = Map.groupBy(needed, (symbol) =>
      venues.find((each) => this.#owns(each.name, symbol) && delivers(each, symbol)),
    );
    const sentences = [...byOwner].flatMap(([owner, some]) => {
      if (!owner) return [];
      return `${listed(some)} now ${some.length === 1 ? 'comes' : 'come'} from ${owner.title}.`;
    });
    const lost = byOwner.get(undefined) ?? [];
    if (sentences.length === 0) return 'Nothing replaces it.';
    if (lost.length > 0) sentences.push(`Nothing replaces it for ${listed(lost)}.`);
    return sentences.join(' ');
  }

  #owns(feed: string, symbol: MarketSymbol): boolean {
    return this.#delivery.owner(symbol) === feed;
  }

  #rank(symbol: MarketSymbol, feed: string): number {
    return this.#delivery.candidates(symbol).indexOf(feed);
  }
}

const delivers = ({ state, refused, isSubscribed }: VenueStatus, symbol: MarketSymbol): boolean =>
  state === 'live' && !refused?.has(symbol) && (isSubscribed?.(symbol) ?? true);

function listed(symbols: readonly MarketSymbol[]): string {
  const rest = symbols.length - MAX_LISTED;
  return symbols.slice(0, MAX_LISTED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
