// The state of the service: statistics of the session, health and readiness.
import { z } from 'zod';
import { integer, timestamp } from '../common/values.ts';

export const SessionStatistics = z
  .object({
    instruments_active: integer('Instruments with a tick in the last 60 seconds'),
    clients_connected: integer('Open authenticated WebSocket connections'),
    signals_active: integer('Active signals'),
    ai_models_available: z.array(z.string()).meta({ description: 'Ids of the models that are currently available' }),
    server_time: timestamp('Current time of the service'),
    uptime_seconds: integer('Seconds since the service was started'),
  })
  .meta({ id: 'SessionStatistics', description: 'Statistics of the current session' });
export type SessionStatistics = z.infer<typeof SessionStatistics>;

const status = z.enum(['ok', 'starting', 'stopping', 'degraded']).meta({ description: 'State of the service' });

export const Health = z.object({ status }).meta({ id: 'Health', description: 'Liveness of the process' });

export const Readiness = z
  .object({
    status,
    checks: z
      .record(z.string(), z.string())
      .meta({ description: 'Result of each check by component: `ok`, or the problem' }),
  })
  .meta({ id: 'Readiness', description: 'Readiness of the service' });
