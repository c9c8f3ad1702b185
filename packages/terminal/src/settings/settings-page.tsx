// The settings: a list of sections beside the open one, which is named in the address: `/settings#keys`.
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Accounts } from '../operator/accounts.tsx';
import { Audit } from '../operator/audit.tsx';
import { Feeds } from '../operator/feeds.tsx';
import { Invitations } from '../operator/invitations.tsx';
import { MarketsSection } from '../operator/markets.tsx';
import { Models } from '../operator/models.tsx';
import { NewsSources } from '../operator/news-sources.tsx';
import { Statistics } from '../operator/statistics.tsx';
import { Streams } from '../operator/streams.tsx';
import { GuideLink } from '../ui/button.tsx';
import { currentAddress } from '../ui/current-address.ts';
import { AccountSection } from './account.tsx';
import { Channels } from './channels.tsx';
import { DataLinks } from './data-links.tsx';
import { Display } from './display.tsx';
import { Following } from './following.tsx';
import { Keys } from './keys.tsx';
import type { IssuedKeyText, SettingsProps } from './section.ts';
import {
  isOperator,
  OPERATOR,
  OWN,
  type SectionId,
  type SettingsSection,
  sectionAt,
  sectionTitle,
} from './section-list.ts';
import { Snippets } from './snippets/snippets-section.tsx';
import { UsageSection } from './usage.tsx';

const VIEWS: Readonly<Record<SectionId, FunctionComponent<SettingsProps>>> = {
  keys: Keys,
  links: DataLinks,
  usage: UsageSection,
  snippets: Snippets,
  channels: Channels,
  following: Following,
  display: Display,
  account: AccountSection,
  people: Accounts,
  invitations: Invitations,
  audit: Audit,
  statistics: Statistics,
  markets: MarketsSection,
  feeds: Feeds,
  streams: Streams,
  'news-sources': NewsSources,
  models: Models,
};

/** The page of the guide that explains a section, and what its link is called. */
const GUIDE: Readonly<Record<SectionId, readonly [href: string, text: string]>> = {
  keys: ['/guide/accounts#keys', 'Keys and scopes'],
  links: ['/guide/plugs#data-links', 'Data links'],
  usage: ['/guide/reference/rate-limits', 'Rate limits'],
  snippets: ['/guide/start/curl', 'Quickstart'],
  channels: ['/guide/signals-from-chat#publish-from-telegram', 'Publish from Telegram'],
  following: ['/guide/alerts#subscriptions', 'Subscriptions'],
  display: ['/guide/terminal#display', 'Display'],
  account: ['/guide/accounts', 'Accounts'],
  people: ['/guide/reference/accounts#operator-endpoints', 'Operators'],
  invitations: ['/guide/accounts#sign-up', 'Sign-up'],
  audit: ['/guide/reference/accounts#audit-log', 'Audit log'],
  statistics: ['/guide/operating#monitoring', 'Monitoring'],
  markets: ['/guide/feeds#simulated-or-real', 'Simulated or real'],
  feeds: ['/guide/reference/feeds#monitoring', 'Monitoring of feeds'],
  streams: ['/guide/streaming', 'Streaming'],
  'news-sources': ['/guide/news#sources', 'Sources'],
  models: ['/guide/reference/news#models', 'Models'],
};

export function SettingsPage(props: Omit<SettingsProps, 'issuedKey'>) {
  const { account } = props;
  const issuedKey = useSignal<IssuedKeyText | null>(null);
  const open = sectionAt(account, currentAddress.value.hash);
  const body = useRef<HTMLDivElement>(null);
  const first = useRef(true);
  useEffect(() => {
    document.title = sectionTitle(open);
    if (body.current) body.current.scrollTop = 0;
    if (!first.current) body.current?.focus();
    first.current = false;
  }, [open]);
  const { id, title, intro } = open;
  const View = VIEWS[id];
  return (
    <div class="settings">
      <nav class="sections" aria-label="Settings">
        <SectionGroup title={account.name} sections={OWN} open={open} />
        {isOperator(account) && <SectionGroup title="Service" sections={OPERATOR} open={open} />}
      </nav>
      {/* It scrolls, and some sections contain nothing else that takes the focus. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard. */}
      <div class="section" tabIndex={0} ref={body}>
        <header>
          <h1>{title}</h1>
          <p class="intro">
            {intro} <GuideLink href={GUIDE[id][0]}>{`Guide: ${GUIDE[id][1]}`}</GuideLink>
          </p>
        </header>
        <View key={id} {...props} issuedKey={issuedKey} />
      </div>
    </div>
  );
}

interface SectionGroupProps {
  readonly title: string;
  readonly sections: readonly SettingsSection[];
  readonly open: SettingsSection;
}

function SectionGroup({ title, sections, open }: SectionGroupProps) {
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // On a phone the sections are one line that is wider than the screen.
    current.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [open]);
  return (
    <div class="section-group">
      <p class="group-title clip muted tiny">{title}</p>
      <ul>
        {sections.map((section) => (
          <li key={section.id}>
            <a
              href={`#${section.id}`}
              ref={section === open ? current : null}
              aria-current={section === open ? 'page' : undefined}
            >
              {section.title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
