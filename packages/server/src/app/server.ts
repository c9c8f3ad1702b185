// The HTTP server of a node: REST, WebSocket and pages on one port, made of the modules of the node.
import { CHANNELS } from '@tickwire/contract';
import { KeySync } from '../access/key-sync.ts';
import type { IngestProxy } from '../cluster/link/ingest-proxy.ts';
import type { SharedSlots } from '../cluster/shared-slots.ts';
import { Api } from '../http/api.ts';
import { MAX_BODY_BYTES } from '../http/body.ts';
import { corsFor } from '../http/cors.ts';
import { type Handler, OTHER_PATHS, type Routes } from '../http/handler.ts';
import type { readTls } from '../http/listen.ts';
import type { Port, PortOptions, Ports } from '../http/ports.ts';
import { requireOneHost } from '../http/request-path.ts';
import { closeAfterUnreadBody } from '../http/unread-body.ts';
import type { Module } from '../module/module.ts';
import type { Metrics } from '../ops/metrics.ts';
import type { Timers } from '../ops/timers.ts';
import { upgradeTo } from '../streams/upgrade.ts';
import type { Connection } from '../ws/connection.ts';
import { Gateway } from '../ws/gateway.ts';
import { handlerOfPort } from '../ws/shared-port.ts';
import {
  type Domains,
  openReplays,
  openServiceModule,
  type ReplayOptions,
  type ServedOptions,
  servedModules,
} from './modules.ts';
import type { NodeContext } from './node-context.ts';
import type { Pipeline } from './pipeline.ts';
import type { ReadModels } from './read-models.ts';

const REFRESH_MS = 250;
const DRAIN_MS = 2_000;

export interface HttpServerOptions
  extends NodeContext,
    Pick<ServedOptions, 'throttle' | 'clients' | 'startedAt'>,
    Pick<ReplayOptions, 'sessions'> {
  readonly readModels: ReadModels;
  readonly domains: Domains;
  /** The pipeline in this process; `null` on a gateway node, which uses `ingestProxy` instead. */
  readonly pipeline: Pipeline | null;
  readonly ingestProxy?: IngestProxy;
  /** The port of an ingest node: serves only `/healthz` and `/readyz`. Gateways use the link server. Default `false`. */
  readonly internal?: boolean;
  readonly sharedSlots?: SharedSlots;
  readonly tls: ReturnType<typeof readTls>;
  readonly ports: Ports;
}

export interface HttpServer {
  readonly api: Api;
  readonly gateway: Gateway;
  /** All modules of the node. */
  readonly modules: readonly Module[];
  /** Opens the port, or takes over one that is open. Every key created before is accepted then. */
  listen(port?: Port<Connection>): Promise<URL>;
  metrics(metrics: Metrics): void;
  start(timers: Timers): void;
  /** Rejects new requests and connections with `shutting_down`. */
  rejectNew(): void;
  /** Notifies clients, drains their connections and closes the port. */
  stop(): Promise<void>;
}

