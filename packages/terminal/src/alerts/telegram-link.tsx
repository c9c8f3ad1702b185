// How to link a Telegram chat: the code, and the address that sends it to the bot.
import type { CreatedDestination } from '@tickwire/client';
import { externalAddress } from '../news/labels.ts';
import { Button } from '../ui/button.tsx';
import { CopyLine } from '../ui/copied-text.tsx';

interface Props {
  readonly link: NonNullable<CreatedDestination['link']>;
  readonly linked: boolean;
  readonly onDone: () => void;
}

export function TelegramLink({ link: { code, url }, linked, onDone }: Props) {
  const address = externalAddress(url);
  const done = (
    <Button tone="quiet" onClick={onDone}>
      Done
    </Button>
  );
  return (
    <div class="issued" role="status">
      <h2>{linked ? 'The chat is linked' : 'Link your Telegram chat'}</h2>
      {linked ? (
        done
      ) : (
        <>
          <p>Send this code to the bot, in a private chat or in your group. It is valid for 15 minutes.</p>
          <CopyLine text={code}>{done}</CopyLine>
          {address !== null && (
            <p>
              <a href={address} target="_blank" rel="noopener noreferrer">
                Open the chat with the bot
              </a>
            </p>
          )}
        </>
      )}
    </div>
  );
}
