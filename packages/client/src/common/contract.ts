// The types of requests, responses and stream messages, taken from the contract. Only types: the schemas and their library
// reach no bundle. In the published package this file is replaced by types that are written out in full (build/).
import type * as contract from '@tickwire/contract';

type Of<Schema extends { readonly _zod: { readonly output: unknown } }> = Schema['_zod']['output'];

// Market data

/** Length of a bar. Bars are aligned to UTC. */
export type Timeframe = contract.Timeframe;
/** Kind of an instrument. */
export type InstrumentType = contract.InstrumentType;
/** An instrument with its contract specification. */
export type Instrument = contract.Instrument;
/** Response of {@link TickwireClient.symbols}. */
export type InstrumentList = Of<typeof contract.InstrumentList>;
/** Bid and ask of an instrument, in price units. */
export type Quote = contract.Quote;
/** A quote with the code of its instrument. */
export type SymbolQuote = contract.SymbolQuote;
/** Response of {@link TickwireClient.quotes}. */
export type QuoteList = Of<typeof contract.QuoteList>;
/** The UTC day of one instrument, and the closing prices of its last 24 hours. */
export type OverviewItem = contract.OverviewItem;
/** Response of {@link TickwireClient.overview}. */
export type Overview = contract.Overview;
/** A bar: open, high, low and close in price units, and the traded volume. `time` is its start. */
export type OhlcvBar = contract.OhlcvBar;
/** A bar with the volumes at the bid and at the ask, from requests with `detail: true`. */
export type OhlcvBarDetail = contract.OhlcvBarDetail;
/** Response of {@link TickwireClient.market}: bars in ascending order, and the current quote. */
export type MarketResponse = Of<typeof contract.MarketResponse>;
/** Response of {@link TickwireClient.bars}: one page of bars. */
export type BarsPage = contract.BarsPage;
/** Volume that was bought and sold within one price level. */
export type PriceLevel = contract.PriceLevel;
/** Response of {@link TickwireClient.profile}: volume at price of a time range. */
export type Profile = contract.Profile;
/** Volume at price of one bar. */
export type FootprintBar = contract.FootprintBar;
/** Response of {@link TickwireClient.footprint}: one page of footprints. */
export type FootprintPage = contract.FootprintPage;
/** Name of an indicator. */
export type IndicatorName = contract.IndicatorName;
/** An indicator with its inputs in the order of {@link TickwireClient.indicatorList}, or by name: `rsi(14)`, `rsi(source=hl2)`. */
export type IndicatorText = IndicatorName | `${IndicatorName}(${string})`;
/** Response of {@link TickwireClient.indicatorList}. */
export type IndicatorList = contract.IndicatorList;
/** An indicator and its inputs, in {@link IndicatorList}. */
export type IndicatorDescription = contract.IndicatorDescription;
/** An input of an indicator, in {@link IndicatorDescription}. */
export type IndicatorInputDescription = contract.IndicatorInputDescription;
/** Values of an indicator at one bar. */
export type IndicatorItem = contract.IndicatorItem;
/** Values of one indicator, bar by bar, in {@link IndicatorSet}. */
export type IndicatorResult = contract.IndicatorResult;
/** Response of {@link TickwireClient.indicators} with one indicator. */
export type IndicatorPage = contract.IndicatorPage;
/** Response of {@link TickwireClient.indicators} with several indicators. */
export type IndicatorSet = contract.IndicatorSet;
/** A bar of {@link BarsPage}, with the fields that were requested. */
export type ChartBar = contract.ChartBar;
/** Response of {@link TickwireClient.severalBars}: one page of bars for each instrument. */
export type BarsPages = contract.BarsPages;
/** Response of {@link TickwireClient.ticks}: one page of quotes or trades. */
export type TicksPage = contract.TicksPage;
/** A quote of {@link TicksPage}. */
export type HistoryQuote = contract.HistoryQuote;
/** A trade of {@link TicksPage}. */
export type HistoryTrade = contract.HistoryTrade;
/** A field of a bar that is returned on request. */
export type BarField = contract.BarField;
/** Whether ticks are quotes or trades. */
export type TickKind = contract.TickKind;
/** A field of a tick that is returned on request. */
export type TickField = contract.TickField;
/** Response of {@link TickwireClient.coverage}: the bars that are absent, and why. */
export type Coverage = contract.Coverage;
/** Trading hours of an instrument in the coming days, in {@link Instrument} with `detail`. */
export type InstrumentHours = contract.InstrumentHours;
/** Response of {@link TickwireClient.hours}: sessions and holidays. */
export type TradingHours = contract.TradingHours;
/** Response of {@link TickwireClient.publisherFollowers}: results of followers with a delay. */
export type FollowerResults = contract.FollowerResults;
/** Response of {@link TickwireClient.positionSize}: lots for a given risk. */
export type PositionSize = contract.PositionSize;
/** Response of {@link TickwireClient.session}: statistics of the running service. */
export type SessionStatistics = contract.SessionStatistics;
/** State of one price feed. */
export type FeedReport = contract.FeedReport;
/** Response of {@link TickwireClient.feeds}: the price feeds, and the prices rejected as spikes. */
export type FeedList = Of<typeof contract.FeedList>;
/** A quote to push with {@link TickwireClient.ingestTicks}. */
export type QuoteLine = Of<typeof contract.QuoteLine>;
/** A trade to push with {@link TickwireClient.ingestTicks}. */
export type TradeLine = Of<typeof contract.TradeLine>;
/** A quote or a trade to push with {@link TickwireClient.ingestTicks}. */
export type IngestLine = Of<typeof contract.IngestLine>;
/** Response of {@link TickwireClient.ingestTicks}: the number of accepted lines, and the rejected ones. */
export type IngestAnswer = contract.IngestAnswer;

