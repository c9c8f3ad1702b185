// The performance targets.

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
  quoteFastify: bar({ text: '≥ 2.3 × Fastify', least: 2.3 }),
  quoteChecked: bar({ text: '≥ 0.73 of a bare Bun.serve with keys', least: 0.73 }),
  historyChecked: bar({ text: '≥ 0.8 of a bare Bun.serve with keys', least: 0.8 }),
  quoteBare: bar({ text: '≥ 0.7 of bare Bun.serve', least: 0.7 }),
  historyFastify: bar({ text: '≥ 5 × Fastify + better-sqlite3', least: 5 }),
  fanoutBare: bar({ text: '≥ 0.8 of bare Bun.serve', least: 0.8 }),
  idleMemory: bar({ text: '≤ 7 KB', most: 7 }),
  baseMemory: bar({ text: '≤ 90 MB', most: 90 }),
  restMemory: bar({ text: '≤ 110 MB', most: 110 }),
  restLauncher: bar({ text: '≤ 5 MB', most: 5 }),
  firstMinute: bar({ text: '≤ 5 CPU seconds', most: 5 }),
  restProcessor: bar({ text: '≤ 3 % of a core', most: 3 }),
  journal: bar({ text: '≥ 5,400,000 ticks/s', least: 5_400_000 }),
  signals: bar({ text: '≥ 3,100,000 ticks/s', least: 3_100_000 }),
  pipeline: bar({ text: '≥ 1,300,000 ticks/s', least: 1_300_000 }),
  pipelineAlerts: bar({ text: '≥ 800,000 ticks/s', least: 800_000 }),
  signalsFlat: bar({ text: 'within 1.5 ×', below: 1.5 }),
  alertsCost: bar({ text: '≥ 0.8 of the engine without alerts', least: 0.8 }),
  alertsFlat: bar({ text: 'within 1.5 ×', below: 1.5 }),
  push: bar({ text: '≥ 200,000 ticks/s', least: 200_000 }),
  pushFrames: bar({ text: '≥ 50,000 frames/s', least: 50_000 }),
  import: bar({ text: '≥ 500,000 rows/s', least: 500_000 }),
  historyParquet: bar({ text: '≥ 500,000 bars/s', least: 500_000 }),
  historyCsv: bar({ text: '≥ 1,000,000 bars/s', least: 1_000_000 }),
  historyTicks: bar({ text: '≥ 1,000,000 ticks/s', least: 1_000_000 }),
  startFirst: bar({ text: '≤ 1.5 s', most: 1.5 }),
  startAgain: bar({ text: '≤ 0.8 s', most: 0.8 }),
  startYear: bar({ text: '≤ 1 s', most: 1 }),
  brokersBare: bar({ text: '≥ 0.9 of bare Bun.serve', least: 0.9 }),
  brokersAhead: bar({ text: '> 1 ×', above: 1 }),
  evenShare: bar({ text: '≤ 60 % of a core', most: 60 }),
  fairQuotes: bar({ text: '≤ 30 ms', most: 30 }),
  fairMessages: bar({ text: '≤ 1 s', most: 1_000 }),
  idleVenues: bar({ text: '≤ 40 % of a core', most: 40 }),
  replaySeek: bar({ text: '≤ 300 ms', most: 300 }),
  replayRate: bar({ text: '≥ 200,000 ticks/s', least: 200_000 }),
  replayMemory: bar({ text: '≤ 5 MB', most: 5 }),
  replayBeside: bar({ text: '≤ 1.1 ×', most: 1.1 }),
  pythonTicks: bar({ text: '≥ 100,000 ticks', least: 100_000 }),
  pythonFrame: bar({ text: '≤ 1.5 s', most: 1.5 }),
  linearGrowth: bar({ text: '≤ 1.15: not faster than linear', most: 1.15 }),
  flatGrowth: bar({ text: '≤ 0.15: flat', most: 0.15 }),
  evenLatency: bar({ text: '≤ 10 ms added', most: 10 }),
};
