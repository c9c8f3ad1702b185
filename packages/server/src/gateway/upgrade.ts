// The WebSocket handshake: a key in its header is checked here, before there is a connection.
import type { Server } from 'bun';
import type { Api } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import type { Guard } from '../http/guard.ts';
import { Connection, type StreamKind } from './connection.ts';

export interface UpgradeOptions {
  readonly api: Api;
  readonly guard: Guard;
  readonly now: () => number;
  readonly stopping: () => boolean;
}

export type Upgrade = (request: Request, server: Server<Connection>) => Response | undefined;

export function upgradeTo(channel: StreamKind, { api, guard, now, stopping }: UpgradeOptions): Upgrade {
  const required = (detail: string) => new ApiError('upgrade_required', detail, { headers: { Upgrade: 'websocket' } });
  return (request, server) => {
    try {
      if (!names(request, 'upgrade', 'websocket') || !names(request, 'connection', 'upgrade'))
        throw required('Connect with a WebSocket client.');
      if (stopping())
        throw new ApiError('shutting_down', 'The service is stopping.', { headers: { 'Retry-After': '2' } });
      const caller = guard.hasKey(request) ? guard.authenticate(request, server, now()) : null;
      if (caller) guard.scope(caller, channel === 'ingest' ? 'ingest' : 'read');
      const data = new Connection(channel, guard.address(request, server), caller, now());
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
