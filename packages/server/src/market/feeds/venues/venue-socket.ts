// The WebSocket connection to a venue: opens it, sends the subscribe requests at the allowed rate, waits until all are
// confirmed, then passes on what arrives. A connection ends once, with one reason.
import type { ConnectorSink, VenueConnection } from '../connector.ts';
import { ALL_REQUESTS, complaint, type Mapper } from '../mapper.ts';
import type { SymbolSilence } from './symbol-silence.ts';
import type { SubscribeRequest, Venue, VenueTiming } from './venue.ts';

/** How often silence is looked for, at most. */
const WATCH_MS = 500;

interface VenueSocketOptions {
  readonly venue: string;
  readonly url: string;
  readonly requests: readonly SubscribeRequest[];
  readonly map: Mapper;
  readonly sink: ConnectorSink;
  readonly timing: VenueTiming;
  readonly heartbeat?: Venue['heartbeat'];
  /** Milliseconds without a message after which the connection ends. Left out: the supervisor watches it alone. */
  readonly staleMs?: number;
  readonly silence?: SymbolSilence;
  /** Url and key of each reply, of all sockets of a connection. It ends when none is left. Default: those of this socket. */
  readonly notRefused?: Set<string>;
}

export async function openVenueSocket(options: VenueSocketOptions): Promise<VenueConnection> {
  const { venue, url, requests, map, sink, timing, heartbeat, staleMs, silence } = options;
  // The DOM types, which the workspace shares with the terminal, do not have `terminate`.
  const socket = new WebSocket(url) as WebSocket & Pick<Bun.WebSocket, 'terminate'>;
  socket.binaryType = 'arraybuffer';
  const opened = Promise.withResolvers<void>();
  const confirmed = Promise.withResolvers<void>();
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<string>();
  const pending = new Set(requests.flatMap(({ replyKeys }) => replyKeys));
  const { notRefused = new Set([...pending].map((key) => `${url} ${key}`)) } = options;
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
  // Only one of the two is awaited at a time; the other must not count as an unhandled rejection.
  opened.promise.catch(() => undefined);
  confirmed.promise.catch(() => undefined);

  socket.onopen = () => opened.resolve();
  socket.onclose = ({ code, reason }) => end(`closed by the venue (${code}${reason ? ` ${reason}` : ''})`);
  socket.onerror = (event) => end(`connection failed${'message' in event ? `: ${String(event.message)}` : ''}`);
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
    for (const { request, error, othersStream } of mapped.replies ?? []) {
      if (error !== null) {
        notRefused.delete(`${url} ${request}`);
        if (!othersStream || notRefused.size === 0) return end(`subscription refused: ${error}`);
        sink.complain(complaint('subscription refused', `${request}: ${error}`));
      }
      if (request === ALL_REQUESTS) pending.clear();
      pending.delete(request);
      if (pending.size === 0) confirmed.resolve();
    }
    if (mapped.closing !== undefined) end(mapped.closing);
  };

  const { connectTimeoutMs, confirmTimeoutMs, subscribeIntervalMs } = timing;
  let timer = setTimeout(() => end(`no connection within ${connectTimeoutMs} ms`), connectTimeoutMs);
  try {
    await opened.promise;
    clearTimeout(timer);
    if (heartbeat) timers.push(setInterval(() => socket.send(heartbeat.text), heartbeat.everyMs));
    for (const [index, { text }] of requests.entries()) {
      if (index > 0) await Promise.race([Bun.sleep(subscribeIntervalMs), closed]);
      if (ended) break;
      socket.send(text);
    }
    timer = setTimeout(() => end(`subscriptions not confirmed within ${confirmTimeoutMs} ms`), confirmTimeoutMs);
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
  silence?.restart(lastMessageAt);
  if ((silence || staleMs !== undefined) && !ended)
    timers.push(setInterval(watch, Math.min(WATCH_MS, (staleMs ?? WATCH_MS) / 4)));
  return { closed, close: () => end('closed by us') };
}
