// The record of a publisher as files. They are fetched by the client, so that an entered API key works as well as a session.

import { useSignal } from '@preact/signals';
import type { CoreClient } from '@tickwire/client';
import { Button } from '../ui/button.tsx';
import { explain } from '../ui/failure.ts';
import { saveFile } from '../ui/save-file.ts';

interface Props {
  readonly client: CoreClient;
  readonly name: string;
}

export function Downloads({ client, name }: Props) {
  const message = useSignal('');
  const download = async (kind: 'signals' | 'equity'): Promise<void> => {
    message.value = '';
    try {
      const text = await (kind === 'signals' ? client.publisherSignals(name) : client.publisherEquity(name));
      saveFile(`${name.replace(/[^\w-]+/g, '-')}-${kind}.csv`, text);
    } catch (error) {
      message.value = explain(error).general;
    }
  };
  return (
    <div class="actions">
      <Button onClick={() => void download('signals')}>Signals (CSV)</Button>
      <Button onClick={() => void download('equity')}>Equity curve (CSV)</Button>
      <p class="message" role="status" data-tone="bad">
        {message.value}
      </p>
    </div>
  );
}
