// Per-message deflate: its CPU cost on a bare Bun.serve and its savings on the wire, for ticks and for news.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadersResult } from '../load/ws-readers.ts';
import { type Contender, interleave, type Rounds } from '../measure/rounds.ts';
import { ratios } from '../measure/statistics.ts';
import type { ServerChild } from '../processes/children.ts';
import type { Figure, ReportSection } from '../results.ts';
import { COMPRESSORS, type Compressor, type DeflateKind, type DeflateSpec, deflateKinds } from './deflate-messages.ts';
import { runReaders } from './run-readers.ts';
import type { Bench, Scenario } from './scenario.ts';
import { disturbance, usageFigures, usageNotes } from './usage-notes.ts';

const READERS = 200;
const NAMES: Readonly<Record<NonNullable<Compressor> | 'off', string>> = {
  off: 'off',
  shared: 'on, shared',
  dedicated: 'on, a window each',
};
const nameOf = (compressor: Compressor): string => NAMES[compressor ?? 'off'];

export const deflate: Scenario = {
  steps: ({ rounds }) => 2 * COMPRESSORS.length * (rounds + 1),
  async run(bench) {
    const sections: ReportSection[] = [];
    for (const kind of deflateKinds()) sections.push(await runWith(bench, kind));
    return sections;
  },
};

async function runWith(bench: Bench, kind: DeflateKind): Promise<ReportSection> {
  const servers: ServerChild[] = [];
  const contenders: Contender<ReadersResult>[] = [];
  for (const compressor of COMPRESSORS) {
    const folder = bench.folder();
    const server = await start(bench, folder, { ...kind, compressor, readers: READERS });
    servers.push(server);
    const times = { warmMs: 300, measureMs: bench.quick ? 700 : 2_000 };
    const given = { connections: READERS, key: '', probes: 0, deflate: compressor !== null, ...times };
    contenders.push({
      name: nameOf(compressor),
      missing: null,
      measure: () => server.turn(() => runReaders(bench, server, folder, given)),
    });
  }
  const rounds = await interleave(contenders, `deflate, ${kind.name}`, bench);
  for (const server of servers) await server.stop();
  return sectionOf(kind, rounds);
}

function start({ children, cores }: Bench, folder: string, spec: DeflateSpec): Promise<ServerChild> {
  const file = join(folder, 'deflate.json');
  writeFileSync(file, JSON.stringify(spec));
  const command = [process.execPath, join(import.meta.dir, '../contenders/deflate-publish.ts'), file];
  return children.server([...cores.server, ...command]);
}

// The third byte of a compressed message can look like that of a notice; here everything received is a message.
const messagesOf = ({ deliveries, notices }: ReadersResult): number => deliveries + notices;
const cpuOf = (round: ReadersResult): number => (round.serverCpu / messagesOf(round)) * 1e6;
const bytesOf = (round: ReadersResult): number => round.bytes / messagesOf(round);

function sectionOf({ name, perSecond, messages }: DeflateKind, rounds: Rounds<ReadersResult>): ReportSection {
  const figure = (title: string, unit: string, plotted: boolean, values: number[]): Figure => ({
    name: title,
    unit,
    plotted,
    values,
  });
  const off = rounds.get(NAMES.off)!;
  const all = [...rounds.values()].flat();
  const against = (of: (round: ReadersResult) => number, what: string) =>
    [NAMES.shared, NAMES.dedicated].map((on) => ({
      what: `deflate, ${name}: ${what}, ${on}`,
      unit: '×',
      values: ratios(rounds.get(on)!.map(of), off.map(of)),
      bar: null,
      unjudged: null,
      caveat: disturbance(all),
    }));
  const length = Math.round(messages.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / messages.length);
  return {
    title: `Per-message deflate: ${name}`,
    lines: [...rounds].map(([contender, list]) => ({
      contender,
      missing: null,
      figures: [
        figure('server CPU per message delivered', 'µs', true, list.map(cpuOf)),
        figure('bytes on the wire per message', '', true, list.map(bytesOf)),
        figure(
          'deliveries/s',
          '',
          false,
          list.map((round) => messagesOf(round) / round.seconds),
        ),
        figure(
          'server memory',
          'MB',
          false,
          list.map(({ serverBytes }) => serverBytes / 1e6),
        ),
        ...usageFigures(list),
      ],
    })),
    verdicts: [...against(cpuOf, 'CPU in that without'), ...against(bytesOf, 'bytes in those without')],
    notes: [
      `A bare Bun.serve publishes ${perSecond} messages/s of ${length} bytes to ${READERS} readers; no engine, no store.`,
      ...usageNotes(all, 'readers’ process', ''),
    ],
  };
}
