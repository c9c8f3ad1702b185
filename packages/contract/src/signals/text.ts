// Signals in messages: the text that a publisher sends, and what was understood of it.
import { z } from 'zod';
import { namedList, namedObject, number, SymbolCode, text } from '../common/values.ts';
import { Direction, SignalTarget } from './schemas.ts';

export const SignalText = namedObject('SignalText', 'A message with a signal', () => ({
  text: z.string().min(1).meta({
    description: 'Message as people write it in channels, up to 4,096 characters',
    allowed: 'a text of 1 to 4,096 characters',
  }),
}));
export type SignalText = z.infer<typeof SignalText>;

export const SignalTextPart = namedObject('SignalTextPart', 'The part of a message that a field came from', () => ({
  field: text('Field, such as `stop_loss` or `targets[0]`'),
  text: text('Part of the message'),
  start: z.int().meta({ description: 'Start in the message, in Unicode code points' }),
  end: z.int().meta({ description: 'End, exclusive' }),
}));
export type SignalTextPart = z.infer<typeof SignalTextPart>;

export const SignalDraft = namedObject('SignalDraft', 'A signal as it was understood, not published', () => ({
  symbol: SymbolCode,
  direction: Direction,
  entry: number('Entry price; left out of a market order').optional(),
  order: z.literal('market').optional().meta({ description: 'Present for a market order' }),
  stop_loss: number('Stop loss price'),
  take_profit: number('Take profit price: the last target'),
  targets: z.array(SignalTarget).optional().meta({ description: 'Targets, if there are several' }),
  breakeven_after: z.int().optional().meta({ description: 'Targets after which the stop moves to the entry' }),
  parts: z.array(SignalTextPart).meta({ description: 'Where each field came from' }),
  notes: z.array(z.string()).meta({ description: 'What was left out, as sentences' }),
}));
export type SignalDraft = z.infer<typeof SignalDraft>;

export const SignalDraftList = namedList('SignalDraftList', 'The signals of a message', SignalDraft, 'Drafts');
export type SignalDraftList = z.infer<typeof SignalDraftList>;
