// `replay_market`: creates, moves and ends replay sessions, whose ids the other tools take.
import type { ReplaySession, ReplaySessionChange, ReplaySessionList, ReplaySessionRequest } from '@tickwire/contract';
import { iso } from '@tickwire/contract';
import { z } from 'zod';
import { type Answer, boundedGaps, type Gap, shortTime } from '../answer.ts';
import { invalidArgument, type ServiceReader } from '../service.ts';
import { defineTool, oneOfArg, readNow, symbolsArg, timeArg } from '../tool.ts';

const MAX_SYMBOLS = 20;

export const replayTool = defineTool({
  name: 'replay_market',
  description:
    'Replay the past. With symbols and from: creates a session. With its id: moves its clock, or ends it. Other tools that get its ' +
    'id as replay answer as of its clock. Without arguments: lists sessions.',
  input: z.object({
    id: z.string().min(1).max(64).optional().meta({ allowed: 'the id of a session' }),
    symbols: symbolsArg(MAX_SYMBOLS).optional(),
    from: timeArg(),
    to: timeArg(),
    seek: timeArg(),
    step: oneOfArg(['tick', 'bar']).optional(),
    end: z.boolean().default(false).meta({ allowed: 'true or false' }),
  }),
  output: { items: { type: 'array' } },
  writes: 'session',
  async run({ id, symbols, from, to, seek, step, end }, { reader }): Promise<Answer> {
    const [creates, moves] = [
      [symbols, from, to],
      [seek, step],
    ].map((args) => args.some((each) => each !== undefined));
    if (id === undefined) {
      if (moves || end) throw invalidArgument('id must be given with seek, step and end');
      if (!creates) return answerOf(reader, await sessionsOf(reader), 'sessions');
      if (symbols === undefined || from === undefined) throw invalidArgument('symbols and from must be given');
      const request: ReplaySessionRequest = { symbols, from: iso(from), ...(to !== undefined && { to: iso(to) }) };
      return answerOf(reader, [await send(reader, 'POST', '', request)], 'created');
    }
    if (creates || (end && moves)) throw invalidArgument('id must be given with seek or step, or with end alone');
    const path = `/${encodeURIComponent(id)}`;
    if (end) return answerOf(reader, [await send(reader, 'DELETE', path)], 'ended');
    const change: ReplaySessionChange = { ...(seek !== undefined && { seek: iso(seek) }), ...(step && { step }) };
    return moves
      ? answerOf(reader, [await send(reader, 'PATCH', path, change)], 'moved')
      : answerOf(reader, [await reader.get<ReplaySession>(`/api/replays${path}`)], 'session');
  },
});

const sessionsOf = async (reader: ServiceReader): Promise<readonly ReplaySession[]> =>
  (await reader.get<ReplaySessionList>('/api/replays')).items;

async function send(
  reader: ServiceReader,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<ReplaySession> {
  const request = {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  };
  return (await reader.reply<ReplaySession>(`/api/replays${path}`, request)).body;
}

function answerOf(reader: ServiceReader, sessions: readonly ReplaySession[], what: string): Answer {
  const shown = sessions.map(({ id, state, symbols, from, to, clock }) => ({ id, state, symbols, from, to, clock }));
  const missing = sessions.flatMap(({ sources }) =>
    sources.flatMap(({ symbol, from, to, source }): Gap[] =>
      source === 'none' ? [{ symbol, from: shortTime(from), to: shortTime(to), reason: 'nothing recorded' }] : [],
    ),
  );
  const listed = shown.map(({ id, state, symbols, clock }) => `${id} ${state} at ${clock}: ${symbols.join(', ')}`);
  return {
    summary: `${what}: ${listed.slice(0, 3).join('; ') || 'none'}`,
    ...readNow(reader),
    source: `replay of ${reader.source}`,
    market: {},
    ...boundedGaps(missing),
    items: shown,
    next: null,
  };
}
