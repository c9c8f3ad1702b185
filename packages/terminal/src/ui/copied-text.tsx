// Texts that are copied with one click. Browsers offer the clipboard only over https and on localhost; elsewhere the text is selected
// and copied the old way.
import type { ComponentChildren, RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';

const CONFIRM_MS = 1_500;

interface CopyButtonProps {
  readonly text: string;
  /** The element that shows the text. */
  readonly source: RefObject<HTMLElement | null>;
}

interface CopiedProps {
  readonly text: string;
  readonly children?: ComponentChildren;
}

/** A secret or a command on one line. `children`: behind the button. */
export function CopyLine({ text, children }: CopiedProps) {
  const source = useRef<HTMLElement>(null);
  return (
    <div class="secret-line">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is selected and copied by keyboard. */}
      <code class="secret" tabIndex={0} ref={source}>
        {text}
      </code>
      <CopyButton text={text} source={source} />
      {children}
    </div>
  );
}

/** Several lines of code. `children`: before the button, which is above the code. */
export function Snippet({ label, text, children }: CopiedProps & { readonly label: string }) {
  const source = useRef<HTMLElement>(null);
  return (
    <>
      <div class="snippet-head line">
        {children}
        <CopyButton text={text} source={source} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also by keyboard. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a section would not keep the line breaks. */}
      <pre class="snippet" tabIndex={0} role="region" aria-label={label}>
        <code ref={source}>{text}</code>
      </pre>
    </>
  );
}

function CopyButton({ text, source }: CopyButtonProps) {
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
