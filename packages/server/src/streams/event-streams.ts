// `GET /sse`: channels as server-sent events. The query is a subscription to each channel, and the response is a connection like
// those of WebSocket: one stream of the tier, with the same limits, replays and handling of slow clients.
import type { EventStreamQuery, StreamChannel, StreamPosition } from '@tickwire/contract';
import type { Guard } from '../access/guard.ts';
import type { Caller, Keyring } from '../access/keyring.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ApiResponse, EndpointHandler, HandlerCall } from '../http/handler.ts';
import { Connection } from '../ws/connection.ts';
import { EventId, readEventId } from '../ws/event-id.ts';
import { EventStreamSocket } from '../ws/event-stream-socket.ts';
import type { Gateway } from '../ws/gateway.ts';
import { canResume, type EventSubscription, eventSubscriptions } from './event-stream-options.ts';

/** When a stream will close is unknown; this keeps clients from retrying too often. */
const RETRY = { retryAfterSeconds: 10 };

/** How long a client that does not read may keep the response open after its end. */
const LEAVE_SECONDS = 5;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Tells nginx not to buffer the response.
  'X-Accel-Buffering': 'no',
};

export interface EventStreamsOptions {
  readonly gateway: Gateway;
  readonly guard: Guard;
  readonly keyring: Keyring;
  readonly now: () => number;
}

/** The handler of `/sse`. */
export function eventStreams({ gateway, guard, keyring, now }: EventStreamsOptions): EndpointHandler {
  const claimSlot = async (connection: Connection, caller: Caller): Promise<void> => {
    if (await gateway.slots.claim(connection, caller)) return;
    const { grantedBy, maxStreams } = caller.quota;
    throw new ServiceError('stream_limit', `${grantedBy} allows ${maxStreams} streams.`, RETRY);
  };

  /** `from`: the positions that the client states; `null` if it does not resume. */
  const subscribe = async (
    connection: Connection,
    subscriptions: readonly EventSubscription[],
    from: ReadonlyMap<StreamChannel, StreamPosition> | null,
  ): Promise<void> => {
    for (const { channel, message } of subscriptions) {
      if (connection.closed) return;
      const subscriber = connection.subscriber(channel);
      const position = canResume(message) ? from?.get(channel) : undefined;
      await gateway.subscribe.subscribe(subscriber, { ...message, ...(position && { resume_from: position }) });
      if (from && !position && !connection.closed) gateway.resume.declareUnknownPosition(subscriber);
    }
  };

  const open = async (
    { request, peers, caller }: HandlerCall,
    subscriptions: readonly EventSubscription[],
  ): Promise<ApiResponse> => {
    const address = guard.address(request, peers);
    gateway.connections.admit(address);
    const connection = new Connection('sse', address, caller, now());
    const lastId = request.headers.get('last-event-id');
    const from = lastId ? readEventId(lastId) : null;
    const resumable = subscriptions.filter(({ message }) => canResume(message)).map(({ channel }) => channel);
    const socket = new EventStreamSocket({
      topics: gateway.eventTopics,
      id: new EventId(resumable, from ?? new Map()),
      onRead: () => gateway.hasRead(connection),
      onEnd: () => {
        gateway.remove(connection);
        peers.timeout?.(request, LEAVE_SECONDS);
      },
    });
    gateway.add(connection, socket);
    request.signal.addEventListener('abort', () => socket.abandon());
    try {
      await claimSlot(connection, caller!);
    } catch (error) {
      socket.abandon();
      throw error;
    }
    keyring.touch(caller!, now());
    // The gateway itself ends streams that are silent.
    peers.timeout?.(request, 0);
    subscribe(connection, subscriptions, from).catch((error) => gateway.fault(connection, error));
    return { body: socket.body, headers: HEADERS };
  };

  return (call) => {
    const subscriptions = eventSubscriptions(
      call.query as EventStreamQuery,
      (code) => gateway.hasSymbol(code),
      (channel, message) => gateway.subscribe.invalid(channel, message),
    );
    if (call.request.method === 'HEAD') return { body: null, headers: HEADERS };
    return open(call, subscriptions);
  };
}