// Signals

/** A trading signal to publish. Prices have at most as many decimals as the instrument. */
export type SignalRequest = contract.SignalRequest;
/** The signature of a request, made by a {@link Signer}. */
export type RequestSignature = contract.RequestSignature;
/** A tighter stop for a signal. */
export type AmendRequest = contract.AmendRequest;
/** Response of {@link TickwireClient.publishSignal}. */
export type PublishedSignal = contract.PublishedSignal;
/** An active signal that the next quote of its instrument closes. */
export type ClosingSignal = contract.ClosingSignal;
/** A signal that is pending or open. */
export type ActiveSignal = Of<typeof contract.ActiveSignal>;
/** A closed signal with its verified profit or loss. */
export type ClosedSignal = Of<typeof contract.ClosedSignal>;
/** An active or a closed signal; `status` tells them apart. */
export type Signal = contract.Signal;
/** Response of {@link TickwireClient.signals}. */
export type SignalList = Of<typeof contract.SignalList>;
/** An active signal with its order type, its deadline and its record in the signal log. */
export type ActiveSignalDetail = Of<typeof contract.ActiveSignalDetail>;
/** A closed signal with its order type, its fill and its records in the signal log. */
export type ClosedSignalDetail = Of<typeof contract.ClosedSignalDetail>;
/** Response of {@link TickwireClient.signal}. */
export type SignalDetail = contract.SignalDetail;
/** Response of {@link TickwireClient.signalProof}: the log records of one signal, each with its hash. */
export type SignalProof = contract.SignalProof;
/** First record of the signal log: its id, realm and public key. */
export type OpenedRecord = Of<typeof contract.OpenedRecord>;
/** Log record of a publication. */
export type PublishedRecord = Of<typeof contract.PublishedRecord>;
/** Log record of a fill. */
export type FilledRecord = contract.FilledRecord;
/** Log record of a partial exit at a target. */
export type ExitedRecord = contract.ExitedRecord;
/** Log record of a tighter stop. */
export type AmendedRecord = contract.AmendedRecord;
/** Log record of a publisher's request to close a signal. */
export type CloseRequestedRecord = contract.CloseRequestedRecord;
/** Log record of a signal that an operator voided. */
export type VoidedRecord = contract.VoidedRecord;
/** Log record of a publisher's signing key. */
export type PublisherKeyRecord = contract.PublisherKeyRecord;
/** Response of {@link AccountApi.signingKey}: the public key with which the account signs its signals. */
export type SigningKey = contract.SigningKey;
/** Log record of a closing, with the ticks that decided it. */
export type ClosedRecord = Of<typeof contract.ClosedRecord>;
/** Log record that seals the tape of one instrument and UTC day. */
export type TapeSeal = Of<typeof contract.TapeSeal>;
/** Digits and pip size of the instrument when a signal was published. */
export type SignalSpecification = PublishedRecord['instrument'];
/** A quote as evidence for a decision. */
export type QuoteEvidence = Of<typeof contract.QuoteEvidence>;
/** A backfilled trade as evidence for a decision. */
export type TradeEvidence = Of<typeof contract.TradeEvidence>;
/** A one-minute bar as evidence for a decision, used if the feed has no ticks for that minute. */
export type BarEvidence = Of<typeof contract.BarEvidence>;
/** The market data that decided a fill or a closing; `kind` tells the variants apart. */
export type Evidence = Of<typeof contract.Evidence>;
/** A record of the signal log; `type` tells the variants apart. */
export type LogRecord = contract.LogRecord;
/** A log record with its hash: SHA-256 of the record's canonical JSON, in hex. */
export type LogEntry = contract.LogEntry;
/** Number and hash of the last log record, signed with Ed25519. */
export type LogHead = contract.LogHead;
/** Response of {@link TickwireClient.signalLog}. */
export type LogPage = contract.LogPage;
/** Time stamp of a head by an outside authority (RFC 3161). */
export type HeadToken = contract.HeadToken;
/** A head that the service keeps, with its time stamps. */
export type KeptHead = contract.KeptHead;
/** Response of {@link TickwireClient.signalHeads}. */
export type KeptHeadPage = contract.KeptHeadPage;
/** A quote on the tape. */
export type EvidenceQuote = contract.EvidenceQuote;
/** A trade on the tape. */
export type EvidenceTrade = contract.EvidenceTrade;
/** A minute of the tape that is known only as a bar. */
export type EvidenceBar = contract.EvidenceBar;
/** A line of {@link TickwireClient.evidence}. */
export type EvidenceLine = contract.EvidenceLine;
/** Track record of a publisher. Results are in R, multiples of the initial risk. */
export type TrackRecord = contract.TrackRecord;
/** A condition for a rank that a publisher does not meet. */
export type MissingCondition = Of<typeof contract.MissingCondition>;
/** Net direction of the open signals of a publisher in one currency or other asset. */
export type Exposure = Of<typeof contract.Exposure>;
/** A warning about how the results of a publisher came about. */
export type RecordWarning = Of<typeof contract.RecordWarning>;
/** Response of {@link TickwireClient.publishers}: track records, the best first. */
export type PublisherList = contract.PublisherList;
/** Field to sort publishers by. */
export type PublisherSort = contract.PublishersQuery['sort'];
/** Response of {@link TickwireClient.publisher}: a track record with its equity curve and results by instrument. */
export type PublisherDetail = contract.PublisherDetail;
/** Response of {@link TickwireClient.publicRecords}: the log records of a publisher's signals, newest signal first. */
export type PublicRecordPage = contract.PublicRecordPage;
/** A point of an equity curve, in R. */
export type EquityPoint = Of<typeof contract.EquityPoint>;
/** The end of an equity curve with open signals, in R. */
export type EquityNow = Of<typeof contract.EquityNow>;
/** Results of a publisher in one month. */
export type MonthRecord = Of<typeof contract.MonthRecord>;
/** Results of a publisher in one instrument. */
export type InstrumentRecord = Of<typeof contract.InstrumentRecord>;

