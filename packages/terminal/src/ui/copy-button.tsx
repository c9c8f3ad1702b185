// Copies a text with one click. Browsers offer the clipboard only over https and on localhost; elsewhere the text is selected
// and copied the old way.
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

const CONFIRM_MS = 1_500;

interface CopyButtonProps {
  readonly text: string;
  /** The element that shows the text. */
  readonly source: RefObject<HTMLElement | null>;
}

export function CopyButton({ text, source }: CopyButtonProps) {
  const [label, setLabel] = useState('Copy');
  const run = async (): Promise<void> => {
    setLabel((await copy(text, source.current)) ? 'Copied' : 'Press Ctrl+C');
    setTimeout(() => setLabel('Copy'), CONFIRM_MS);
  };
  return <Button onClick={() => void run()}>{label}</Button>;
}

async function copy(text: string, source: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (source) getSelection()?.selectAllChildren(source);
    return document.execCommand('copy');
  }
}
