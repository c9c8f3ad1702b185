// Endpoints about the service itself.
import { endpoint } from '../common/endpoint.ts';
import { Health, Readiness, SessionStatistics } from './schemas.ts';

export const SERVICE_ENDPOINTS = {
  session: endpoint({
    method: 'GET',
    path: '/api/session',
    tag: 'Service',
    summary: 'Get session statistics',
    description: 'Returns statistics of the current trading session.',
    auth: 'key',
    scope: 'read',
    response: SessionStatistics,
    errors: [],
  }),
  healthz: endpoint({
    method: 'GET',
    path: '/healthz',
    tag: 'Service',
    summary: 'Check liveness',
    description: 'Returns 200 while the process is running.',
    auth: 'none',
    scope: null,
    unlimited: true,
    response: Health,
    errors: [],
  }),
  readyz: endpoint({
    method: 'GET',
    path: '/readyz',
    tag: 'Service',
    summary: 'Check readiness',
    description: 'Returns 200 if the service is ready and 503 if it is not, with the result of each check.',
    auth: 'none',
    scope: null,
    unlimited: true,
    response: Readiness,
    errors: [],
  }),
} as const;
