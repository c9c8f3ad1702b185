// The sections of the settings, without their views: the command palette lists them before the page is loaded.
import type { Account } from '@tickwire/client';

export interface SettingsSection {
  /** In the address: `/settings#keys`. */
  readonly id: string;
  readonly title: string;
  readonly intro: string;
}

export const OWN = [
  {
    id: 'keys',
    title: 'API keys',
    intro:
      'Programs call the service with an API key. Give each program its own key, with only the permissions it needs.',
  },
  {
    id: 'links',
    title: 'Data links',
    intro: 'A data link is an address that reads one table without a key, for spreadsheets and charts.',
  },
  {
    id: 'usage',
    title: 'Usage',
    intro: 'Usage of your keys and of your signed-in sessions, each with the limits of your tier.',
  },
  {
    id: 'snippets',
    title: 'Snippets',
    intro: 'Every API call, ready to paste and run. Set the environment variable TICKWIRE_API_KEY to your key first.',
  },
  {
    id: 'channels',
    title: 'Channels',
    intro: 'Chats in which your messages become signals.',
  },
  {
    id: 'following',
    title: 'Following',
    intro: 'Publishers, instruments and news categories whose signals and headlines are delivered to you.',
  },
  {
    id: 'display',
    title: 'Display',
    intro: 'Stored in this browser, for all its tabs.',
  },
  {
    id: 'account',
    title: 'Account',
    intro: 'Your account, where you are signed in, your password and your signing key.',
  },
] as const satisfies readonly SettingsSection[];

export const OPERATOR = [
  {
    id: 'people',
    title: 'Accounts and tiers',
    intro: 'All accounts, of people and of programs, with their usage in the last 24 hours.',
  },
  {
    id: 'invitations',
    title: 'Invitations',
    intro: 'Each invitation is a link that creates one account of the chosen tier.',
  },
  {
    id: 'audit',
    title: 'Audit log',
    intro: 'Sign-ins, failed sign-ins, and changes to accounts, keys and sessions, newest first.',
  },
  {
    id: 'statistics',
    title: 'Statistics',
    intro:
      'Current activity. An instrument is active if it ticked in the last minute. The lines start when you open this section.',
  },
  {
    id: 'markets',
    title: 'Markets',
    intro: 'See which markets run, and change between simulated and real ones.',
  },
  {
    id: 'feeds',
    title: 'Feeds',
    intro: 'Price feeds, and what was lost, backfilled or quarantined since the service started.',
  },
  {
    id: 'streams',
    title: 'Connected streams',
    intro: 'Open WebSocket connections, oldest first.',
  },
  {
    id: 'news-sources',
    title: 'News sources',
    intro: 'News sources, and the items that were dropped since the service started.',
  },
  {
    id: 'models',
    title: 'AI models',
    intro: 'The models that score news and write briefs, and how often the market agreed with the scores.',
  },
] as const satisfies readonly SettingsSection[];

export type SectionId = (typeof OWN | typeof OPERATOR)[number]['id'];
type ListedSection = SettingsSection & { readonly id: SectionId };

export const isOperator = ({ scopes }: Pick<Account, 'scopes'>): boolean => scopes.includes('admin');

/** The sections that the account can open. */
export const sectionsOf = (account: Pick<Account, 'scopes'>): readonly ListedSection[] =>
  isOperator(account) ? [...OWN, ...OPERATOR] : OWN;

/** The section that the fragment of the address names; the first one if it names none. */
export function sectionAt(account: Pick<Account, 'scopes'>, hash: string): ListedSection {
  const sections = sectionsOf(account);
  return sections.find(({ id }) => `#${id}` === hash) ?? sections[0]!;
}

export const sectionTitle = ({ title }: SettingsSection): string => `${title} · Tickwire`;