// News and AI

/** A headline with category and sentiment. */
export type NewsItem = contract.NewsItem;
/** A headline with id, source, symbols and revision, from requests with `detail: true`. */
export type NewsDetail = contract.NewsDetail;
/** The account that pushed a headline; `null` for headlines of the service itself. */
export type NewsAccount = contract.NewsAccount;
/** How sure the model is of the label of a headline. */
export type SentimentCertainty = contract.SentimentCertainty;
/** Response of {@link TickwireClient.news}, newest first. */
export type NewsList = Of<typeof contract.NewsList>;
/** Response of {@link TickwireClient.newsItem}. */
export type NewsItemDetail = contract.NewsItemDetail;
/** Prices of an instrument around a headline, in {@link NewsItemDetail}. */
export type NewsMarket = contract.NewsMarket;
/** Response of {@link TickwireClient.newsSentiment}: headlines by interval, category and label. */
export type NewsSentiment = contract.NewsSentiment;
/** Headlines of one interval and category, counted by label. */
export type NewsSentimentItem = contract.NewsSentimentItem;
/** Response of {@link TickwireClient.newsCalibration}: how the market moved after headlines. */
export type NewsCalibration = contract.NewsCalibration;
/** Accuracy of one model, category, label and horizon. */
export type NewsCalibrationItem = contract.NewsCalibrationItem;
/** How well the label probabilities of the built-in model are calibrated in one category. */
export type NewsLabelCalibration = contract.NewsLabelCalibration;
/** Confidence and accuracy of headlines with a similar confidence. */
export type NewsReliabilityBin = contract.NewsReliabilityBin;
/** State of one news source. */
export type NewsSourceReport = contract.NewsSourceReport;
/** Response of {@link TickwireClient.newsSources}. */
export type NewsSourceList = contract.NewsSourceList;
/** A headline to push with {@link TickwireClient.ingestNews}. */
export type NewsLine = contract.NewsLine;
/** Response of {@link TickwireClient.ingestNews}: the number of accepted lines, and the rejected ones. */
export type NewsIngestAnswer = contract.NewsIngestAnswer;

