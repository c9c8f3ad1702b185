// The service itself: health checks and session statistics.
import { iso, type SessionStatistics } from '@tickwire/contract';
import { MINUTE_MS } from '@tickwire/engine';
import { type Checks, readiness } from '../http/readiness.ts';
import type { MarketView } from '../market/market-view.ts';
import type { Module } from '../module/module.ts';

/** An instrument counts as active if it had a tick within this time. */
const ACTIVE_MS = MINUTE_MS;

export interface ServiceModuleOptions {
  readonly market: MarketView;
  readonly clients: () => number;
  readonly activeSignals: () => number;
  /** Names of the models that can score texts now. */
  readonly models: () => readonly string[];
  /** The state of each part, as `/readyz` reports it. */
  readonly checks: () => Checks;
  readonly stopping: () => boolean;
  readonly startedAt: number;
}

export function serviceModule(options: ServiceModuleOptions): Module {
  const { market, clients, activeSignals, models, checks, stopping, startedAt } = options;
  return {
    routes: {
      healthz: () => JSON.stringify({ status: stopping() ? 'stopping' : 'ok' }),
      readyz: () => readiness(checks(), stopping()),
      session({ now }) {
        const statistics: SessionStatistics = {
          instruments_active: market.activeSince(now - ACTIVE_MS),
          clients_connected: clients(),
          signals_active: activeSignals(),
          ai_models_available: [...models()],
          server_time: iso(now),
          uptime_seconds: Math.floor((now - startedAt) / 1000),
        };
        return JSON.stringify(statistics);
      },
    },
  };
}
