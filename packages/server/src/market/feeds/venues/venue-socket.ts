// The WebSocket connection to a venue: opens it, sends the subscribe requests at the allowed rate, waits until all are
// confirmed, then passes on what arrives. A connection ends once, with one reason.
import type { ConnectorSink, VenueConnection } from '../connector.ts';
import { ALL_REQUESTS, type Mapper } from '../mapper.ts';
import type { SubscribeRequest, Venue, VenueTiming } from './venue.ts';

interface VenueSocketOptions {
  readonly venue: string;
  readonly url: string;
  readonly requests: readonly SubscribeRequest[];
  readonly map: Mapper;
  readonly sink: ConnectorSink;
  readonly timing: VenueTiming;
  readonly heartbeat?: Venue['heartbeat'];
}

export async function openVenueSocket(options: VenueSocketOptions): Promise<VenueConnection> {
  const { venue, url, requests, map, sink, timing, heartbeat } = options;
  // The DOM types, which the workspace shares with the terminal, do not have `terminate`.
  const socket = new WebSocket(url) as WebSocket & Pick<Bun.WebSocket, 'terminate'>;
  socket.binaryType = 'arraybuffer';
  const opened = Promise.withResolvers<void>();
  const confirmed = Promise.withResolvers<void>();
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<string>();
  const pending = new Set(requests.flatMap(({ replyKeys }) => replyKeys));
  let ended = false;
  let beat: ReturnType<typeof setInterval> | undefined;

  const end = (reason: string): void => {
    if (ended) return;
    ended = true;
    clearInterval(beat);
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
  socket.addEventListener('ping', () => ended || sink.alive());
  socket.onmessage = ({ data }) => {
    if (ended) return;
    if (typeof data !== 'string') return sink.complain('binary frame: the protocol has none');
    const mapped = map(data, Date.now());
    for (const complaint of mapped.complaints) sink.complain(complaint);
    if (mapped.events.length > 0) sink.events(mapped.events);
    else if (mapped.complaints.length === 0) sink.alive();
    for (const { request, error } of mapped.replies ?? []) {
      if (error !== null) return end(`subscription refused: ${error}`);
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
    if (heartbeat) beat = setInterval(() => socket.send(heartbeat.text), heartbeat.everyMs);
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
  return { closed, close: () => end('closed by us') };
}