// Economic calendar

/** How much an event usually moves the market. */
export type CalendarImpact = contract.CalendarImpact;
/** Status of a calendar event. */
export type CalendarStatus = contract.CalendarStatus;
/** An event of the economic calendar. */
export type CalendarEvent = contract.CalendarEvent;
/** Response of {@link TickwireClient.calendar}: one page of events by ascending time. */
export type CalendarPage = contract.CalendarPage;
/** Response of {@link TickwireClient.eventWindow}: whether a time is near a calendar event. */
export type EventWindow = contract.EventWindow;
/** State of the calendar sources. */
export type CalendarSourceReport = Of<typeof contract.CalendarSourceReport>;
/** Response of {@link TickwireClient.calendarSources}. */
export type CalendarSourceList = contract.CalendarSourceList;
/** A calendar event to push with {@link TickwireClient.ingestCalendar}. */
export type CalendarLine = contract.CalendarLine;
/** Response of {@link TickwireClient.ingestCalendar}: the number of accepted lines, and the rejected ones. */
export type CalendarIngestAnswer = contract.CalendarIngestAnswer;
/** Calendar events at the entry and exit of a signal, in {@link SignalDetail} with `windows: true`. */
export type SignalWindows = contract.SignalWindows;
/** A calendar event at the entry or exit of a signal, in {@link SignalWindows}. */
export type MarkedEvent = contract.SignalWindows['entry'][number];
/** Results near calendar events and without them, in {@link PublisherDetail} with `windows: true`. */
export type WindowRecords = Of<typeof contract.WindowRecords>;
/** Figures over the signals near calendar events, or over all others, in {@link WindowRecords}. */
export type WindowFigures = WindowRecords['inside'];
/** A text to score with {@link TickwireClient.aiSentiment}. */
export type AiSentimentRequest = contract.AiSentimentRequest;
/** Response of {@link TickwireClient.aiSentiment}: a label, and a score from −1 (bearish) to 1 (bullish). */
export type AiSentiment = contract.AiSentiment;
/** Response of {@link TickwireClient.aiBrief}: a short text with a citation for each figure. */
export type AiBrief = contract.AiBrief;
/** Source of one figure of a brief. */
export type BriefCitation = contract.BriefCitation;
/** A model, its tasks and whether it is available. */
export type AiModel = contract.AiModel;
/** Response of {@link TickwireClient.aiModels}. */
export type AiModelList = contract.AiModelList;

