// Examples of the endpoints about the service itself.
import type { z } from 'zod';
import type { EndpointExamples } from '../common/endpoint.ts';
import type { SERVICE_ENDPOINTS } from './endpoints.ts';
import type { Readiness } from './schemas.ts';

export const SERVICE_EXAMPLES: EndpointExamples<typeof SERVICE_ENDPOINTS> = {
  session: {
    request: '/api/session',
    response: {
      instruments_active: 24,
      clients_connected: 311,
      signals_active: 87,
      ai_models_available: ['news-sentiment'],
      server_time: '2026-03-02T11:24:07.402Z',
      uptime_seconds: 864_213,
    },
  },
  healthz: { request: '/healthz', response: { status: 'ok' } },
  readyz: { request: '/readyz', response: { status: 'ok', checks: { store: 'ok', feed: 'ok' } } },
};

/** Body of a 503 response of `/readyz`. */
export const UNREADY_EXAMPLE: z.output<typeof Readiness> = {
  status: 'degraded',
  checks: { store: 'ok', feed: 'no tick for 94 s' },
};