export function openHttpServer(options: HttpServerOptions): HttpServer {
  const { config, store, access, readModels, domains, pipeline, ingestProxy, reads, now, log } = options;
  const { internal = false, tls, sharedSlots, ports } = options;
  const { keyring, failures, guard } = access;
  const { journal, market } = readModels;
  const simulated = config.realm === 'sim';
  let isStopping = false;
  const stopping = (): boolean => isStopping;
  const gateway = new Gateway({
    channels: domains.modules.flatMap(({ channels }) => channels?.() ?? []),
    catalogue: market,
    keyring,
    failures,
    journal,
    simulated,
    ingest: pipeline?.push ?? ingestProxy!,
    follows: pipeline === null,
    ...(sharedSlots && { sharedSlots }),
    limits: config,
    log,
    now,
  });
  const served = { ...options, bars: domains.bars, rows: domains.rows, gateway, stopping };
  // The port of an ingest node serves health checks, and the link port what gateways forward.
  const replays = internal ? null : openReplays(served);
  const own = replays ? [...servedModules(served), replays] : [openServiceModule(served)];
  const modules = [...domains.modules, ...own];
  const api = new Api({
    routes: routesOf(modules),
    ...(ingestProxy && { forward: (name) => ingestProxy.handler(name) }),
    guard,
    keyring,
    reads,
    allowOrigin: corsFor(config.cors_origins),
    resolveSymbol: (code) => market.resolve(code),
    ...(replays && { asOf: replays.asOf }),
    simulated,
    tls: tls !== null,
    now,
    log,
    stopping,
  });
  const { [OTHER_PATHS]: fallback = api.notFound, ...paths } = internal
    ? api.routes(['healthz', 'readyz'])
    : pathsOf(modules, api);
  const checked = (handle: Handler): Handler =>
    closeAfterUnreadBody((request, peers) => {
      try {
        requireOneHost(request);
      } catch (error) {
        return api.refuse(error, request, peers);
      }
      return handle(request, peers);
    });
  const upgrade = {
    api,
    guard,
    connections: gateway.connections,
    now,
    stopping,
    ...(replays && { asOf: replays.stream }),
  };
  const serveOptions: PortOptions<Connection> = {
    hostname: config.host,
    reusePort: config.reuse_port,
    ...(tls && { tls }),
    // A little more than our own limit, which rejects a body with an explanation.
    maxRequestBodySize: MAX_BODY_BYTES + 64 * 1024,
    idleTimeout: 60,
    routes: {
      ...Object.fromEntries(Object.entries(paths).map(([path, handle]) => [path, checked(handle)])),
      ...(!internal && {
        '/ws': upgradeTo('ws', upgrade),
        ...Object.fromEntries(
          [...CHANNELS, 'ingest' as const].map((kind) => [`/ws/${kind}`, upgradeTo(kind, upgrade)]),
        ),
      }),
    },
    fetch: checked(fallback),
    websocket: handlerOfPort(gateway.handler),
    error: (error: unknown) => api.refuse(error, new Request('http://localhost/'), null),
  };
  const keySync = new KeySync(store.access, keyring);
  let listening: Port<Connection> | null = null;

  return {
    api,
    gateway,
    modules,
    async listen(port) {
      // Without the store, the timer loads them as soon as it is back.
      await keySync.join().catch((error) => log.warn('new keys could not be loaded', { error }));
      port?.reload(serveOptions);
      listening = port ?? ports.open('port', config.port, serveOptions);
      gateway.start(listening);
      return listening.url;
    },
    metrics(metrics) {
      observeRequests(metrics, api);
      if (!internal) observeStreams(metrics, gateway);
    },
    start: (timers) => keySync.start(timers, REFRESH_MS),
    rejectNew() {
      isStopping = true;
    },
    async stop() {
      isStopping = true;
      await keySync.stop().catch((error) => log.warn('the stop could not be reported', { error }));
      await gateway.stop(DRAIN_MS);
      await listening?.stop();
    },
  };
}

/** The routes of all modules. Two modules with a route for the same endpoint are a mistake. */
function routesOf(modules: readonly Module[]): Routes {
  const routes: Record<string, Routes[keyof Routes]> = {};
  for (const { routes: own = {} } of modules)
    for (const [name, route] of Object.entries(own)) {
      if (name in routes) throw new Error(`two modules have a route for the endpoint ${name}`);
      routes[name] = route;
    }
  return routes;
}

/** Handlers of all paths of the node, in the notation of the runtime's router. */
function pathsOf(modules: readonly Module[], api: Api): Record<string, Handler> {
  const routes = api.routes();
  return Object.assign({}, routes, ...modules.map(({ paths }) => paths?.(api, routes)));
}

function observeRequests(metrics: Metrics, api: Api): void {
  metrics.counter('tickwire_http_responses_total', 'Responses by status', () =>
    [...api.responses.statuses].map(([status, count]) => [{ status: String(status) }, count] as const),
  );
  metrics.histogram('tickwire_http_seconds', 'Duration of successful requests', api.latency);
}

function observeStreams(metrics: Metrics, gateway: Gateway): void {
  metrics.gauge('tickwire_ws_connections', 'Open connections', () => gateway.connections.size);
  metrics.counter('tickwire_ws_refused_total', 'Connections refused at the handshake, by reason', () =>
    Object.entries(gateway.connections.refused).map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.counter('tickwire_ws_closed_total', 'Connections closed with an error, by reason', () =>
    [...gateway.connections.closed].map(([reason, count]) => [{ reason }, count] as const),
  );
  metrics.gauge('tickwire_ws_clients', 'Open authenticated connections', () => gateway.slots.total);
  metrics.counter('tickwire_ws_messages_in_total', 'Messages from clients', () => gateway.counts.received);
  metrics.counter(
    'tickwire_ws_published_total',
    'Messages published, each counted once for all its subscribers',
    () => gateway.counts.published,
  );
  metrics.counter('tickwire_ws_slow_total', 'Times a client became slow', () => gateway.counts.slow);
  metrics.counter('tickwire_ws_conflated_total', 'Messages dropped for slow clients', () => gateway.counts.dropped);
  metrics.counter(
    'tickwire_ws_replays_cut_total',
    'Replays that ended with a gap because their account had replayed too much',
    () => gateway.replayQuota.cut,
  );
}
