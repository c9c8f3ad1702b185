// Fills the form from a message of a chat, as the service reads it. The message stays beside the form with its values marked.
import {
  type SignalDraft as PastedSignal,
  type SignalTextPart,
  type TickwireClient,
  TickwireError,
} from '@tickwire/client';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { Field, Form, type FormHandle, type FormValues } from '../../ui/form.tsx';
import { DIRECTIONS } from '../labels.ts';
import type { PublishDraft } from '../publish-draft.ts';
import { markedText } from './marked-text.ts';

interface Reading {
  readonly message: string;
  readonly parts: readonly Pick<SignalTextPart, 'field' | 'start' | 'end'>[];
  readonly signals: readonly PastedSignal[];
}

export interface PasteSignalProps {
  readonly client: Pick<TickwireClient, 'parseSignal'>;
  /** The fields of the form, to be reviewed. */
  readonly onFill: (draft: PublishDraft) => void;
}

export function PasteSignal({ client, onFill }: PasteSignalProps) {
  const [reading, setReading] = useState<Reading | null>(null);
  const fill = (signal: PastedSignal): void => onFill(pastedDraft(signal));
  const read = async (values: FormValues, form: FormHandle): Promise<void> => {
    const message = values.text('message');
    try {
      const { items } = await client.parseSignal(message);
      setReading({ message, parts: items.flatMap(({ parts }) => parts), signals: items });
      if (items.length === 1) fill(items[0]!);
    } catch (error) {
      if (!(error instanceof TickwireError && error.code === 'unclear_signal')) throw error;
      const unclear = error.errors[0]?.value ?? '';
      const start = Array.from(message.slice(0, message.indexOf(unclear))).length;
      const part = { field: 'unclear', start, end: start + Array.from(unclear).length };
      setReading({ message, parts: unclear === '' || !message.includes(unclear) ? [] : [part], signals: [] });
      form.show(error.detail, 'bad');
    }
  };
  const several = reading !== null && reading.signals.length > 1;
  return (
    <details class="signal-panel paste">
      <summary>Paste a signal</summary>
      <Form submit="Read" onSubmit={read}>
        <Field name="message" label="Message" hint="As you write it in your channel. Nothing is published yet.">
          {(control) => <textarea {...control} rows={6} maxLength={8192} required />}
        </Field>
      </Form>
      {reading && (
        <p class="pasted">
          {markedText(reading.message, reading.parts).map(({ text, field }) =>
            field === null ? text : <mark title={field.replaceAll('_', ' ')}>{text}</mark>,
          )}
        </p>
      )}
      {several && (
        <div class="actions">
          {reading.signals.map((signal) => (
            <Button key={signal.parts[0]!.start} onClick={() => fill(signal)}>
              Fill in {DIRECTIONS[signal.direction]} {signal.symbol}
            </Button>
          ))}
        </div>
      )}
      {reading?.signals
        .flatMap(({ notes }) => notes)
        .map((note) => (
          <p class="hint" key={note}>
            {note}
          </p>
        ))}
    </details>
  );
}

/** The fields of the form. Parts of the position are in percent. */
export function pastedDraft(signal: PastedSignal): PublishDraft {
  const { symbol, direction, entry, stop_loss, take_profit, breakeven_after } = signal;
  const targets = signal.targets ?? [{ price: take_profit, fraction: 1 }];
  const texts = {
    symbol,
    direction,
    ...(entry === undefined ? { order: 'market' } : { entry: String(entry) }),
    stop_loss: String(stop_loss),
    ...(breakeven_after !== undefined && { breakeven_after: String(breakeven_after) }),
  };
  const levels = targets.flatMap(({ price, fraction }, index) => [
    [`target_${index + 1}`, String(price)],
    [`fraction_${index + 1}`, String(Math.round(fraction * 10_000) / 100)],
  ]);
  return { values: { ...texts, ...Object.fromEntries(levels) }, targets: targets.length };
}