// Alerts and their delivery

/** When an alert fires; `type` tells the variants apart. */
export type AlertCondition = contract.AlertCondition;
/** One condition of an alert, not a combination. */
export type SimpleCondition = contract.SimpleCondition;
/** Conditions that must hold together. */
export type CombinedCondition = contract.CombinedCondition;
/** The price crosses or touches a level, or is beyond it. */
export type PriceCondition = Of<typeof contract.PriceCondition>;
/** The price moves by a percentage within a time. */
export type MoveCondition = Of<typeof contract.MoveCondition>;
/** A bar closes above or below a level. */
export type BarCloseCondition = Of<typeof contract.BarCloseCondition>;
/** An indicator crosses a value or another indicator. */
export type IndicatorCondition = Of<typeof contract.IndicatorCondition>;
/** The volume of the forming bar is above a threshold. */
export type VolumeCondition = Of<typeof contract.VolumeCondition>;
/** The delta of the forming bar is beyond a threshold. */
export type DeltaCondition = Of<typeof contract.DeltaCondition>;
/** A passive side holds the price against aggression. */
export type AbsorptionCondition = Of<typeof contract.AbsorptionCondition>;
/** The spread is too wide. */
export type SpreadCondition = Of<typeof contract.SpreadCondition>;
/** A headline is published. */
export type HeadlineCondition = Of<typeof contract.HeadlineCondition>;
/** A signal is published, filled or closed. */
export type SignalCondition = Of<typeof contract.SignalCondition>;
/** An economic event is due. */
export type CalendarCondition = Of<typeof contract.CalendarCondition>;
/** The instrument has had no quote for some time although its market is open. */
export type StaleCondition = Of<typeof contract.StaleCondition>;
/** The market of the instrument opens or closes. */
export type MarketCondition = Of<typeof contract.MarketCondition>;
/** Request of {@link TickwireClient.createAlert}, with every default filled in. */
export type AlertRequest = contract.AlertRequest;
/** Request of {@link TickwireClient.changeAlert}. */
export type AlertChange = contract.AlertChange;
/** State of an alert. */
export type AlertState = contract.AlertState;
/** An alert of the account. */
export type Alert = contract.Alert;
/** An alert with the destinations that were created for it, and their secrets. */
export type CreatedAlert = contract.CreatedAlert;
/** Response of {@link TickwireClient.alerts}. */
export type AlertList = contract.AlertList;
/** Where an alert is delivered. */
export type DeliverEntry = contract.DeliverEntry;
/** An alert or a subscription fired. */
export type AlertFiring = contract.AlertFiring;
/** Response of {@link TickwireClient.firings}. */
export type FiringList = Of<typeof contract.FiringList>;
/** Response of {@link TickwireClient.testAlert} and {@link TickwireClient.testDestination}. */
export type AlertTest = Of<typeof contract.AlertTest>;
/** Request of {@link TickwireClient.createSubscription}, with every default filled in. */
export type SubscriptionRequest = contract.SubscriptionRequest;
/** A subscription: it follows a publisher, an instrument or a news category. */
export type Subscription = contract.Subscription;
/** A subscription with the destinations that were created for it, and their secrets. */
export type CreatedSubscription = Of<typeof contract.CreatedSubscription>;
/** Response of {@link TickwireClient.subscriptions}. */
export type SubscriptionList = Of<typeof contract.SubscriptionList>;
/** The body of a webhook, as `verifyWebhook` of `@tickwire/client/webhooks` returns it. */
export type WebhookMessage = contract.WebhookMessage;
/** Where to deliver: an existing destination, or an address. */
export type DeliverTo = contract.DeliverTo;
/** A destination that exists, by its id. */
export type ExistingDestination = Of<typeof contract.ExistingDestination>;
/** The list of firings and `/ws/alerts`, which have every firing anyway. */
export type InAppAddress = Of<typeof contract.InAppAddress>;
/** A webhook, signed by the rules of Standard Webhooks. */
export type WebhookAddress = Of<typeof contract.WebhookAddress>;
/** A channel of Discord. */
export type DiscordAddress = Of<typeof contract.DiscordAddress>;
/** A channel of Slack. */
export type SlackAddress = Of<typeof contract.SlackAddress>;
/** An e-mail address. */
export type EmailAddress = Of<typeof contract.EmailAddress>;
/** A Telegram chat, linked by sending a code to the bot. */
export type TelegramAddress = Of<typeof contract.TelegramAddress>;
/** A browser that receives push messages. */
export type PushAddress = Of<typeof contract.PushAddress>;
/** A browser's push subscription, as its `toJSON()` returns it. */
export type PushSubscription = contract.PushSubscription;
/** Request of {@link TickwireClient.createDestination}. */
export type DestinationRequest = contract.DestinationRequest;
/** A destination of messages. */
export type Destination = contract.Destination;
/** A new destination, with its secret or its code. */
export type CreatedDestination = contract.CreatedDestination;
/** Response of {@link TickwireClient.destinations}. */
export type DestinationList = Of<typeof contract.DestinationList>;
/** Response of {@link TickwireClient.pushKey}. */
export type PushKey = Of<typeof contract.PushKey>;
/** How messages of an account write times and numbers. */
export type Preferences = contract.Preferences;
/** Request of {@link TickwireClient.setPreferences}. */
export type PreferencesChange = contract.PreferencesChange;
/** State of a message in the delivery log. */
export type DeliveryState = contract.DeliveryState;
/** A message to a destination, in the delivery log. */
export type Delivery = contract.Delivery;
/** Response of {@link TickwireClient.deliveries}. */
export type DeliveryList = Of<typeof contract.DeliveryList>;

