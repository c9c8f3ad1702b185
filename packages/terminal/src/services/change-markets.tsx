// Changing the markets of the service, which stops and starts again meanwhile.
import type { CoreClient, MarketsReport } from '@tickwire/client';
import { GuideLink } from '../ui/button.tsx';
import { isConnectionError } from '../ui/failure.ts';

export type Markets = MarketsReport['markets'];

/** What a person chooses from: a title and a sentence. */
export const MARKETS: Readonly<Record<Markets, readonly [title: string, text: string]>> = {
  simulated: ['Simulated markets', 'generated prices with history since 2000, also offline.'],
  live: [
    'Real markets',
    'about 30 instruments such as gold, euro, Nasdaq and Bitcoin from public venues, over the internet, without an account.',
  ],
};

export const VENUES_GUIDE = <GuideLink href="/guide/feeds#real-markets">Venues and their terms</GuideLink>;

const ASK_EVERY_MS = 400;
/** After these, an outage is reported. */
const PATIENT_ATTEMPTS = 300;

type Calls = { readonly admin: Pick<CoreClient['admin'], 'markets' | 'changeMarkets'> };

/** Resolves once the service has changed over, or with the reason why it runs with the markets from before. */
export async function changeMarkets({ admin }: Calls, markets: Markets): Promise<string | null> {
  await admin.changeMarkets({ markets });
  for (let attempt = 0; ; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    const report = await admin.markets({ retry: false }).catch((error: unknown) => {
      if (attempt > PATIENT_ATTEMPTS || !isConnectionError(error)) throw error;
    });
    if (report?.changing_to === null) return report.failure;
  }
}
