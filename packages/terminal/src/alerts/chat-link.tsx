// How to link a chat: the code, and the address of the bot.
import type { CreatedDestination } from '@tickwire/client';
import { externalAddress } from '../news/labels.ts';
import { Button } from '../ui/button.tsx';
import { CopyLine } from '../ui/copied-text.tsx';

interface Props {
  readonly link: NonNullable<CreatedDestination['link']>;
  /** Where to send the code, as a sentence. */
  readonly where: string;
  readonly linked: boolean;
  readonly onDone: () => void;
}

export function ChatLink({ link: { code, url }, where, linked, onDone }: Props) {
  const address = externalAddress(url);
  const done = (
    <Button tone="quiet" onClick={onDone}>
      Done
    </Button>
  );
  return (
    <div class="issued" role="status">
      <h2>{linked ? 'The chat is linked' : 'Link your chat'}</h2>
      {linked ? (
        done
      ) : (
        <>
          <p>{where} The code is valid for 15 minutes.</p>
          <CopyLine text={code}>{done}</CopyLine>
          {address !== null && (
            <p>
              <a href={address} target="_blank" rel="noopener noreferrer">
                Open the bot
              </a>
            </p>
          )}
        </>
      )}
    </div>
  );
}