// Accounts, keys and usage

/** Limits of a tier. */
export type Tier = contract.Tier;
/** The account behind a key or session, with its tier, limits and scopes. */
export type Account = contract.Account;
/** Response of {@link AccountApi.registration}. */
export type Registration = Of<typeof contract.Registration>;
/** Request of {@link AccountApi.setUp}. */
export type SetupRequest = Of<typeof contract.SetupRequest>;
/** Request of {@link AccountApi.signUp}. */
export type SignUpRequest = Of<typeof contract.SignUpRequest>;
/** Request of {@link AccountApi.signIn}. */
export type SignInRequest = Of<typeof contract.SignInRequest>;
/** Request of {@link AccountApi.changePassword}. */
export type PasswordChange = Of<typeof contract.PasswordChange>;
/** Response of {@link AccountApi.changePassword}. */
export type PasswordChanged = Of<typeof contract.PasswordChanged>;
/** Request of {@link AccountApi.delete}. */
export type AccountDeletion = Of<typeof contract.AccountDeletion>;
/** Response of {@link AccountApi.delete}. */
export type AccountDeleted = Of<typeof contract.AccountDeleted>;
/** A signed-in session. */
export type SessionInfo = contract.SessionInfo;
/** Response of {@link AccountApi.sessions}. */
export type SessionList = Of<typeof contract.SessionList>;
/** The number of sessions that a call ended. */
export type SessionsEnded = Of<typeof contract.SessionsEnded>;
/** Kind of a document of the account. */
export type DocumentKind = contract.DocumentKind;
/** A document of the account without its value. */
export type DocumentInfo = contract.DocumentInfo;
/** Response of {@link DocumentsApi.get}. */
export type AccountDocument = contract.AccountDocument;
/** A document in a list: with its value if the list was asked for with values. */
export type ListedDocument = contract.DocumentList['items'][number];
/** Response of {@link DocumentsApi.list}. */
export type DocumentList = contract.DocumentList;
/** Response of {@link AccountApi.checkSetup} and {@link AccountApi.checkInvitation}. */
export type LinkCheck = contract.LinkCheck;
/** Body of {@link AccountApi.checkSetup} and {@link AccountApi.checkInvitation}. */
export type LinkCheckRequest = contract.LinkCheckRequest;
/** Response of {@link AccountApi.twoFactor}. */
export type TwoFactorStatus = contract.TwoFactorStatus;
/** Response of {@link AccountApi.setUpTwoFactor}: the secret for an authenticator app. */
export type TwoFactorSecret = Of<typeof contract.TwoFactorSecret>;
/** Response of {@link AccountApi.confirmTwoFactor}: ten recovery codes, shown only once. */
export type TwoFactorConfirmed = contract.TwoFactorConfirmed;
/** Request of {@link AccountApi.disableTwoFactor}. */
export type TwoFactorDisabling = Of<typeof contract.TwoFactorDisabling>;
/** An API key without its secret. */
export type KeyInfo = contract.KeyInfo;
/** Request of {@link KeysApi.create}, with every default filled in. */
export type KeyRequest = contract.KeyRequest;
/** Request of {@link KeysApi.rotate}. */
export type KeyRotation = Of<typeof contract.KeyRotation>;
/** A new API key with its secret, which is shown only once. */
export type IssuedKey = contract.IssuedKey;
/** Response of {@link KeysApi.list}. */
export type KeyList = Of<typeof contract.KeyList>;
/** Response of {@link UdfApi.config}. */
export type UdfConfig = contract.UdfConfig;
/** Response of {@link UdfApi.symbol}. */
export type UdfSymbol = contract.UdfSymbol;
/** Response of {@link UdfApi.search}. */
export type UdfSearchResult = contract.UdfSearchResult;
/** Response of {@link UdfApi.history}. */
export type UdfHistory = contract.UdfHistory;
/** Response of {@link UdfApi.marks}. */
export type UdfMarks = contract.UdfMarks;
/** Response of {@link UdfApi.quotes}. */
export type UdfQuotes = contract.UdfQuotes;
/** A data link without its address. */
export type DataLink = contract.DataLink;
/** Request of {@link LinksApi.create}, with every default filled in. */
export type DataLinkRequest = Of<typeof contract.DataLinkRequest>;
/** A new data link with its address, which is shown only once. */
export type IssuedDataLink = contract.IssuedDataLink;
/** Response of {@link LinksApi.list}. */
export type DataLinkList = Of<typeof contract.DataLinkList>;
/** Response of {@link TickwireClient.usage}: the tier and what is left of its allowances. */
export type Usage = contract.Usage;
/** Response of {@link TickwireClient.usageHistory}. */
export type UsageHistory = contract.UsageHistory;
/** An account as the operator sees it. */
export type AccountReport = contract.AccountReport;
/** Response of {@link AdminApi.accounts}. */
export type AccountReportList = Of<typeof contract.AccountReportList>;
/** An open WebSocket connection as the operator sees it. */
export type StreamReport = contract.StreamReport;
/** Response of {@link AdminApi.streams}. */
export type StreamReportList = Of<typeof contract.StreamReportList>;
/** Name of an action in the audit log. */
export type AuditAction = contract.AuditAction;
/** An entry of the audit log. */
export type AuditItem = contract.AuditItem;
/** Response of {@link AdminApi.auditLog}. */
export type AuditList = contract.AuditList;
/** Response of {@link AdminApi.languageModel}. */
export type LanguageModelReport = contract.LanguageModelReport;
/** How often the language model and the built-in model give the same label, in one category. */
export type LabelAgreement = contract.LabelAgreement;
/** A text that the language model and the built-in model label differently. */
export type LabelDisagreement = contract.LabelDisagreement;
/** Request of {@link AdminApi.createInvitation}, with every default filled in. */
export type InvitationRequest = Of<typeof contract.InvitationRequest>;
/** An invitation to sign up, without its token. */
export type Invitation = contract.Invitation;
/** Response of {@link AdminApi.invitations}. */
export type InvitationList = Of<typeof contract.InvitationList>;
/** A new invitation with its link, which is shown only once and works once. */
export type IssuedInvitation = Of<typeof contract.IssuedInvitation>;
/** Response of {@link TickwireClient.healthz}. */
export type Health = Of<typeof contract.Health>;
/** Response of {@link TickwireClient.readyz}. */
export type Readiness = Of<typeof contract.Readiness>;

