// A request on its way through the checks to its endpoint, and what they find out about it.
import type { Caller } from '../access/caller.ts';
import type { PeerLookup } from '../access/guard.ts';
import type { HandlerCall, RoutedRequest } from './handler.ts';

export const EMPTY = {};

export class Exchange implements HandlerCall {
  readonly id: string;
  readonly request: RoutedRequest;
  readonly peers: PeerLookup;
  readonly now: number;
  /** Whether the request was counted, or counts against no limit. If false, a failure counts against the address. */
  isCounted: boolean;
  url = '';
  /** Index of the path in the URL. */
  path = 0;
  caller: Caller | null = null;
  params: Readonly<Record<string, string>> = EMPTY;
  query: Record<string, unknown> = EMPTY;
  /** Unknown parameters or fields, as the response header names them. */
  unknown: string | null = null;

  constructor(id: string, request: RoutedRequest, peers: PeerLookup, now: number, isCounted: boolean) {
    this.id = id;
    this.request = request;
    this.peers = peers;
    this.now = now;
    this.isCounted = isCounted;
  }
}
