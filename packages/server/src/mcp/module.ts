// Tools for AI agents over the REST API of this process.
import type { Guard } from '../access/guard.ts';
import type { ReadWork } from '../http/read-work.ts';
import type { Module } from '../module/module.ts';
import type { Log } from '../ops/log.ts';
import { mcpEndpoint } from './http-endpoint.ts';
import { LocalRoutes } from './local-service.ts';

export interface McpModuleOptions {
  readonly guard: Guard;
  readonly reads: ReadWork;
  /** Origin of the configured public address; `null` if none is configured. */
  readonly publicOrigin: string | null;
  readonly stopping: () => boolean;
  readonly now: () => number;
  readonly log: Log;
}

export const mcpModule = (options: McpModuleOptions): Module => ({
  paths: (api, routes) => ({
    '/mcp': mcpEndpoint({ ...options, api, routes: new LocalRoutes(routes, api.notFound) }),
  }),
});
