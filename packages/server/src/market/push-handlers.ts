// Ticks that clients push: POST /ingest/ticks and /ws/ingest.
import type { IngestAnswer } from '@tickwire/contract';
import type { Caller } from '../access/keyring.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { LineRequests } from '../http/line-requests.ts';
import { type PushFeed, TickTally } from './feeds/push/push-feed.ts';

export interface PushHandlersOptions {
  /** `null` if the service does not accept pushed ticks. */
  readonly feed: () => PushFeed | null;
  readonly lines: LineRequests;
}

export class PushHandlers {
  readonly #options: PushHandlersOptions;

  constructor(options: PushHandlersOptions) {
    this.#options = options;
  }

  ticks(request: Request, caller: Caller): Promise<string> {
    const feed = this.#feed();
    const take = (lines: readonly string[], first: number, tally: TickTally): void =>
      feed.take(lines, first, caller.account.publicId, tally);
    return this.#options.lines.postWith(() => new TickTally(), request, caller, take);
  }

  /** Throws if the service does not accept pushed ticks. */
  open(): void {
    this.#feed();
  }

  /** Lines of a WebSocket connection. */
  push(caller: Caller, lines: readonly string[]): IngestAnswer {
    const feed = this.#feed();
    this.#options.lines.count(caller, lines.length);
    const tally = new TickTally();
    feed.take(lines, 1, caller.account.publicId, tally);
    return tally.result();
  }

  #feed(): PushFeed {
    const feed = this.#options.feed();
    if (feed) return feed;
    throw new ServiceError(
      'ingest_disabled',
      'This service does not accept pushed ticks. Start it with TICKWIRE_FEEDS=push.',
    );
  }
}
