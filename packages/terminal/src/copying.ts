// Copying with one click. The clipboard of the browser is only there for pages over https and on this machine itself;
// elsewhere the text is selected and copied the old way.
import { button } from './elements.ts';

const THANKS_MS = 1_500;

/** `shown` is the element that has the text. */
export function copyButton(shown: HTMLElement, text: () => string): HTMLButtonElement {
  const copy = button('Copy', 'plain', async () => {
    copy.textContent = (await copied(shown, text())) ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, THANKS_MS);
  });
  return copy;
}

async function copied(shown: HTMLElement, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection()?.selectAllChildren(shown);
    return document.execCommand('copy');
  }
}
