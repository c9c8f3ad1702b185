// The settings: a list of sections beside the open one, which is named in the address: `/settings#keys`.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ACCOUNTS } from '../operator/accounts.tsx';
import { AUDIT } from '../operator/audit.tsx';
import { FEEDS } from '../operator/feeds.tsx';
import { INVITATIONS } from '../operator/invitations.tsx';
import { MODELS } from '../operator/models.tsx';
import { NEWS_SOURCES } from '../operator/news-sources.tsx';
import { STATISTICS } from '../operator/statistics.tsx';
import { STREAMS } from '../operator/streams.tsx';
import { currentAddress } from '../ui/current-address.ts';
import type { PageView } from '../ui/page.ts';
import { ACCOUNT } from './account.tsx';
import { DISPLAY } from './display.tsx';
import { KEYS } from './keys.tsx';
import type { IssuedKeyText, SettingsProps, SettingsSection } from './section.tsx';
import { SNIPPETS } from './snippets/snippets-section.tsx';
import { USAGE } from './usage.tsx';

const OWN: readonly SettingsSection[] = [KEYS, USAGE, SNIPPETS, DISPLAY, ACCOUNT];
const OPERATOR: readonly SettingsSection[] = [
  ACCOUNTS,
  INVITATIONS,
  AUDIT,
  STATISTICS,
  FEEDS,
  STREAMS,
  NEWS_SOURCES,
  MODELS,
];

type Props = Omit<SettingsProps, 'issuedKey'>;

const isOperator = ({ scopes }: Props['account']): boolean => scopes.includes('admin');

/** The sections that the account can open. */
export const sectionsOf = (account: Props['account']): readonly SettingsSection[] =>
  isOperator(account) ? [...OWN, ...OPERATOR] : OWN;

const sectionAt = (account: Props['account'], hash: string): SettingsSection => {
  const sections = sectionsOf(account);
  return sections.find(({ id }) => `#${id}` === hash) ?? sections[0]!;
};
const titleOf = ({ title }: SettingsSection): string => `${title} · Tickwire`;

export function openSettingsPage(props: Props): PageView {
  const title = titleOf(sectionAt(props.account, location.hash));
  // A new address is at most another section of this page.
  return { title, view: <Settings {...props} />, navigate: () => true };
}

function Settings(props: Props) {
  const { account } = props;
  const issuedKey = useSignal<IssuedKeyText | null>(null);
  const open = sectionAt(account, currentAddress.value.hash);
  const body = useRef<HTMLDivElement>(null);
  const first = useRef(true);
  useEffect(() => {
    document.title = titleOf(open);
    if (body.current) body.current.scrollTop = 0;
    if (!first.current) body.current?.focus();
    first.current = false;
  }, [open]);
  const { id, title, intro, View } = open;
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
          <p class="intro">{intro}</p>
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
      <p class="group-title">{title}</p>
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
