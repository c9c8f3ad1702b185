// The WebSocket handshake: a key in its header, or the cookie of a session, is checked here, and whether there is room,
// before there is a connection.
import type { Server } from 'bun';
import type { Caller } from '../access/keyring.ts';
import type { Api } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import type { Guard } from '../http/guard.ts';
import { Connection, type StreamKind } from './connection.ts';
import type { OpenConnections } from './open-connections.ts';

export interface UpgradeOptions {
  readonly api: Api;
  readonly guard: Guard;
  readonly connections: OpenConnections;
  readonly now: () => number;
  readonly stopping: () => boolean;
}

export type Upgrade = (request: Request, server: Server<Connection>) => Response | undefined;

export function upgradeTo(channel: StreamKind, { api, guard, connections, now, stopping }: UpgradeOptions): Upgrade {
  const required = (detail: string) => new ApiError('upgrade_required', detail, { headers: { Upgrade: 'websocket' } });
  const callerOf = (request: Request, server: Server<Connection>): Caller | null => {
    if (guard.hasKey(request)) return guard.authenticate(request, server, now());
    // Whoever brings ticks brings a key: a session has no scope for that.
    return channel === 'ingest' ? null : guard.streaming(request, server, now());
  };
  return (request, server) => {
    try {
      if (!names(request, 'upgrade', 'websocket') || !names(request, 'connection', 'upgrade'))
        throw required('Connect with a WebSocket client.');
      if (stopping())
        throw new ApiError('shutting_down', 'The service is stopping.', { headers: { 'Retry-After': '2' } });
      const caller = callerOf(request, server);
      if (caller) guard.scope(caller, channel === 'ingest' ? 'ingest' : 'read');
      const address = guard.address(request, server);
      connections.admit(address);
      const data = new Connection(channel, address, caller, now());
      // It opens within this call, and is counted there: no other can slip in between.
      if (server.upgrade(request, { data })) return undefined;
      throw required('The WebSocket handshake is not complete.');
    } catch (error) {
      return api.refuse(error, request);
    }
  };
}

/** Whether a header that is a list has the token, in any case. */
const names = (request: Request, header: string, token: string): boolean =>
  (request.headers.get(header) ?? '').split(',').some((each) => each.trim().toLowerCase() === token);
