// The WebSocket handshake: checks an API key in the header or a session cookie, and the connection limits, before the upgrade.
import type { Server, WebSocketHandler } from 'bun';
import type { Guard } from '../access/guard.ts';
import type { Caller } from '../access/keyring.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Api } from '../http/api.ts';
import { requireOneHost } from '../http/request-path.ts';
import { Connection, type StreamKind } from '../ws/connection.ts';
import type { OpenConnections } from '../ws/open-connections.ts';
import { type StreamedReplay, streamedReplay } from './streamed-replay.ts';

export interface UpgradeOptions {
  readonly api: Api;
  readonly guard: Guard;
  readonly connections: OpenConnections;
  readonly now: () => number;
  readonly stopping: () => boolean;
  /** The handler of a channel in a replay session. */
  readonly asOf?: (
    channel: StreamKind,
    replay: StreamedReplay,
    caller: Caller,
  ) => Promise<WebSocketHandler<Connection>>;
}

export type Upgrade = (
  request: Request,
  server: Server<Connection>,
) => Response | undefined | Promise<Response | undefined>;

export function upgradeTo(
  channel: StreamKind,
  { api, guard, connections, now, stopping, asOf }: UpgradeOptions,
): Upgrade {
  const required = (detail: string) =>
    new ServiceError('upgrade_required', detail, { headers: { Upgrade: 'websocket' } });
  const callerOf = (request: Request, server: Server<Connection>): Caller | null => {
    if (guard.hasKey(request)) return guard.authenticate(request, server, now());
    // Pushing ticks requires an API key: a session has no scope for it.
    return channel === 'ingest' ? null : guard.authenticateStream(request, server, now());
  };
  return (request, server) => {
    try {
      requireOneHost(request);
      if (!hasToken(request, 'upgrade', 'websocket') || !hasToken(request, 'connection', 'upgrade'))
        throw required('Connect to this path with a WebSocket client.');
      if (stopping()) throw new ServiceError('shutting_down', 'The service is stopping.', { retryAfterSeconds: 2 });
      const caller = callerOf(request, server);
      if (caller) guard.requireScope(caller, channel === 'ingest' ? 'ingest' : 'read');
      const address = guard.address(request, server);
      connections.admit(address);
      const replay = streamedReplay(request);
      const open = (handler: WebSocketHandler<Connection> | null): undefined => {
        const data = new Connection(channel, address, caller, now());
        data.handler = handler;
        // The connection opens and is counted within this call, so no other can exceed the limit in between.
        if (!server.upgrade(request, { data })) throw required('The WebSocket handshake is incomplete.');
      };
      if (asOf && replay !== null) {
        if (!caller)
          throw new ServiceError('missing_key', 'Send the API key in the header X-API-Key to stream a replay.');
        return asOf(channel, replay, caller)
          .then((handler) => {
            // Others have connected meanwhile.
            connections.admit(address);
            open(handler);
            return undefined;
          })
          .catch((error) => api.refuse(error, request, server));
      }
      // The key may follow in a message, so the handshake counts as a request without one.
      if (!caller) guard.countAddress(request, server, now());
      return open(null);
    } catch (error) {
      return api.refuse(error, request, server);
    }
  };
}

/** Whether a comma-separated header contains the token, ignoring case. */
const hasToken = (request: Request, header: string, token: string): boolean =>
  (request.headers.get(header) ?? '').split(',').some((each) => each.trim().toLowerCase() === token);
