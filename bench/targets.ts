// The performance targets of DESIGN.md.

export interface Target {
  readonly text: string;
  /** The median must be at least this. */
  readonly least?: number;
  /** The median must be above this. */
  readonly above?: number;
  /** The median must be below this. */
  readonly below?: number;
  /** The median must be at most this. */
  readonly most?: number;
}

const bar = (b: Target): Target => b;

export const TARGETS = {
  quoteFastify: bar({ text: '≥ 2.5 × Fastify', least: 2.5 }),
  quoteChecked: bar({ text: '≥ 0.85 of a bare Bun.serve with keys', least: 0.85 }),
  historyChecked: bar({ text: '≥ 0.8 of a bare Bun.serve with keys', least: 0.8 }),
  quoteBare: bar({ text: '≥ 0.7 of bare Bun.serve', least: 0.7 }),
  historyFastify: bar({ text: '≥ 5 × Fastify + better-sqlite3', least: 5 }),
  fanoutBare: bar({ text: '≥ 0.9 of bare Bun.serve', least: 0.9 }),
  idleMemory: bar({ text: '≤ 6 KB', most: 6 }),
  baseMemory: bar({ text: '≤ 90 MB', most: 90 }),
  engine: bar({ text: '≥ 500,000 ticks/s', least: 500_000 }),
  signalsFlat: bar({ text: 'within 1.5 ×', below: 1.5 }),
  alertsCost: bar({ text: '≥ 0.8 of the engine without alerts', least: 0.8 }),
  alertsFlat: bar({ text: 'within 1.5 ×', below: 1.5 }),
  push: bar({ text: '≥ 200,000 ticks/s', least: 200_000 }),
  pushFrames: bar({ text: '≥ 50,000 frames/s', least: 50_000 }),
  import: bar({ text: '≥ 500,000 rows/s', least: 500_000 }),
  historyParquet: bar({ text: '≥ 500,000 bars/s', least: 500_000 }),
  historyCsv: bar({ text: '≥ 1,000,000 bars/s', least: 1_000_000 }),
  historyTicks: bar({ text: '≥ 1,000,000 ticks/s', least: 1_000_000 }),
  start: bar({ text: '< 1 s', below: 1 }),
  brokersBare: bar({ text: '≥ 0.9 of bare Bun.serve', least: 0.9 }),
  brokersAhead: bar({ text: '> 1 ×', above: 1 }),
  evenShare: bar({ text: '≤ 60 % of a core', most: 60 }),
  fairQuotes: bar({ text: '≤ 30 ms', most: 30 }),
  fairMessages: bar({ text: '≤ 1 s', most: 1_000 }),
  evenLatency: bar({ text: '≤ 10 ms added', most: 10 }),
};
