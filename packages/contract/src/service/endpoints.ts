// Endpoints about the service itself.
import { endpoint, PUBLIC, READ } from '../common/endpoint.ts';
import { Health, Readiness, SessionStatistics } from './schemas.ts';

const HEALTH = { ...PUBLIC, method: 'GET', tag: 'Service' } as const;

export const SERVICE_ENDPOINTS = {
  session: endpoint({
    ...READ,
    path: '/api/session',
    ignoresUnknown: true,
    tag: 'Service',
    summary: 'Get session statistics',
    description: 'Returns statistics of the current trading session.',
    response: SessionStatistics,
  }),
  healthz: endpoint({
    ...HEALTH,
    path: '/healthz',
    summary: 'Check liveness',
    description: 'Returns 200 while the process is running.',
    unlimited: true,
    response: Health,
  }),
  readyz: endpoint({
    ...HEALTH,
    path: '/readyz',
    summary: 'Check readiness',
    // Probes may add parameters such as `detail`.
    ignoresUnknown: true,
    description: 'Returns 200 if the service is ready and 503 if it is not, with the result of each check.',
    unlimited: true,
    response: Readiness,
  }),
} as const;
