// The state of the service: statistics of the session, health and readiness.
import { z } from 'zod';
import { integer, namedObject, timestamp } from '../common/values.ts';

export const SessionStatistics = namedObject('SessionStatistics', 'Statistics of the current session', () => ({
  instruments_active: integer('Instruments with a tick in the last 60 seconds'),
  clients_connected: integer('Open authenticated WebSocket connections'),
  signals_active: integer('Active signals'),
  ai_models_available: z.array(z.string()).meta({ description: 'Ids of the models that are currently available' }),
  server_time: timestamp('Current time of the service'),
  uptime_seconds: integer('Seconds since the service was started'),
}));
export type SessionStatistics = z.infer<typeof SessionStatistics>;

const status = z.enum(['ok', 'starting', 'stopping', 'degraded']).meta({ description: 'State' });

export const Health = namedObject('Health', 'Liveness of the process', () => ({ status }));
export type Health = z.infer<typeof Health>;

export const Readiness = namedObject('Readiness', 'Readiness of the service', () => ({
  status,
  checks: z
    .record(z.string(), z.string())
    .meta({ description: 'Result of each check by component: `ok`, or the problem' }),
}));
export type Readiness = z.infer<typeof Readiness>;