// Streams and errors

/** Name of a WebSocket channel of the service. */
export type Channel = contract.Channel;
/** A change of bid or ask. `time` is Unix time in seconds. */
export type MarketTick = contract.MarketTick;
/** A bar that changed or closed. `time` is its start, as Unix time in seconds. */
export type BarMessage = contract.BarMessage;
/** Volume at price of a bar that changed or closed. `time` is its start, as Unix time in seconds. */
export type FootprintMessage = contract.FootprintMessage;
/** Timeframes of streamed footprints. */
export type FootprintTimeframe = contract.FootprintTimeframe;
/** Traded volume at the bid and at the ask since the previous message. `time` is Unix time in seconds. */
export type OrderFlowTick = contract.OrderFlowTick;
/** A signal that was published. */
export type SignalPublished = Of<typeof contract.SignalPublished>;
/** A signal that closed. Sent only if the stream was opened with `closes: true`. */
export type SignalClosed = Of<typeof contract.SignalClosed>;
/** A fill on a stream of signals with `fills: true`. */
export type SignalFilled = Of<typeof contract.SignalFilled>;
/** A partial exit on a stream of signals with `changes: true`. */
export type SignalExited = Of<typeof contract.SignalExited>;
/** A tighter stop on a stream of signals with `changes: true`. */
export type SignalAmended = Of<typeof contract.SignalAmended>;
/** A headline that entered the feed. */
export type NewsPublished = contract.NewsPublished;
/** A headline that was revised, under the `id` it was published with. */
export type NewsRevised = contract.NewsRevised;
/** A firing of an alert or a subscription. `event_seq` is the position of the event that fired it. */
export type AlertFired = contract.AlertFired;
/** A position in a stream: everything of the epoch up to this number has been received. */
export type StreamPosition = contract.StreamPosition;
/** A response or notice of the service on a stream; `event` tells the variants apart. */
export type Notice = contract.Notice;
/** Response to a subscribe, unsubscribe or list message, with the whole current subscription. */
export type SubscriptionNotice = Of<typeof contract.SubscriptionNotice>;
/** Response to a ping. */
export type PongNotice = Of<typeof contract.PongNotice>;
/** A rejected message. The connection stays open unless `fatal` is true. */
export type ErrorNotice = Of<typeof contract.ErrorNotice>;
/** This connection fell behind and receives only the latest values until it has caught up. */
export type SlowNotice = Of<typeof contract.SlowNotice>;
/** Messages are missing. The client turns this notice into a {@link Gap}. */
export type GapNotice = Of<typeof contract.GapNotice>;
/** Sent every `heartbeatSeconds`, with the newest `seq` and the age of each symbol's last tick in seconds. */
export type HeartbeatNotice = Of<typeof contract.HeartbeatNotice>;
/** The feed of some symbols was disconnected, backfilled or replaced. */
export type FeedNotice = Of<typeof contract.FeedNotice>;
/** The service is about to stop; the client reconnects. */
export type ShutdownNotice = Of<typeof contract.ShutdownNotice>;
/** Close codes after which the client does not reconnect. */
export type FinalCloseCode = Extract<(typeof contract.CLOSE_CODES)[number], { reconnect: false }>['code'];
/** Error codes of the service, the same over REST and WebSocket. */
export type ErrorCode = contract.ErrorCode;
/** Error response of the service (RFC 9457). */
export type Problem = contract.Problem;
/** A target of a signal to publish. */
export type TargetRequest = NonNullable<contract.SignalRequest['targets']>[number];
/** A target of a signal: a part of the position, and the price at which it exits. */
export type SignalTarget = contract.Target;
/** A part of the position that exited at a target. */
export type SignalExit = contract.SignalDetail['exits'][number];
/** Signature of a publisher in a record of the log. */
export type RecordSignature = NonNullable<contract.PublishedRecord['signed']>;
/** Results of followers with one delay. */
export type FollowerDelay = contract.FollowerResults['delays'][number];
/** One signal, and the results of its followers. */
export type FollowedSignal = contract.FollowerResults['items'][number];
/** The log records of one signal of a public record. */
export type PublicSignal = contract.PublicRecordPage['items'][number];
