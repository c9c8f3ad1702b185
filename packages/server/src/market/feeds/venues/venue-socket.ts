// The WebSocket connection to a venue: opens it, sends the subscribe requests at the allowed rate, waits until all are
// confirmed, then passes on what arrives. A connection ends once, with one reason.
import type { MarketSymbol } from '@tickwire/engine';
import type { ProxySettings } from '../../../config/proxy.ts';
import { openClientSocket } from '../../../ops/client-socket.ts';
import type { ConnectorSink, VenueConnection } from '../connector.ts';
import { ALL_REQUESTS, complaint, type Mapper } from '../mapper.ts';
import type { SymbolSilence } from './symbol-silence.ts';
import type { SubscribeRequest, Venue, VenueTiming } from './venue.ts';

/** Start of the reason if the venue refuses a subscription. */
export const REFUSED = 'subscription refused';
/** How often silence is looked for, at most. */
const WATCH_MS = 500;

interface VenueSocketOptions {
  readonly venue: string;
  readonly url: string;
  readonly requests: readonly SubscribeRequest[];
  readonly map: Mapper;
  readonly sink: ConnectorSink;
  readonly timing: VenueTiming;
  readonly proxies?: ProxySettings | undefined;
  readonly heartbeat?: Venue['heartbeat'];
  /** Milliseconds without a message after which the connection ends. Left out: the supervisor watches it alone. */
  readonly staleMs?: number;
  readonly silence?: SymbolSilence;
  /** The venue does not deliver this symbol, and goes on with the others. */
  readonly onRefused?: (symbol: MarketSymbol) => void;
  /** Url and key of each reply, of all sockets of a connection. It ends when none is left. Default: those of this socket. */
  readonly notRefused?: Set<string>;
}

export async function openVenueSocket(options: VenueSocketOptions): Promise<VenueConnection> {
  const { venue, url, requests, map, sink, timing, heartbeat, staleMs, silence, onRefused } = options;
  const socket = openClientSocket(new URL(url), options.proxies ?? {});
  socket.binaryType = 'arraybuffer';
  const opened = Promise.withResolvers<void>();
  const confirmed = Promise.withResolvers<void>();
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<string>();
  const pending = new Set(requests.flatMap(({ replyKeys }) => replyKeys));
  const { notRefused = new Set([...pending].map((key) => `${url} ${key}`)) } = options;
  const byKey = new Map(requests.flatMap((request) => request.replyKeys.map((key) => [key, request] as const)));
  const { connectTimeoutMs, confirmTimeoutMs, subscribeIntervalMs } = timing;
  let timer = setTimeout(() => end(`no connection within ${connectTimeoutMs} ms`), connectTimeoutMs);
  let sending: Promise<unknown> | null = null;
  let ended = false;
  const timers: ReturnType<typeof setInterval>[] = [];
  let lastMessageAt = 0;

  const end = (reason: string): void => {
    if (ended) return;
    ended = true;
    for (const timer of timers) clearInterval(timer);
    // A closing handshake would wait for a peer that may be dead.
    socket.terminate();
    resolveClosed(reason);
    opened.reject(new Error(`${venue}: ${reason}`));
    confirmed.reject(new Error(`${venue}: ${reason}`));
  };
  const send = ({ text }: SubscribeRequest): void => {
    const pause = sending?.then(() => Promise.race([Bun.sleep(subscribeIntervalMs), closed])) ?? Promise.resolve();
    sending = pause.then(() => {
      if (ended) return;
      socket.send(text);
      // Prices may be confirmed before requests that they do not need are sent.
      if (pending.size === 0) return;
      clearTimeout(timer);
      timer = setTimeout(() => end(`subscriptions not confirmed within ${confirmTimeoutMs} ms`), confirmTimeoutMs);
    });
  };
  /** Sends the parts of a request that was refused as a whole. */
  const sendParts = (key: string, parts: readonly SubscribeRequest[]): void => {
    notRefused.delete(`${url} ${key}`);
    for (const part of parts) {
      for (const each of part.replyKeys) {
        pending.add(each);
        notRefused.add(`${url} ${each}`);
        byKey.set(each, part);
      }
      send(part);
    }
  };
  // Only one of the two is awaited at a time; the other must not count as an unhandled rejection.
  opened.promise.catch(() => undefined);
  confirmed.promise.catch(() => undefined);

  socket.onopen = () => opened.resolve();
  socket.onclose = ({ code, reason }) => end(`closed by the venue (${code}${reason ? ` ${reason}` : ''})`);
  socket.onerror = (event) => {
    const { message = 'no connection', error } = event as { message?: string; error?: { code?: string } };
    end(error?.code === undefined ? message : `${message} (${error.code})`);
  };
  // The runtime answers pings itself; here they only count as signs of life.
  socket.addEventListener('ping', () => {
    if (ended) return;
    lastMessageAt = performance.now();
    sink.alive();
  });
  socket.onmessage = ({ data }) => {
    if (ended) return;
    lastMessageAt = performance.now();
    if (typeof data !== 'string') return sink.complain('binary frame: the protocol has none');
    const mapped = map(data, Date.now());
    for (const each of mapped.complaints) sink.complain(each);
    if (mapped.events.length > 0) sink.events(mapped.events);
    else if (mapped.complaints.length === 0) sink.alive();
    if (mapped.perpetuals) sink.perpetuals?.(mapped.perpetuals);
    if (mapped.liquidations) sink.liquidations?.(mapped.liquidations);
    if (mapped.duplicates) sink.duplicates?.(mapped.duplicates);
    if (silence) {
      for (const { symbol } of mapped.events) silence.heard(symbol, lastMessageAt);
      for (const { symbol } of mapped.perpetuals ?? []) silence.heard(symbol, lastMessageAt);
    }
    for (const { request, error, refused } of mapped.replies ?? []) {
      const parts = error === null ? undefined : byKey.get(request)?.parts;
      if (parts) sendParts(request, parts);
      else if (error !== null) {
        notRefused.delete(`${url} ${request}`);
        if (refused === undefined || notRefused.size === 0) return end(`${REFUSED}: ${error}`);
        sink.complain(complaint(REFUSED, `${request}: ${error}`));
        onRefused?.(refused);
      }
      if (request === ALL_REQUESTS) pending.clear();
      pending.delete(request);
      if (pending.size === 0) confirmed.resolve();
    }
    if (mapped.closing !== undefined) end(mapped.closing);
  };

  try {
    await opened.promise;
    clearTimeout(timer);
    if (heartbeat) timers.push(setInterval(() => socket.send(heartbeat.text), heartbeat.everyMs));
    for (const request of requests) send(request);
    await confirmed.promise;
  } finally {
    clearTimeout(timer);
  }
  const watch = (): void => {
    const now = performance.now();
    const silentMs = now - lastMessageAt;
    const reason = silence?.check(now) ?? null;
    if (reason !== null) end(reason);
    else if (staleMs !== undefined && silentMs > staleMs)
      end(`${new URL(url).pathname} silent for ${Math.round(silentMs / 1_000)} s`);
  };
  lastMessageAt = performance.now();
  if ((silence || staleMs !== undefined) && !ended)
    timers.push(setInterval(watch, Math.min(WATCH_MS, (staleMs ?? WATCH_MS) / 4)));
  return { closed, close: () => end('closed by us') };
}
