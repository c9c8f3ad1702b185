// Copies a text with one click. Browsers offer the clipboard only over https and on localhost; elsewhere the text is selected
// and copied the old way.
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { Button } from './button.tsx';

const CONFIRM_MS = 1_500;

/** `source` is the element that shows the text. */
export function CopyButton({
  text,
  source,
}: {
  readonly text: string;
  readonly source: RefObject<HTMLElement | null>;
}) {
  const label = useSignal('Copy');
  const run = async (): Promise<void> => {
    label.value = (await copy(text, source.current)) ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => {
      label.value = 'Copy';
    }, CONFIRM_MS);
  };
  return <Button onClick={() => void run()}>{label.value}</Button>;
}

export async function copy(text: string, source: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (source) getSelection()?.selectAllChildren(source);
    return document.execCommand('copy');
  }
}
