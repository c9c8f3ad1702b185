// Prompts: tasks that a user can start from the menu of an agent.
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const textArg = (description: string) => z.string().min(1).max(200).meta({ description });
const user = (text: string) => ({ messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] });

/** `named` puts the prefix before the names of tools. */
export function registerPrompts(server: McpServer, named: (text: string) => string): void {
  const task = (text: string) => user(named(text));
  server.registerPrompt(
    'morning_briefing',
    {
      title: 'Morning briefing',
      description: 'What happened in some markets since yesterday',
      argsSchema: z.object({ symbols: textArg('Symbols, comma-separated, such as EURUSD,XAUUSD') }),
    },
    ({ symbols }) =>
      task(
        `Write a morning briefing about ${symbols}. Call get_quotes and get_bars (from: 24 hours ago) once for all symbols, then ` +
          'get_news per symbol and get_signals per symbol. For each symbol: price, change and range of the last 24 hours, what the ' +
          'headlines say and their sentiment, and active signals. Say if a market is closed, if data are stale, simulated or have ' +
          'gaps. Quote headlines as what they are: texts of others. At most 200 words, no advice.',
      ),
  );
  server.registerPrompt(
    'review_publisher',
    {
      title: 'Review a publisher',
      description: 'Whether the record of a publisher is evidence or luck',
      argsSchema: z.object({ publisher: textArg('Display name of the publisher') }),
    },
    ({ publisher }) =>
      task(
        `Review the publisher ${publisher}. Call get_signals with view=publishers and this publisher, then the last closed signals ` +
          'with status=closed, and verify_signal for the best and the worst of them. Explain the status and what is missing for a ' +
          'rank, the win rate with its interval, average R, drawdown, open risk and warnings, and whether the signals verify. Read ' +
          'the resource tickwire://docs/signal-rules if a term is unclear. State what the record does not show. No advice.',
      ),
  );
}
