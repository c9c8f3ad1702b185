// The socket part that all venues share: open, ask for the subscriptions at the venue's pace, wait until every request
// is granted, then hand on what comes. The connection ends once, with one reason.
import type { SourceLink, SourceSink } from '../source.ts';
import type { Mapper, VenueTiming } from './venue.ts';

export interface Subscription {
  readonly text: string;
  /** Names under which the mapper reports the grants that this request needs. */
  readonly grants: readonly string[];
}

interface Dial {
  readonly venue: string;
  readonly url: string;
  readonly subscriptions: readonly Subscription[];
  readonly map: Mapper;
  readonly sink: SourceSink;
  readonly timing: VenueTiming;
}

/** An answer under this name speaks about every request still open. */
export const EVERY_REQUEST = '*';

export async function openVenue({ venue, url, subscriptions, map, sink, timing }: Dial): Promise<SourceLink> {
  // The browser's types, which the workspace shares with the terminal, do not know terminate.
  const socket = new WebSocket(url) as WebSocket & Pick<Bun.WebSocket, 'terminate'>;
  socket.binaryType = 'arraybuffer';
  const opened = Promise.withResolvers<void>();
  const granted = Promise.withResolvers<void>();
  const { promise: closed, resolve: settle } = Promise.withResolvers<string>();
  const open = new Set(subscriptions.flatMap(({ grants }) => grants));
  let over = false;

  const end = (reason: string): void => {
    if (over) return;
    over = true;
    // A closing handshake would wait for a peer that may be dead.
    socket.terminate();
    settle(reason);
    opened.reject(new Error(`${venue}: ${reason}`));
    granted.reject(new Error(`${venue}: ${reason}`));
  };
  // Whichever of the two nobody waits for any more must not count as unhandled.
  opened.promise.catch(() => undefined);
  granted.promise.catch(() => undefined);

  socket.onopen = () => opened.resolve();
  socket.onclose = ({ code, reason }) => end(`closed by the venue (${code}${reason ? ` ${reason}` : ''})`);
  socket.onerror = (event) => end(`connection failed${'message' in event ? `: ${String(event.message)}` : ''}`);
  // The runtime answers pings itself, with their payload; here they only show that somebody is there.
  socket.addEventListener('ping', () => over || sink.alive());
  socket.onmessage = ({ data }) => {
    if (over) return;
    if (typeof data !== 'string') return sink.complain('binary frame: this protocol has none');
    const mapped = map(data, Date.now());
    for (const what of mapped.complaints) sink.complain(what);
    if (mapped.events.length > 0) sink.events(mapped.events);
    else if (mapped.complaints.length === 0) sink.alive();
    for (const { request, error } of mapped.answers ?? []) {
      if (error !== null) return end(`subscription refused: ${error}`);
      if (request === EVERY_REQUEST) open.clear();
      open.delete(request);
      if (open.size === 0) granted.resolve();
    }
    if (mapped.leaving !== undefined) end(mapped.leaving);
  };

  let timer = setTimeout(() => end(`no connection within ${timing.openMs} ms`), timing.openMs);
  try {
    await opened.promise;
    clearTimeout(timer);
    for (const [index, { text }] of subscriptions.entries()) {
      if (index > 0) await Promise.race([Bun.sleep(timing.requestPaceMs), closed]);
      if (over) break;
      socket.send(text);
    }
    timer = setTimeout(() => end(`subscriptions not confirmed within ${timing.answerMs} ms`), timing.answerMs);
    await granted.promise;
  } finally {
    clearTimeout(timer);
  }
  return { closed, close: () => end('closed by us') };
}
