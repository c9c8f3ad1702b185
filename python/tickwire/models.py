"""Types of the bodies and messages of the service. At run time they are plain dictionaries.

Generated from the OpenAPI and AsyncAPI documents by `python3 python/tools/generate.py`. Do not edit.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Union

from typing import TypedDict

class AbsorptionCondition(TypedDict):
    """A passive side begins to hold the price against aggression."""

    type: Literal["absorption"]
    side: Literal["buy", "sell", "either"]
    """Passive side that holds the price."""


class Account(TypedDict):
    """The account of the caller."""

    id: str
    name: str
    tier: str
    tier_limits: Tier
    """Limits, shared by all keys of the account."""
    owner: bool
    """Whether this is the owner of the service."""
    created_at: str
    scopes: List[Literal["read", "alerts", "publish", "ingest", "admin", "hook"]]
    key_scopes: List[Literal["read", "alerts", "publish", "ingest", "admin", "hook"]]
    """Scopes that keys of the account can have."""
    session: Optional[str]
    """Id of the session of this request; `null` for a key."""


class AccountDeleted(TypedDict):
    """Result of deleting the account."""

    sessions_ended: int
    keys_revoked: int
    """Number of revoked keys."""


class DocumentInfo(TypedDict):
    """A document of an account, without its value."""

    kind: Literal["layout", "drawings", "watchlist", "settings"]
    """Kind of the document."""
    name: str
    """Name, unique within its kind."""
    revision: int
    """Version, starting at 1."""
    updated: str
    """Time of the last change."""


class AccountDocument(DocumentInfo):
    """A document of an account."""

    value: Dict[str, Any]
    """What was stored."""


class AccountReport(TypedDict):
    """An account with its activity."""

    id: str
    name: str
    tier: str
    owner: bool
    """Whether this is the owner of the service."""
    state: Literal["active", "disabled"]
    signs_in: bool
    """Whether the account has a password."""
    created_at: str
    last_seen_at: Optional[str]
    """Last use, to the minute."""
    keys: int
    """Valid API keys."""
    keys_of_revoked_sessions: List[str]
    """Ids of valid keys made in sessions that were ended."""
    sessions: int
    """Signed-in sessions."""
    streams: int
    """Streams open now."""
    requests_day: int
    """REST requests in the last 24 hours."""
    errors_day: int
    """Error responses in the last 24 hours."""
    ai_calls_day: int
    """AI calls in the last 24 hours."""


class AccountReportList(TypedDict):
    """All accounts."""

    items: List[AccountReport]
    count: int
    tiers: Dict[str, Tier]
    """Tiers of the service by name."""


class SignalMessage(TypedDict):
    """A newly published signal."""

    id: str
    user: str
    """Display name of the publisher."""
    symbol: str
    direction: Literal["buy", "sell"]
    entry: float
    """Declared entry price."""
    stop_loss: float
    take_profit: float
    timestamp: str
    """Time of publication."""


class ActiveSignal(SignalMessage):
    """A pending or filled signal."""

    status: Literal["active"]


class _SignalDetailFieldsRequired(TypedDict):
    """Fields that every `SignalDetailFields` has."""

    publisher: str
    order: Literal["market", "limit", "stop"]
    max_slippage: Optional[float]
    state: Literal["pending", "open", "closed"]
    """`pending`: the entry waits for its fill. `open`: the entry is filled. `closed`: it has ended."""
    targets: List[SignalTarget]
    """Targets, nearest first."""
    breakeven_after: Optional[int]
    """Targets after which the stop moves to the entry; `null` if never."""
    expires_at: str
    """Deadline of the entry while it is pending, then of the signal."""
    note: Optional[str]
    """Note of the publisher, plain text."""
    filled_at: Optional[str]
    """Time of the fill; `null` if not filled."""
    exits: List[SignalExit]
    """Exits at targets before the last one."""
    current_stop_loss: float
    """Stop in force, or the last one of a closed signal."""
    close_requested_at: Optional[str]
    """Time at which the publisher requested to close it; `null` if that never happened."""
    voided_at: Optional[str]
    """Time at which an operator voided it; `null` if that never happened."""
    voided_reason: Optional[str]
    """The operator's public reason for voiding it; `null` if it was not voided."""
    signed: bool
    """Whether the publisher signed the publication."""
    published_n: int
    """Number of the publication record."""
    published_hash: str
    """Hash of the publication record."""
    closed_n: Optional[int]
    """Number of the closing record; `null` if there is none."""
    closed_hash: Optional[str]
    """Hash of the closing record; `null` if there is none."""


class SignalDetailFields(_SignalDetailFieldsRequired, total=False):
    """Fields of active and closed signals in detail."""

    windows: Optional[SignalWindows]
    """With `windows=true`: calendar events at the entry and exit; `null` if active or never filled."""


class ActiveSignalDetail(SignalDetailFields, ActiveSignal):
    """An active signal in detail."""

    entry_price: Optional[float]


class AiBrief(TypedDict):
    """A short brief on one instrument."""

    symbol: str
    text: str
    """The brief, plain text."""
    model: str
    """Id of the model that wrote it; `rules` if no language model did."""
    generated_at: str
    """Time at which it was written."""
    citations: List[BriefCitation]
    """Sources of all figures, in the order of the text."""


class AiModel(TypedDict):
    """A model."""

    id: str
    kind: Literal["local", "llm"]
    """`local`: built into the service. `llm`: a language model at an endpoint of the operator."""
    tasks: List[Literal["sentiment", "brief"]]
    """Tasks that the model supports."""
    available: bool
    """Whether the model is currently available."""
    version: str
    """Version of the model."""
    default: bool
    """Whether requests that name no model use this one."""


class AiModelList(TypedDict):
    """All models."""

    items: List[AiModel]
    count: int


class AiSentiment(TypedDict):
    """Sentiment of a text."""

    sentiment: Literal["bullish", "neutral", "bearish"]
    sentiment_score: float
    model: str


class _AiSentimentRequestRequired(TypedDict):
    """Fields that every `AiSentimentRequest` has."""

    text: str
    """Text to score, such as a headline."""


class AiSentimentRequest(_AiSentimentRequestRequired, total=False):
    """A text to score."""

    symbol: str
    """Instrument code (case-insensitive), from whose point of view the text is scored."""
    model: str
    """Id of a model. If omitted, the default model is used."""


class Alert(TypedDict):
    """An alert."""

    id: str
    symbol: Optional[str]
    condition: AlertCondition
    repeat: Literal["once", "once_per_bar", "every_time"]
    interval: Optional[Literal["1m", "5m", "15m", "1h", "4h", "1d"]]
    """Bar of `once_per_bar`."""
    cooldown_seconds: int
    expires_at: Optional[str]
    deliver: List[DeliverEntry]
    note: Optional[str]
    state: Literal["active", "paused", "done", "expired"]
    """`done`: it fired once. `expired`: its time is over."""
    not_checked: Optional[Literal["instrument_not_configured"]]
    """Why an active alert is not checked: the service no longer has the instrument."""
    created_at: str
    fired: int
    """Number of firings."""
    last_fired_at: Optional[str]
    """Market time of the last firing."""


class AlertChange(TypedDict, total=False):
    """Fields of an alert to change; the others stay."""

    condition: AlertCondition
    """New condition. A level beyond the price does not fire until crossed."""
    repeat: Literal["once", "once_per_bar", "every_time"]
    interval: Optional[Literal["1m", "5m", "15m", "1h", "4h", "1d"]]
    """Bar of `once_per_bar`."""
    cooldown_seconds: int
    expires_at: Optional[str]
    deliver: List[DeliverTo]
    note: Optional[str]


class _AlertFiredRequired(TypedDict):
    """Fields that every `AlertFired` has."""

    id: str
    """Id, the same in every delivery and on `/ws/alerts`."""
    alert_id: str
    """Id of the alert or subscription."""
    symbol: Optional[str]
    """Instrument code in upper case."""
    condition: AlertCondition
    title: str
    """What happened, in one line."""
    note: Optional[str]
    """Note in the message."""
    time: str
    """Time of the event, or start of the bar or interval."""
    fired_at: str
    """When the service noticed."""
    late: bool
    """Noticed more than 5 seconds after the event."""
    price: Optional[float]
    """Price or value that fired it."""
    event_seq: Optional[int]
    """Sequence number of the event."""


class AlertFired(_AlertFiredRequired, total=False):
    """An alert or subscription of the account fired."""

    channel: Literal["alerts"]
    """Name of the channel; present on /ws and /sse only."""
    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this subscription; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


class AlertFiring(TypedDict):
    """An alert fired."""

    id: str
    """Id, the same in every delivery and on `/ws/alerts`."""
    alert_id: str
    symbol: Optional[str]
    condition: AlertCondition
    title: str
    note: Optional[str]
    time: str
    fired_at: str
    """When the service noticed."""
    late: bool
    """Noticed more than 5 seconds after the event."""
    price: Optional[float]
    """Price or value that fired it."""
    seq: Optional[int]


class AlertList(TypedDict):
    """Alerts of the account."""

    items: List[Alert]
    """Alerts, newest first."""
    count: int


class _AlertRequestRequired(TypedDict):
    """Fields that every `AlertRequest` has."""

    condition: AlertCondition


class AlertRequest(_AlertRequestRequired, total=False):
    """An alert to create."""

    symbol: str
    """Instrument code (case-insensitive). Conditions on headlines, signals and calendar events can leave it out."""
    repeat: Literal["once", "once_per_bar", "every_time"]
    interval: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Bar of `once_per_bar`. Default: that of the condition, or one minute."""
    cooldown_seconds: int
    expires_at: Optional[str]
    deliver: List[DeliverTo]
    note: str


class AlertTest(TypedDict):
    """Test messages that were written."""

    deliveries: List[str]
    """Ids of the test messages in the delivery log."""


class _AmendRequestRequired(TypedDict):
    """Fields that every `AmendRequest` has."""

    stop_loss: float
    """The new, tighter stop: higher for a buy, lower for a sell."""


class AmendRequest(_AmendRequestRequired, total=False):
    """A tighter stop for a signal."""

    signed: RequestSignature
    """Required with a signing key."""


class RecordFields(TypedDict):
    """Fields of every record of the signal log."""

    n: int
    """Number, starting at 0."""
    prev: str
    """Hash of the previous record; 64 zeros in the first one."""
    rules: int
    """Version of the rules, always 2."""
    at: str
    """Time at which the record was written."""


class SignalRecordFields(RecordFields):
    """Fields of every record about a signal."""

    signal: str
    """Id of the signal."""
    publisher: str
    symbol: str


class _AmendedRecordRequired(SignalRecordFields):
    """Fields that every `AmendedRecord` has."""

    type: Literal["amended"]
    stop_loss: float
    """The tighter stop."""
    quote: QuoteEvidence
    """Newest quote at the time: later ones are judged by the tighter stop."""


class AmendedRecord(_AmendedRecordRequired, total=False):
    """A tighter stop of a signal."""

    signed: RecordSignature
    """Required with a signing key."""


class _AuditItemRequired(TypedDict):
    """Fields that every `AuditItem` has."""

    id: int
    """Number of the entry; rises with time."""
    timestamp: str
    """Time of the entry."""
    action: str
    """One of `actions`."""
    actor: str
    """Id of an account or key, a chat platform, `command line`, `first start` or `anonymous`."""
    account: Optional[str]
    """Id of the account concerned."""
    subject: str
    """Account name, key id or other object concerned."""
    address: Optional[str]
    """IP address of the client."""


class AuditItem(_AuditItemRequired, total=False):
    """An entry of the audit log."""

    actor_name: Optional[str]
    """With `detail=true`: name of the account that acted."""
    account_name: Optional[str]
    """With `detail=true`: name of `account`."""


class AuditList(TypedDict):
    """A page of the audit log."""

    items: List[AuditItem]
    """Entries, newest first."""
    count: int
    next_before: Optional[int]
    """Value of `before` for the next page; `null` if there are no more entries."""
    actions: List[str]
    """All possible values of `action`."""


class _AuthenticateMessageRequired(TypedDict):
    """Fields that every `AuthenticateMessage` has."""

    action: Literal["authenticate"]
    """Type of the request."""
    api_key: str
    """API key with the scope `ingest`."""


class AuthenticateMessage(_AuthenticateMessageRequired, total=False):
    """Authenticates a connection to `/ws/ingest`."""

    id: Union[str, float]
    """Id of the request, echoed in the response."""


class _AuthenticatedNoticeRequired(TypedDict):
    """Fields that every `AuthenticatedNotice` has."""

    event: Literal["authenticated"]
    """Type of the event."""


class AuthenticatedNotice(_AuthenticatedNoticeRequired, total=False):
    """Confirms the authentication."""

    id: Union[str, float]
    """Id of the request, echoed in the response."""


class BarCloseCondition(TypedDict):
    """A bar closes above or below a level."""

    type: Literal["bar_close"]
    interval: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    close: Literal["above", "below"]
    """Side of the level on which the bar closes."""
    level: float
    """The level."""


class BarEvidence(TypedDict):
    """A minute for which only a bar of bids was available."""

    kind: Literal["bar"]
    seq: int
    time: str
    source: str
    open: float
    high: float
    low: float
    close: float
    spread: float
    """Spread of the last quote before it."""


class _BarMessageRequired(TypedDict):
    """Fields that every `BarMessage` has."""

    channel: Literal["bars"]
    """Identifies the message as a bar."""
    symbol: str
    """Instrument code in upper case."""
    timeframe: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Length of a bar."""
    time: int
    """Start of the bar, Unix time in seconds."""
    open: float
    """First price."""
    high: float
    """Highest price."""
    low: float
    """Lowest price."""
    close: float
    """Last price."""
    volume: float
    """Volume traded; without trades, quote sizes or the number of ticks."""
    closed: bool
    """`false` while the bar is forming. A closed bar may be sent again, corrected."""


class _BarMessageIndicatorsValueRequired(TypedDict):
    """Fields that every `BarMessageIndicatorsValue` has."""

    settled: bool
    """Whether there were enough bars before: a longer history would give the same value."""


class BarMessageIndicatorsValue(_BarMessageIndicatorsValueRequired, total=False):
    """Values of an indicator at the bar of the message."""

    value: Optional[float]
    """Value of a single line; `null` while there are too few bars."""
    values: Dict[str, Optional[float]]
    """Values of several lines, by name."""


class BarMessage(_BarMessageRequired, total=False):
    """A bar update."""

    indicators: Dict[str, BarMessageIndicatorsValue]
    """Values of the subscribed indicators by their full text, such as `rsi(14)`: if the forming bar closed now, or
    those of the closed bar. Present if the subscription has `indicators`.
    """
    time_ms: int
    """`time` with its milliseconds; present if the subscription has `"ms":true`."""
    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this symbol; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


class BarsPage(TypedDict):
    """Bars of one instrument, one page."""

    symbol: str
    interval: str
    align: str
    items: List[ChartBar]
    """Ascending; the newest may still be forming."""
    next: Optional[str]


class BarsPages(TypedDict):
    """Bars of several instruments."""

    items: List[BarsPage]
    """One page for each instrument, in the order of `symbols`."""
    count: int


class BriefCitation(TypedDict):
    """Source of a figure in a brief."""

    figure: str
    """The figure as written in the text."""
    value: Union[float, str]
    """The value before rounding."""
    source: str
    """`quote`, `bars:1h` and other timeframes, `orderflow`, `signals` or `news`."""
    path: str
    """Where to check the figure: a REST path, or `/ws/orderflow`."""


class _CalendarConditionRequired(TypedDict):
    """Fields that every `CalendarCondition` has."""

    type: Literal["calendar"]
    minutes: int
    """Minutes before the event; 0 at the event."""


class CalendarCondition(_CalendarConditionRequired, total=False):
    """An economic event is due, for the symbol if the alert has one."""

    impact: Literal["low", "medium", "high"]
    """Least impact of the event."""
    country: str
    """Country of the event."""


class CalendarEvent(TypedDict):
    """An event of the economic calendar."""

    id: str
    """Id, the same for all revisions."""
    title: str
    """Name of the event."""
    country: str
    """ISO 3166 code, or `EU` for the euro area."""
    currency: str
    """Currency that the event concerns."""
    impact: Literal["low", "medium", "high"]
    """Usual effect on the market."""
    time: str
    """Time of the event; 00:00 if it is all day."""
    all_day: bool
    """Whether only the date is known: it opens no window."""
    status: Literal["scheduled", "moved", "released", "cancelled"]
    """`moved`: scheduled at another time than first stated. `released`: known value, or by its source."""
    actual: Optional[str]
    """Released value, as its source writes it."""
    forecast: Optional[str]
    """Expected value, as its source writes it."""
    previous: Optional[str]
    """Value of the period before, as its source writes it."""
    unit: Optional[str]
    """Unit of the values, such as `%` or `K`."""
    source: str
    """Name of the source."""
    url: Optional[str]
    symbols: List[str]
    """Affected instruments."""
    moved_from: Optional[str]
    """Time before the last change; `null` if unchanged."""
    revision: int
    """Number of the revision, starting at 1."""
    updated_at: str
    """Time of receipt of this revision."""


class CalendarIngestAnswerRejectedItem(TypedDict):
    """`CalendarIngestAnswerRejectedItem` of the service."""

    line: int
    code: Literal["malformed_json", "malformed_line", "bad_time", "time_out_of_range", "unknown_currency", "reserved_source"]
    detail: str


class CalendarIngestAnswer(TypedDict):
    """Result of pushing calendar events."""

    accepted: int
    rejected: List[CalendarIngestAnswerRejectedItem]
    rejected_count: int


class _CalendarLineRequired(TypedDict):
    """Fields that every `CalendarLine` has."""

    title: str
    """Name of the event. Markup and control characters are removed."""
    country: str
    """ISO 3166 code, or `EU` for the euro area."""
    time: Union[Union[float, str], str]
    """Unix time in milliseconds, or ISO 8601 with an offset. A date makes it an all-day event."""


class CalendarLine(_CalendarLineRequired, total=False):
    """A pushed calendar event, or a revision of one."""

    currency: str
    """Currency. Default: that of the country."""
    impact: Literal["low", "medium", "high"]
    """Impact. Default: that of the known event, or `medium`."""
    status: Literal["scheduled", "released", "cancelled"]
    """Status. Default: `released` if there is an actual value, else `scheduled`."""
    actual: Optional[Union[str, float]]
    """Released value; `null` removes it."""
    forecast: Optional[Union[str, float]]
    """Expected value; `null` removes it."""
    previous: Optional[Union[str, float]]
    """Value of the period before; `null` removes it."""
    unit: Optional[str]
    """Unit of the values."""
    url: str
    source: str
    """Name of the source, not that of a configured one. Default: the name of the account."""
    id: str
    """Id at its source: a line with the same id is a revision. Without ids, country, title and UTC date identify an
    event.
    """


_CalendarPageFields = TypedDict('_CalendarPageFields', {
    'items': 'List[CalendarEvent]',
    'count': 'int',
    'from': 'str',
    'to': 'str',
    'next': 'Optional[str]',
}, total=True)


class CalendarPage(_CalendarPageFields):
    """A page of the economic calendar.

    `items`: Events by ascending time, then by id.
    """



class CalendarSourceList(TypedDict):
    """Status of all calendar sources."""

    items: List[CalendarSourceReport]
    count: int


class _ChannelListRequired(TypedDict):
    """Fields that every `ChannelList` has."""

    action: Literal["list"]
    """Type of the request."""
    channel: Literal["market", "bars", "orderflow", "footprint", "perpetual", "signals", "news", "alerts"]
    """Name of the channel. `bars` and `footprint` require `timeframe`."""


class ChannelList(_ChannelListRequired, total=False):
    """Requests the current subscriptions of a channel."""

    api_key: str
    """API key; required until the connection is authenticated."""
    id: Union[str, float]
    """Id of the request, echoed in the response."""


class _ChannelSubscribeRequired(TypedDict):
    """Fields that every `ChannelSubscribe` has."""

    action: Literal["subscribe"]
    """Type of the request."""
    channel: Literal["market", "bars", "orderflow", "footprint", "perpetual", "signals", "news", "alerts"]
    """Name of the channel. `bars` and `footprint` require `timeframe`."""


class ChannelSubscribeResumeFrom(TypedDict):
    """Position of the last message received: later messages are sent first, then the live stream continues."""

    epoch: str
    """`epoch` of the last message."""
    seq: int
    """`seq` of the last message."""


class ChannelSubscribe(_ChannelSubscribeRequired, total=False):
    """Subscribes to symbols of a channel."""

    timeframe: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Length of a bar."""
    indicators: List[str]
    """With `"channel":"bars"`: add the values of these indicators to each bar, such as
    `["rsi(14)","macd(12,26,9)"]`.
    """
    symbols: List[str]
    """Instrument codes; "*" means all. Optional on /ws/perpetual, /ws/signals, /ws/news and /ws/alerts."""
    api_key: str
    """API key; required until the connection is authenticated."""
    id: Union[str, float]
    """Id of the request, echoed in the response."""
    seq: bool
    """Add `seq`, `prev` and `epoch` to every message. Default `false`."""
    ms: bool
    """On /ws/market, /ws/orderflow and /ws/perpetual: add `time_ms`, the time in milliseconds, to every message.
    Default `false`.
    """
    closes: bool
    """On /ws/signals: send closings as well. Default `false`."""
    fills: bool
    """On /ws/signals: send fills as well. Default `false`."""
    changes: bool
    """On /ws/signals: send partial exits and tighter stops as well. Default `false`."""
    resume_from: ChannelSubscribeResumeFrom
    """Position of the last message received: later messages are sent first, then the live stream continues."""
    delivery: Literal["all", "latest"]
    """`latest`: while the client is behind, send only the latest message of each symbol. Default `all`."""
    max_rate: float
    """Maximum number of messages per second and symbol, rounded down to 1, 2, 5, 10, 20…; the volumes of skipped
    messages are added up.
    """
    heartbeat: int
    """Seconds between heartbeats on this connection. None by default."""


class _ChannelUnsubscribeRequired(TypedDict):
    """Fields that every `ChannelUnsubscribe` has."""

    action: Literal["unsubscribe"]
    """Type of the request."""
    channel: Literal["market", "bars", "orderflow", "footprint", "perpetual", "signals", "news", "alerts"]
    """Name of the channel. `bars` and `footprint` require `timeframe`."""


class ChannelUnsubscribe(_ChannelUnsubscribeRequired, total=False):
    """Unsubscribes from symbols of a channel."""

    timeframe: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Length of the bars. All timeframes by default."""
    symbols: List[str]
    """Instrument codes. All symbols by default."""
    api_key: str
    """API key; required until the connection is authenticated."""
    id: Union[str, float]
    """Id of the request, echoed in the response."""


class OhlcvBar(TypedDict):
    """One price bar."""

    time: str
    open: float
    high: float
    low: float
    close: float
    volume: float
    """Volume traded; without trades, quote sizes or the number of ticks."""


class ChartBar(OhlcvBar, total=False):
    """One price bar, with the fields that were requested."""

    trades: Optional[int]
    """Number of trades; `null` if not recorded."""
    vwap: Optional[float]
    """Volume-weighted average price; `null` if not recorded."""
    buy_volume: Optional[float]
    """Volume bought at the ask; `null` on a bar of bids."""
    sell_volume: Optional[float]
    """Volume sold at the bid; `null` on a bar of bids."""
    delta: Optional[float]
    """`buy_volume` − `sell_volume`; `null` on a bar of bids."""
    source: Optional[str]
    """`simulated`, `venue` (fetched), `mixed` (in part) or `null`."""
    unrecorded_minutes: Optional[int]
    """Minutes of an open market that were not recorded: above 0, the bar is incomplete."""


class ChatChannel(TypedDict):
    """A chat from which the account publishes."""

    id: str
    platform: Literal["telegram", "discord"]
    mode: Literal["review", "automatic"]
    """`review`: published when confirmed. `automatic`: published at once."""
    keep_text: bool
    """Whether texts of messages and edits are kept and shown."""
    title: Optional[str]
    """Title; `null` until linked."""
    created_at: str
    linked_at: Optional[str]
    """Time of linking; `null` until then."""
    problem: Optional[str]
    """Why the bot cannot answer."""


class ChatChannelChange(TypedDict, total=False):
    """Fields to change."""

    mode: Literal["review", "automatic"]
    """Mode."""
    keep_text: bool
    """Whether texts are kept."""


class ChatChannelList(TypedDict):
    """Chats of the account."""

    items: List[ChatChannel]
    """Oldest first."""
    count: int


class _ChatChannelRequestRequired(TypedDict):
    """Fields that every `ChatChannelRequest` has."""

    platform: Literal["telegram", "discord"]


class ChatChannelRequest(_ChatChannelRequestRequired, total=False):
    """A chat to link."""

    mode: Literal["review", "automatic"]
    """Default: `review`."""
    keep_text: bool
    """Default: false."""


class ChatMessage(TypedDict):
    """A message of a chat."""

    received_at: str
    """Time of receipt."""
    sent_at: str
    """Time at the platform."""
    outcome: Literal["published", "preview", "discarded", "expired", "refused", "late", "ignored", "amended", "closed"]
    """`late`: older than 30 s when received. `ignored`: not a signal. `expired`: nobody confirmed."""
    detail: str
    """The outcome as a sentence."""
    signal_id: Optional[str]
    """Id of its signal."""
    text: Optional[str]
    """Text, if the channel keeps it."""


class ChatMessageList(TypedDict):
    """Messages of a chat."""

    items: List[ChatMessage]
    """Newest first."""
    count: int


class _CloseRequestedRecordRequired(SignalRecordFields):
    """Fields that every `CloseRequestedRecord` has."""

    type: Literal["close_requested"]
    quote: QuoteEvidence
    """Newest quote at the time: the next one closes the signal."""


class CloseRequestedRecord(_CloseRequestedRecordRequired, total=False):
    """Request of the publisher to close or withdraw a signal."""

    signed: RecordSignature
    """Required with a signing key."""


class CloseSignalRequest(TypedDict, total=False):
    """A request to close a signal."""

    signed: RequestSignature
    """Required with a signing key."""


class _SignalResultRequired(TypedDict):
    """Fields that every `SignalResult` has."""

    pnl: float
    """Profit or loss in pips, from the worse of the declared entry and the fill to the exit."""
    pnl_percent: float
    """Profit or loss in percent of the entry."""
    pnl_r: float
    """Profit or loss in R: multiples of the distance from entry to stop loss."""
    entry_price: Optional[float]
    exit_price: Optional[float]
    """Exit price, the weighted mean of several exits; `null` if the entry was not filled."""
    closed_at: str
    """Time of the closing."""


class SignalResult(_SignalResultRequired, total=False):
    """Result of a signal."""

    pnl_best: float
    """Present if only a bar was available: profit or loss in pips in the best case. `pnl` is the worst case."""
    gap_from: str
    """Start of an interval without prices while the signal was active."""
    gap_to: str
    """End of that interval."""
    self_sourced: Literal[True]
    """Present if ticks that the publisher pushed decided the result. Its losses count for the ranking, its wins do
    not.
    """
    recovered: Literal["tape", "backfill"]


class ClosedRecordLastExit(TypedDict):
    """`ClosedRecordLastExit` of the service."""

    fraction: float
    price: float


class ClosedRecord(SignalResult, SignalRecordFields):
    """Closing of a signal."""

    type: Literal["closed"]
    instrument: SignalSpecification
    reason: Literal["take_profit", "stop_loss", "manual", "expired", "unfilled"]
    """Why the signal closed."""
    last_exit: Optional[ClosedRecordLastExit]
    """The last exit; `null` if the entry was not filled."""
    filled: Optional[Evidence]
    """Event that filled the entry; `null` if none did."""
    decided: Evidence
    """Event that closed the signal; if a deadline did, the last one before it."""
    decided_seq: int
    """Sequence number up to which, inclusive, events were considered."""


class ClosedSignal(SignalResult, SignalMessage):
    """A closed signal with its verified profit or loss."""

    status: Literal["closed"]
    close_reason: Literal["take_profit", "stop_loss", "manual", "expired", "unfilled", "voided"]
    """Reached level, or `manual`: closed by the publisher, `expired`: the deadline passed, `unfilled`: the entry was
    never filled, `voided`: by an operator.
    """


class ClosedSignalDetail(ClosedSignal, SignalDetailFields):
    """A closed signal in detail."""



class ClosingSignal(ActiveSignal):
    """An active signal that the next quote closes."""

    close_requested_at: str
    """Time at which the publisher requested the closing."""


class CombinedCondition(TypedDict):
    """Conditions that must hold together."""

    type: Literal["all"]
    of: List[SimpleCondition]
    """Conditions, at most one of which is not a state."""


class _ConfirmationRequired(TypedDict):
    """Fields that every `Confirmation` has."""

    password: str


class Confirmation(_ConfirmationRequired, total=False):
    """The password again, and a code with two-factor sign-in."""

    code: str
    """Code of the app, or a recovery code."""


class Confirmed(TypedDict):
    """A confirmation."""

    confirmed_until: str
    """Time at which it ends."""


_CoverageAbsentItemFields = TypedDict('_CoverageAbsentItemFields', {
    'from': 'str',
    'to': 'str',
    'bars': 'int',
    'reason': 'Literal["before_history", "market_closed", "no_trades", "not_recorded", "missing"]',
}, total=True)


class CoverageAbsentItem(_CoverageAbsentItemFields):
    """`CoverageAbsentItem` of the service.

    `from`: Start of the first missing bar.

    `to`: End of the last missing bar.

    `bars`: Number of missing bars.

    `reason`: `before_history`: before the first bar. `not_recorded`: no live venue, or longer bars exist.
    `missing`: the venue was not connected.
    """



_CoverageFetchedItemFields = TypedDict('_CoverageFetchedItemFields', {
    'from': 'str',
    'to': 'str',
}, total=True)


class CoverageFetchedItem(_CoverageFetchedItemFields):
    """`CoverageFetchedItem` of the service."""



_CoverageFields = TypedDict('_CoverageFields', {
    'symbol': 'str',
    'timeframe': 'Literal["1m", "5m", "15m", "1h", "4h", "1d"]',
    'from': 'str',
    'to': 'str',
    'bars': 'int',
    'absent': 'List[CoverageAbsentItem]',
    'fetched': 'List[CoverageFetchedItem]',
}, total=True)


class Coverage(_CoverageFields):
    """Missing bars of a time range.

    `timeframe`: Length of a bar.

    `bars`: Number of bars present in the range.

    `absent`: Missing bars, ascending, joined if adjacent with the same reason.

    `fetched`: Periods fetched from a venue.
    """



class CreatedAlert(Alert):
    """An alert with its new destinations."""

    created_destinations: List[CreatedDestination]
    """Destinations created for `deliver`, with secrets that are shown only now."""


class CreatedChatChannelLink(TypedDict):
    """`CreatedChatChannelLink` of the service."""

    code: str
    """One-time code, valid for 15 minutes."""
    url: Optional[str]
    """Address that opens the chat with the bot; Discord: that adds it to a server."""


class CreatedChatChannel(ChatChannel):
    """A new channel."""

    link: Optional[CreatedChatChannelLink]
    """Post the code in the channel (Telegram: `/link` and the code), or send it to the bot."""


class Destination(TypedDict):
    """A destination."""

    id: str
    channel: Literal["webhook", "telegram", "discord", "slack", "email", "push"]
    name: Optional[str]
    address: str
    """Address, without its secret parts."""
    state: Literal["unverified", "active", "paused", "unsubscribed"]
    """`unverified`: waits for its code. `paused`: failed too often, messages wait. `unsubscribed`: by the reader of
    a mail.
    """
    created_at: str
    last_delivered_at: Optional[str]
    """Time of the last delivery."""
    waiting: int
    """Messages that wait for delivery."""
    failure: Optional[str]
    """Why the last attempt failed."""


class CreatedDestinationLink(TypedDict):
    """`CreatedDestinationLink` of the service."""

    code: str
    """One-time code, valid for 15 minutes."""
    url: Optional[str]
    """Address that opens the chat with the bot."""


class CreatedDestination(Destination):
    """A new destination."""

    secret: Optional[str]
    """Signing secret of a webhook (`whsec_…`), shown only once."""
    link: Optional[CreatedDestinationLink]
    """How to link a Telegram chat: send the code to the bot, or open the address."""


class SubscriptionPublisher(TypedDict):
    """`SubscriptionPublisher` of the service."""

    id: str
    name: str


class Subscription(TypedDict):
    """A subscription."""

    id: str
    publisher: Optional[SubscriptionPublisher]
    """Publisher that it follows."""
    symbol: Optional[str]
    category: Optional[Literal["forex", "gold", "crypto", "macro"]]
    """News category that it follows."""
    events: List[Literal["published", "filled", "closed"]]
    mirror: bool
    """Whether it is a mirror for a community."""
    delay_seconds: int
    """Delay of its messages, by the tier of the account."""
    deliver: List[DeliverEntry]
    created_at: str


class CreatedSubscription(Subscription):
    """A subscription with its new destinations."""

    created_destinations: List[CreatedDestination]
    """Destinations created for `deliver`, with secrets that are shown only now."""


class DataLink(TypedDict):
    """A data link without its secret."""

    id: str
    name: str
    path: str
    """Path and query that the link reads."""
    state: Literal["good", "expired", "revoked"]
    """`good`: the link can be used."""
    created_at: str
    expires_at: str
    revoked_at: Optional[str]
    """Time of revocation."""
    last_used_at: Optional[str]
    """Last use, to the minute."""
    session_ended_at: Optional[str]
    """When the session that made it was ended; `null` if it was not."""


class DataLinkList(TypedDict):
    """All data links of the account."""

    items: List[DataLink]
    count: int


class _DataLinkRequestRequired(TypedDict):
    """Fields that every `DataLinkRequest` has."""

    name: str
    path: str
    """Path and query to read, such as `/api/bars/EURUSD?interval=1d&format=csv`, or `/udf` for all TradingView
    endpoints.
    """


class DataLinkRequest(_DataLinkRequestRequired, total=False):
    """A data link to create."""

    expires_days: int
    """Days until expiry."""


class DeliverEntry(TypedDict):
    """Where an alert is delivered."""

    channel: Literal["webhook", "telegram", "discord", "slack", "email", "push", "in_app"]
    destination: Optional[str]
    address: str
    """Address, without its secret parts."""


class Delivery(TypedDict):
    """A message to a destination."""

    id: str
    """Id, the same in every attempt; `webhook-id` of a webhook."""
    destination: str
    channel: Literal["webhook", "telegram", "discord", "slack", "email", "push"]
    type: str
    """Type of the message, such as `alert.fired` or `signal.closed`."""
    alert_id: Optional[str]
    title: str
    state: Literal["waiting", "delivered", "dead"]
    """`dead`: given up, can be replayed."""
    attempts: int
    """Number of attempts."""
    created_at: str
    next_attempt_at: Optional[str]
    """Earliest time of the next attempt."""
    delivered_at: Optional[str]
    """Time of delivery."""
    latency_ms: Optional[int]
    """Milliseconds from `created_at` to `delivered_at`."""
    reason: Optional[str]
    """Why the last attempt failed."""


class DeliveryList(TypedDict):
    """A page of the delivery log."""

    items: List[Delivery]
    """Messages, newest first."""
    count: int


class _DeltaConditionRequired(TypedDict):
    """Fields that every `DeltaCondition` has."""

    type: Literal["delta"]
    interval: Literal["1m", "5m", "15m", "1h", "4h", "1d"]


class DeltaCondition(_DeltaConditionRequired, total=False):
    """State: the delta of the forming bar is beyond a threshold."""

    above: float
    """Upper threshold of the delta."""
    below: float
    """Lower threshold of the delta."""


class DestinationCode(TypedDict):
    """The code that verifies a destination."""

    code: str
    """Code that the destination received."""


class DestinationList(TypedDict):
    """All destinations of the account."""

    items: List[Destination]
    """Destinations, oldest first."""
    count: int


class _DiscordAddressRequired(TypedDict):
    """Fields that every `DiscordAddress` has."""

    channel: Literal["discord"]
    url: str
    """Address of the Discord webhook."""


class DiscordAddress(_DiscordAddressRequired, total=False):
    """A channel of Discord."""

    name: str


class _DocumentChangeRequired(TypedDict):
    """Fields that every `DocumentChange` has."""

    value: Dict[str, Any]
    """Any JSON object, up to 64 KiB and 64 levels deep."""


class DocumentChange(_DocumentChangeRequired, total=False):
    """Creates or replaces a document."""

    revision: int
    """Revision that the change is based on; 0 or absent for a new document."""


class DocumentList(TypedDict):
    """Documents of the account."""

    items: List[ListedDocument]
    """Documents by kind and name."""


class _EmailAddressRequired(TypedDict):
    """Fields that every `EmailAddress` has."""

    channel: Literal["email"]
    address: str
    """E-mail address."""


class EmailAddress(_EmailAddressRequired, total=False):
    """An e-mail address."""

    name: str


class EquityNow(TypedDict):
    """The end of the equity curve with open signals."""

    at: str
    """Time of the valuation."""
    total_r: float
    """Sum of R with open signals."""
    open: int
    """Open signals."""


class EquityPoint(TypedDict):
    """A point of the equity curve."""

    at: str
    """Closing of a ranked signal."""
    r: float
    """R of this signal."""
    total_r: float
    """Sum of R up to and including this signal."""
    open: int
    """Other signals that were open at that time."""


class _ErrorNoticeRequired(TypedDict):
    """Fields that every `ErrorNotice` has."""

    event: Literal["error"]
    """Type of the event."""
    code: Literal["invalid_parameter", "repeated_parameter", "unknown_parameter", "malformed_path", "malformed_body", "not_found", "method_not_allowed", "idempotency_conflict", "payload_too_large", "uri_too_long", "unsupported_encoding", "internal", "no_active_ingest", "store_unavailable", "shutting_down", "missing_key", "invalid_key", "missing_scope", "rate_limited", "too_many_failures", "too_many_requests", "session_required", "invalid_session", "wrong_credentials", "wrong_password", "confirmation_required", "two_factor_required", "wrong_code", "two_factor_enabled", "two_factor_disabled", "account_disabled", "foreign_origin", "registration_closed", "invalid_token", "account_not_found", "key_not_found", "link_not_found", "session_not_found", "invitation_not_found", "name_taken", "owner_account", "markets_fixed", "document_not_found", "document_conflict", "too_many_documents", "key_revoked", "too_many_keys", "key_creations_exhausted", "too_many_attempts", "symbol_not_found", "venue_not_found", "venue_unavailable", "instrument_exists", "too_many_instruments", "no_quote", "no_trades", "not_perpetual", "no_conversion", "export_rows_exhausted", "precondition_failed", "range_not_satisfiable", "ingest_disabled", "signal_not_found", "publisher_not_found", "no_evidence", "too_many_downloads", "not_your_signal", "signal_closed", "close_requested", "signal_voided", "too_many_signals", "too_many_signals_of_symbol", "signals_exhausted", "market_closed", "stale_quote", "price_unconfirmed", "unclear_signal", "finer_than_digits", "levels_out_of_order", "invalid_targets", "stop_not_tighter", "too_many_amendments", "signature_required", "invalid_signature", "stale_signature", "entry_too_far", "distance_out_of_range", "level_reached", "expiry_out_of_range", "news_not_found", "ai_calls_exhausted", "model_not_found", "model_unavailable", "alert_not_found", "subscription_not_found", "destination_not_found", "delivery_not_found", "invalid_condition", "too_many_alerts", "too_many_destinations", "channel_not_configured", "private_address", "destination_unverified", "wrong_destination_code", "not_replayable", "chat_channel_not_found", "too_many_chat_channels", "too_many_connections", "upgrade_required", "service_full", "malformed_json", "invalid_message", "unknown_action", "unknown_channel", "bad_messages", "too_slow", "message_too_large", "stream_limit", "too_many_messages", "subscription_limit", "replay_not_found", "not_in_replay", "saved_record_not_found", "too_many_saved_records", "too_many_replays"]
    """Stable error code."""
    message: str
    """Explanation, for people."""
    fatal: bool
    """Whether the connection is closed after this message."""
    retryable: bool
    """Whether the same request, or a new connection, can succeed later."""


class ErrorNoticeResumeFrom(TypedDict):
    """Present with `too_slow`: everything up to this position was sent. Resume from here."""

    epoch: str
    """`epoch` of the last message."""
    seq: int
    """`seq` of the last message."""


class ErrorNotice(_ErrorNoticeRequired, total=False):
    """An error."""

    channel: Literal["market", "bars", "orderflow", "footprint", "perpetual", "signals", "news", "alerts"]
    """Name of the channel; present on /ws and /sse only."""
    resume_from: ErrorNoticeResumeFrom
    """Present with `too_slow`: everything up to this position was sent. Resume from here."""
    id: Union[str, float]
    """Id of the request, echoed in the response."""


_EventWindowWindowFields = TypedDict('_EventWindowWindowFields', {
    'from': 'str',
    'to': 'str',
}, total=True)


class EventWindowWindow(_EventWindowWindowFields):
    """`EventWindowWindow` of the service.

    `from`: Start (inclusive).

    `to`: End (exclusive).
    """



class EventWindow(TypedDict):
    """Whether a time is inside the window of a calendar event."""

    symbol: str
    at: str
    """Time that was judged."""
    before: int
    """Minutes before an event."""
    after: int
    """Minutes after an event."""
    inside: bool
    """Whether `time − before ≤ at < time + after` for an event."""
    events: List[CalendarEvent]
    """Events whose window contains `at`, by ascending time."""
    next: Optional[CalendarEvent]
    """Next event with a window; `null` if none is known."""
    window: Optional[EventWindowWindow]
    """Union of the overlapping windows around `at`; `null` if outside."""
    all_day: List[CalendarEvent]
    """All-day events on the UTC date of `at`."""


class _EvidenceBarRequired(TypedDict):
    """Fields that every `EvidenceBar` has."""

    seq: int
    time: int
    """Start of the minute, in milliseconds since 1970."""
    open: float
    high: float
    low: float
    close: float


class EvidenceBar(_EvidenceBarRequired, total=False):
    """A minute known only as a bar of bids."""

    partial: Literal[True]
    """Present if the minute was not over when it was fetched."""


class EvidenceQuote(TypedDict):
    """A quote on the tape."""

    seq: int
    time: int
    """Time of the tick, in milliseconds since 1970."""
    bid: float
    ask: float
    source: str


class EvidenceTrade(TypedDict):
    """A trade on the tape."""

    seq: int
    time: int
    """Time of the tick, in milliseconds since 1970."""
    price: float
    side: Literal["buy", "sell"]
    source: str


class ExistingDestination(TypedDict):
    """A destination that exists."""

    destination: str


class SignalExit(TypedDict):
    """A part of the position that exited at a target."""

    target: int
    """Number of the target, starting at 1."""
    fraction: float
    price: float
    exited_at: str
    """Time of the exit."""


class _ExitedRecordRequired(SignalRecordFields, SignalExit):
    """Fields that every `ExitedRecord` has."""

    type: Literal["exited"]
    decided: Evidence
    """Event that reached the target."""


class ExitedRecord(_ExitedRecordRequired, total=False):
    """Exit of a part of the position at a target, except the last."""

    recovered: Literal["tape", "backfill"]


class Exposure(TypedDict):
    """Net direction of the open signals in one asset."""

    asset: str
    """Currency or other asset."""
    net_r: int
    """Long minus short open signals."""
    signals: int
    """Open signals in it."""


class FeedListQuarantineItem(TypedDict):
    """`FeedListQuarantineItem` of the service."""

    symbol: str
    time: str
    """Time of the price."""
    price: float
    """The price; of a quote, the side that moved further."""
    last: float
    """Last accepted price before it."""


class FeedList(TypedDict):
    """Status of all price feeds."""

    items: List[FeedReport]
    count: int
    quarantine: List[FeedListQuarantineItem]
    """The last 100 price jumps that were rejected or await confirmation."""


class _FeedNoticeRequired(TypedDict):
    """Fields that every `FeedNotice` has."""

    event: Literal["feed"]
    """Type of the event."""
    state: Literal["disconnected", "backfilled", "failover"]
    """`disconnected`: the source was lost. `backfilled`: missed trades were fetched. `failover`: another source took
    over.
    """
    symbols: List[str]
    """Symbols affected."""


class FeedNotice(_FeedNoticeRequired, total=False):
    """The state of the source of some symbols changed."""

    channel: Literal["market", "bars", "orderflow", "footprint", "perpetual", "signals", "news", "alerts"]
    """Name of the channel; present on /ws and /sse only."""
    trades: int
    """Number of trades that were fetched and sent as ordinary messages."""
    source: str
    """Source that now delivers these symbols."""


_FeedRecordFields = TypedDict('_FeedRecordFields', {
    'type': 'Literal["feed"]',
    'symbol': 'str',
    'event': 'Literal["disconnect", "gap", "failover"]',
    'seq': 'int',
    'from': 'str',
    'to': 'str',
}, total=True)


class FeedRecord(RecordFields, _FeedRecordFields):
    """Loss of prices of an instrument.

    `event`: Kind.

    `seq`: Sequence number.

    `from`: Start.

    `to`: End.
    """



class FeedReportDelayMs(TypedDict):
    """`FeedReportDelayMs` of the service."""

    p50: float
    """Median."""
    p99: float
    """99th percentile."""


class FeedReport(TypedDict):
    """Status of one price feed."""

    name: str
    state: Literal["starting", "connecting", "live", "waiting", "stopped"]
    """`waiting`: disconnected, until the next attempt."""
    symbols: List[str]
    """Instruments that the feed offers."""
    last_event_at: Optional[str]
    """Time of the last event; `null` before the first."""
    connects: int
    """Connections since the start."""
    disconnects: int
    """Disconnections since the start."""
    duplicates: int
    """Trades received twice and dropped."""
    backfilled: int
    """Missed trades fetched later."""
    gaps: int
    """Intervals whose trades are lost."""
    invalid_messages: int
    """Messages that could not be parsed."""
    history_bars_left: int
    """Past bars still to be fetched."""
    last_error: Optional[str]
    """Last error."""
    problem: Optional[str]
    """What is wrong now, and what replaces the feed."""
    delay_ms: Optional[FeedReportDelayMs]
    """From the venue to us, of the last 1,024 prices."""
    clock_offset_ms: Optional[float]
    """By how much the venue's clock is ahead."""


class _FilledRecordRequired(SignalRecordFields):
    """Fields that every `FilledRecord` has."""

    type: Literal["filled"]
    entry_price: float
    filled_at: str
    """Time of the fill."""
    filled: Evidence
    """Event that filled the entry."""


class FilledRecord(_FilledRecordRequired, total=False):
    """Fill of the entry of a signal."""

    recovered: Literal["tape", "backfill"]


class FiringList(TypedDict):
    """A page of the firings of the account."""

    items: List[AlertFiring]
    """Firings, newest first."""
    count: int
    removed: int
    """Oldest firings removed: the tier stores no more."""


class FollowedSignal(TypedDict):
    """One signal and its followers."""

    id: str
    """Id of the signal."""
    symbol: str
    closed_at: str
    """Time of the closing."""
    pnl_r: float
    """R of the signal."""
    follower_r: List[Optional[float]]
    """R with delays of 1, 5 and 30 s; `null` without quotes."""


class FollowerDelay(TypedDict):
    """Results with one delay."""

    seconds: int
    """Delay in seconds; 0 is the signal itself."""
    signals: int
    """Signals with a known result."""
    average_r: Optional[float]
    """Mean R; `null` without signals."""
    total_r: float
    """Sum of R."""
    win_rate: Optional[float]
    """Fraction of the signals with R above 0; `null` without signals."""


class FollowerResults(TypedDict):
    """Results of acting some seconds after the signals."""

    delays: List[FollowerDelay]
    """Results by delay, of signals with prices for every delay."""
    items: List[FollowedSignal]
    """Closed signals that were filled, newest first."""
    count: int
    unknown: int
    """Items that are not in `delays`: a result is unknown."""


class FootprintBar(TypedDict):
    """Volume at price of one bar."""

    time: str
    volume: float
    """Traded volume."""
    delta: float
    """Bought minus sold volume."""
    levels: List[PriceLevel]
    """Levels with trades, ascending."""
    uncovered_volume: float
    """Volume that is not in `levels`, because only its bars are known."""


class _FootprintMessageRequired(TypedDict):
    """Fields that every `FootprintMessage` has."""

    channel: Literal["footprint"]
    """Identifies the message as a footprint."""
    symbol: str
    """Instrument code in upper case."""
    timeframe: Literal["1m", "5m", "15m", "1h"]
    """Length of the bar."""
    time: int
    """Start of the bar, Unix time in seconds."""
    level: float
    """Height of a level. Higher than that of the instrument if the bar has more than 500 levels."""
    side_method: Optional[Literal["feed", "quote_rule", "tick_rule", "mixed"]]
    """How the sides of the trades are known. `null` without trades."""
    volume: float
    """Traded volume of the bar: the sum of all levels."""
    delta: float
    """Bought minus sold volume of the bar: the sum of all levels."""
    poc: Optional[float]
    """Lowest price of the level with the most volume; `null` without trades."""
    levels: List[PriceLevel]
    """Levels with trades, ascending."""
    uncovered_volume: float
    """Traded volume that is not in `levels`, because only bars of it are known."""
    closed: bool
    """`false` while the bar is forming. A closed bar may be sent again, corrected."""


class FootprintMessage(_FootprintMessageRequired, total=False):
    """Volume at price of a bar."""

    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this symbol; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


class FootprintPage(TypedDict):
    """Footprints of one instrument, one page."""

    symbol: str
    interval: str
    align: str
    level: float
    """Height of a level."""
    side_method: Optional[Literal["feed", "quote_rule", "tick_rule", "mixed"]]
    """Where the sides come from: `feed`: the source reports them; `quote_rule`, `tick_rule`: inferred; `null`
    without trades.
    """
    items: List[FootprintBar]
    """Ascending; the newest may still be forming."""
    next: Optional[str]


class _GapNoticeRequired(TypedDict):
    """Fields that every `GapNotice` has."""

    event: Literal["gap"]
    """Type of the event."""
    reason: Literal["slow", "feed", "resume"]
    """`slow`: the client was behind. `feed`: the feed lost data. `resume`: the position to resume from is no longer
    available, or the account has replayed too much in the last minute.
    """
    symbols: List[str]
    """Symbols with missing messages."""


class GapNotice(_GapNoticeRequired, total=False):
    """Messages are missing."""

    channel: Literal["market", "bars", "orderflow", "footprint", "perpetual", "signals", "news", "alerts"]
    """Name of the channel; present on /ws and /sse only."""
    dropped: int
    """Number of missing messages."""
    from_seq: int
    """First missing sequence number."""
    to_seq: int
    """Last missing sequence number."""
    fill: str
    """REST request that returns the missing data. Replace `{symbol}`, and `{since}` with the Unix time of your last
    message.
    """


class HeadToken(TypedDict):
    """Time stamp of a head by an outside authority."""

    authority: str
    """Address of the authority."""
    time: str
    """Time in the token."""
    token: str
    """RFC 3161 token (DER, base64) of the SHA-256 of the canonical JSON of `log`, `n`, `hash` and `at`."""


class _HeadlineConditionRequired(TypedDict):
    """Fields that every `HeadlineCondition` has."""

    type: Literal["headline"]


class HeadlineCondition(_HeadlineConditionRequired, total=False):
    """A headline is published, about the symbol if the alert has one."""

    category: Literal["forex", "gold", "crypto", "macro"]
    """Category of the item."""
    sentiment: Literal["bullish", "neutral", "bearish"]
    """Sentiment of the item."""
    words: List[str]
    """Words or phrases, one of which must occur (case-insensitive)."""


class Health(TypedDict):
    """Liveness of the process."""

    status: Literal["ok", "starting", "stopping", "degraded"]


class _HeartbeatNoticeRequired(TypedDict):
    """Fields that every `HeartbeatNotice` has."""

    event: Literal["heartbeat"]
    """Type of the event."""
    server_time: str
    """Current time of the service (ISO 8601, UTC)."""
    seq: int
    """Latest `seq` of the subscribed messages: a client that has received it is up to date."""
    epoch: str
    """Current epoch."""
    ages: Dict[str, Optional[float]]
    """Seconds since the last tick of each subscribed symbol; `null` before the first."""


class HeartbeatNotice(_HeartbeatNoticeRequired, total=False):
    """Sign of life with the age of the data."""

    channel: Literal["market", "bars", "orderflow", "footprint", "perpetual", "signals", "news", "alerts"]
    """Name of the channel; present on /ws and /sse only."""


class _HistoryQuoteRequired(TypedDict):
    """Fields that every `HistoryQuote` has."""

    time: str
    bid: float
    ask: float
    bid_size: Optional[float]
    """Size at the bid; `null` if the feed has no sizes."""
    ask_size: Optional[float]
    """Size at the ask; `null` if the feed has no sizes."""


class HistoryQuote(_HistoryQuoteRequired, total=False):
    """One quote of the tape."""

    seq: int
    source: Optional[str]
    """Feed that delivered the tick; `null` if not recorded."""


class _HistoryTradeRequired(TypedDict):
    """Fields that every `HistoryTrade` has."""

    time: str
    price: float
    size: float
    """Size."""
    side: Literal["buy", "sell"]
    side_method: Optional[Literal["quote_rule", "tick_rule"]]
    """How the side was inferred; `null` if the feed reported it."""
    id: Optional[int]
    """Trade id of the venue; `null` if it has none."""


class HistoryTrade(_HistoryTradeRequired, total=False):
    """One trade of the tape."""

    seq: int
    source: Optional[str]
    """Feed that delivered the tick; `null` if not recorded."""


class InAppAddress(TypedDict):
    """The list of firings and `/ws/alerts`, which have every firing."""

    channel: Literal["in_app"]


class _IndicatorConditionRequired(TypedDict):
    """Fields that every `IndicatorCondition` has."""

    type: Literal["indicator"]
    indicator: str
    """The indicator with its inputs."""
    interval: Literal["1m", "5m", "15m", "1h", "4h", "1d"]


_IndicatorConditionOptions = TypedDict('_IndicatorConditionOptions', {
    'line': 'str',
    'cross': 'Literal["above", "below", "either"]',
    'is': 'Literal["above", "below"]',
    'value': 'float',
    'other': 'str',
    'other_line': 'str',
}, total=False)


class IndicatorCondition(_IndicatorConditionRequired, _IndicatorConditionOptions):
    """An indicator crosses a value or another indicator, at closed bars.

    `line`: Line of the indicator; required if it has several.

    `cross`: Direction in which the line crosses the value.

    `is`: State: side of the value at the last closed bar.

    `value`: Value to compare with.

    `other`: Indicator to compare with.

    `other_line`: Line of the other indicator; required if it has several.
    """



class IndicatorDescription(TypedDict):
    """An indicator and its inputs."""

    name: str
    """Name, as in requests."""
    aliases: List[str]
    """Other names that requests may use."""
    title: str
    """Name, for people."""
    description: str
    """What it shows."""
    formula: str
    """How it is computed."""
    indicator: str
    """Text form with defaults."""
    inputs: List[IndicatorInputDescription]
    """In the order of the text form."""
    lines: List[str]
    """Names of the lines. A single line is `value` in responses."""
    pane: Literal["price", "own"]
    """Where it is drawn: over the price or in a separate pane."""
    needs_trades: bool
    """Whether it is available only for instruments with trades."""


class _IndicatorInputDescriptionRequired(TypedDict):
    """Fields that every `IndicatorInputDescription` has."""

    name: str
    type: Literal["integer", "number", "choice", "anchor"]
    """`anchor`: one of `choices`, or an ISO 8601 time."""
    description: str
    """Meaning."""
    default: Union[float, str]
    """Value if it is left out."""


class IndicatorInputDescription(_IndicatorInputDescriptionRequired, total=False):
    """An input of an indicator."""

    minimum: float
    """Least number."""
    maximum: float
    """Largest number."""
    choices: List[str]
    """Allowed texts."""


class _IndicatorItemRequired(TypedDict):
    """Fields that every `IndicatorItem` has."""

    time: str
    settled: bool
    """Whether there were enough bars before: a longer history would give the same value."""


class IndicatorItem(_IndicatorItemRequired, total=False):
    """Values of an indicator at one bar."""

    value: Optional[float]
    """Value of a single line; `null` while there are too few bars."""
    values: Dict[str, Optional[float]]
    """Values of several lines, by name."""
    forming: Literal[True]
    """Present while the bar is forming."""


class IndicatorList(TypedDict):
    """The indicators of the service."""

    items: List[IndicatorDescription]
    count: int


class _IndicatorResultRequired(TypedDict):
    """Fields that every `IndicatorResult` has."""

    name: str
    indicator: str
    """Text form with all inputs, such as `rsi(14)`."""
    inputs: Dict[str, Union[float, str]]
    """Values of the inputs, defaults included."""
    items: List[IndicatorItem]
    """In ascending order, one per bar."""


class IndicatorResult(_IndicatorResultRequired, total=False):
    """Values of one indicator, bar by bar."""

    offsets: Dict[str, int]
    """Bars by which a chart shifts each line; absent if none."""


class IndicatorPage(IndicatorResult):
    """Values of one indicator (`name`), one page."""

    symbol: str
    interval: str
    align: str
    next: Optional[str]


class IndicatorSet(TypedDict):
    """Values of several `indicators`, one page."""

    symbol: str
    interval: str
    align: str
    indicators: List[IndicatorResult]
    """In the order of the request, all with the same bars."""
    next: Optional[str]


class IngestAnswerRejectedItem(TypedDict):
    """`IngestAnswerRejectedItem` of the service."""

    line: int
    code: Literal["malformed_json", "malformed_line", "unknown_symbol", "bad_time", "future_time", "bad_price", "crossed_quote", "finer_than_digits", "bad_size", "bad_side", "spike"]
    detail: str


class IngestAnswer(TypedDict):
    """Result of pushing ticks."""

    accepted: int
    rejected: List[IngestAnswerRejectedItem]
    rejected_count: int


class IngestedNoticeRejectedItem(TypedDict):
    """`IngestedNoticeRejectedItem` of the service."""

    line: int
    """Line number, starting at 1."""
    code: Literal["malformed_json", "malformed_line", "unknown_symbol", "bad_time", "future_time", "bad_price", "crossed_quote", "finer_than_digits", "bad_size", "bad_side", "spike"]
    """Reason for the rejection."""
    detail: str
    """Explanation, for people."""


class IngestedNotice(TypedDict):
    """Result of one message of lines."""

    accepted: int
    """Number of accepted lines."""
    rejected: List[IngestedNoticeRejectedItem]
    """The first 1000 rejected lines."""
    rejected_count: int
    """Number of rejected lines."""
    event: Literal["ingested"]
    """Type of the event."""


class _InstrumentRequired(TypedDict):
    """Fields that every `Instrument` has."""

    symbol: str
    name: str
    type: Literal["forex", "metal", "crypto", "index", "energy", "equity"]
    """Class of the instrument."""
    pip_size: float
    """Size of one pip, in price units."""
    contract_size: float
    """Units of the base asset in one lot."""
    margin_rate: float
    """Margin required, as a fraction of the position value."""
    min_lot: float
    """Minimum trade size, in lots."""
    max_lot: float
    """Maximum trade size, in lots."""


class Instrument(_InstrumentRequired, total=False):
    """An instrument with its contract specification; with `detail=true` also from `digits` on."""

    digits: int
    """Decimals of a price."""
    base: Optional[str]
    """What is priced; `null` if not a pair."""
    quote: Optional[str]
    """Currency of prices."""
    contract: Literal["perpetual"]
    """Left out for spot."""
    venue: str
    """Whose perpetual it is."""
    underlying: str
    """What the perpetual follows."""
    contract_unit: Optional[str]
    """Unit of the contract size, such as `troy ounces`."""
    bars: Optional[Literal["quotes", "trades"]]
    """What bars are made of; `null`: quotes, and trades once there are any."""
    source: Optional[str]
    """Public specifications with the same terms; `null` for own instruments."""
    hours: InstrumentHours
    """Trading hours in the coming days."""


class InstrumentHoursSession(TypedDict):
    """`InstrumentHoursSession` of the service."""

    open: str
    """Opening."""
    close: str
    """Close."""


class InstrumentHours(TypedDict):
    """Trading hours of an instrument in the coming days."""

    calendar: str
    """`always`, or the name in the instrument file."""
    timezone: str
    """Time zone of the hours (IANA); `UTC` if the market never closes."""
    sessions: List[InstrumentHoursSession]
    """Sessions that overlap the 7 days from 00:00 UTC of the current day on."""


class InstrumentList(TypedDict):
    """All available instruments."""

    items: List[Instrument]
    count: int


class SignalFigures(TypedDict):
    """Figures over a set of signals."""

    signals: int
    """Published signals."""
    active: int
    """Active signals."""
    closed: int
    """Closed signals."""
    ranked_signals: int
    """Closed signals with a result."""
    wins: int
    """Ranked, R above 0."""
    losses: int
    """Ranked, R below 0."""
    breakeven: int
    """Ranked, R exactly 0."""
    unfilled: int
    """Closed before the entry was filled."""
    unranked: int
    """Void, or with missing or untrusted prices."""
    win_rate: Optional[float]
    """wins / ranked_signals."""
    win_rate_low: Optional[float]
    """Low end of its 95 % Wilson interval."""
    win_rate_high: Optional[float]
    """High end of its 95 % Wilson interval."""
    average_r: Optional[float]
    """Mean R of the ranked signals."""
    total_r: float
    """Sum of R of the ranked signals."""
    expectancy_r: Optional[float]
    """Same as `average_r`."""
    profit_factor: Optional[float]
    """R won / R lost; `null` if nothing was lost."""
    max_drawdown_r: float
    """Largest decline of R from a peak."""
    average_holding_seconds: Optional[float]
    """Mean seconds from fill to closing."""
    sharpe: Optional[float]
    """Mean / standard deviation of R, per signal."""
    probabilistic_sharpe: Optional[float]
    """Probability that the true Sharpe ratio is above 0."""
    signals_needed: Optional[int]
    """Ranked signals needed for 95 %; `null` if unknown."""
    first_at: Optional[str]
    """First publication (ISO 8601, UTC)."""
    last_at: Optional[str]
    """Last publication (ISO 8601, UTC)."""


class InstrumentRecord(SignalFigures):
    """Results of a publisher on one instrument."""

    symbol: str


class InstrumentRequest(TypedDict):
    """What to add."""

    venue: str
    """Venue."""
    symbol: str
    """Symbol."""


class InstrumentSource(TypedDict):
    """Where the prices of an instrument come from."""

    symbol: str
    feed: Optional[str]
    """The feed; `null` if none delivers it now."""
    problem: Optional[str]
    """Why its first venue does not deliver it, and what replaces it."""


class Invitation(TypedDict):
    """An invitation."""

    id: str
    tier: str
    state: Literal["open", "used", "expired", "revoked"]
    created_at: str
    expires_at: str
    account: Optional[str]
    """Display name of the account created with it; `null` if it was not used."""


class InvitationList(TypedDict):
    """Invitations."""

    items: List[Invitation]
    """Invitations, newest first."""
    count: int


class _InvitationRequestRequired(TypedDict):
    """Fields that every `InvitationRequest` has."""

    tier: str


class InvitationRequest(_InvitationRequestRequired, total=False):
    """An invitation to create."""

    expires_days: int
    """Days until expiry."""


class IssuedDataLink(DataLink):
    """A new data link."""

    url: Optional[str]
    """The address, a secret that is shown only once; `null` if the request was repeated after a restart."""


class IssuedInvitation(Invitation):
    """A new invitation."""

    token: Optional[str]
    """Token for the sign-up, shown only once; `null` if the request was repeated after a restart."""
    link: Optional[str]
    """Sign-up link that contains the token; `null` if the token is."""


class KeyInfo(TypedDict):
    """An API key without its secret."""

    id: str
    name: str
    scopes: List[Literal["read", "alerts", "publish", "ingest", "admin", "hook"]]
    state: Literal["good", "expired", "revoked"]
    """`good`: the key can be used."""
    created_at: str
    expires_at: Optional[str]
    revoked_at: Optional[str]
    """Time of revocation."""
    last_used_at: Optional[str]
    """Last use, to the minute."""
    session_ended_at: Optional[str]
    """When the session that made it was ended; `null` if it was not."""


class IssuedKey(KeyInfo):
    """A new API key."""

    key: Optional[str]
    """The complete key, shown only once; `null` if the request was repeated after a restart."""


class LogHead(TypedDict):
    """Signed length and hash of the signal log."""

    log: str
    """Id of the log."""
    n: int
    """Number of the last record."""
    hash: str
    """Hash of the last record, hex."""
    at: str
    """Time of the signature."""
    public_key: str
    """Ed25519 public key, 32 bytes, hex."""
    signature: str
    """Ed25519 signature of the canonical JSON of `log`, `n`, `hash` and `at`."""


class KeptHead(LogHead):
    """A signed head that the service keeps, with its time stamps."""

    tokens: List[HeadToken]
    """Time stamps; empty if no authority has stamped the head."""


class KeptHeadPage(TypedDict):
    """A page of kept heads."""

    items: List[KeptHead]
    """Heads in ascending order of `n`."""
    count: int
    next: Optional[int]


class KeyList(TypedDict):
    """All API keys of the account."""

    items: List[KeyInfo]
    count: int


class _KeyRequestRequired(TypedDict):
    """Fields that every `KeyRequest` has."""

    name: str


class KeyRequest(_KeyRequestRequired, total=False):
    """An API key to create."""

    scopes: List[Literal["read", "alerts", "publish", "ingest", "admin", "hook"]]
    """Scopes, each one of `key_scopes` of the account."""
    expires_days: Optional[int]
    """Days until expiry; `null` if never."""


class KeyRotation(TypedDict):
    """Options of a key rotation."""

    overlap_hours: float
    """Hours for which the old key remains valid."""


class LanguageModelReport(TypedDict):
    """Use of the language model."""

    model: Optional[str]
    """Id of the language model; `null` if none is configured."""
    available: bool
    """Whether it is used now."""
    requests_today: int
    """Requests sent to it since 00:00 UTC, retries included."""
    requests_per_day: int
    """Requests per day (`llm_requests_per_day`)."""
    resets_at: str


class _LinkCheckRequired(TypedDict):
    """Fields that every `LinkCheck` has."""

    valid: bool
    """Whether the link can be used now."""


class LinkCheck(_LinkCheckRequired, total=False):
    """Whether a setup link or an invitation can still be used."""

    reason: Literal["used", "expired", "unknown"]
    """Why it is not valid. `unknown`: it does not exist, or was revoked or replaced."""


class LinkCheckRequest(TypedDict):
    """Asks whether a link can still be used."""

    token: str
    """Token of the link."""


class _ListMessageRequired(TypedDict):
    """Fields that every `ListMessage` has."""

    action: Literal["list"]
    """Type of the request."""


class ListMessage(_ListMessageRequired, total=False):
    """Requests the current subscriptions."""

    api_key: str
    """API key; required until the connection is authenticated."""
    id: Union[str, float]
    """Id of the request, echoed in the response."""


class ListedDocument(DocumentInfo, total=False):
    """A document in a list."""

    value: Dict[str, Any]
    """What was stored; not in a list without values."""


class LockstepNotice(TypedDict):
    """A notice to a reader in lockstep."""

    event: Literal["waiting", "ended"]
    """`waiting`: everything up to the clock was sent, and the clock waits. `ended`: the range has no more."""
    clock: str
    """Clock of the session."""


class LogEntry(TypedDict):
    """A record of the signal log with its hash."""

    hash: str
    """SHA-256 of the canonical JSON of `record`, hex."""
    record: LogRecord


class LogPage(TypedDict):
    """A page of the signal log."""

    items: List[LogEntry]
    """Records in ascending order."""
    count: int
    next: Optional[int]


class MarkedEvent(TypedDict):
    """A calendar event at the entry or exit of a signal."""

    id: str
    revision: int
    """Last revision known when the signal closed."""
    title: str
    """Name of the event."""
    time: str


class MarketCondition(TypedDict):
    """The market of the instrument opens or closes."""

    type: Literal["market"]
    state: Literal["opens", "closes"]
    """What the market does."""


class MarketResponse(TypedDict):
    """Price history and current quote of one instrument."""

    symbol: str
    timeframe: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Length of a bar."""
    ohlcv: List[Union[OhlcvBarDetail, OhlcvBar]]
    """Ascending; the newest may still be forming. With `detail=true`: OhlcvBarDetail."""
    quote: Optional[Quote]
    """Current quote; `null` if the instrument has no quote yet."""


class _MarketTickRequired(TypedDict):
    """Fields that every `MarketTick` has."""

    symbol: str
    """Instrument code in upper case."""
    bid: float
    """Best bid."""
    ask: float
    """Best ask."""
    spread: float
    """ask − bid, in price units."""
    time: int
    """Unix time in seconds."""
    volume: float
    """Size traded since the previous tick of the instrument; for feeds without trades the size of the quote, or 1."""


class MarketTick(_MarketTickRequired, total=False):
    """A quote update."""

    channel: Literal["market"]
    """Name of the channel; present on /ws and /sse only."""
    time_ms: int
    """`time` with its milliseconds; present if the subscription has `"ms":true`."""
    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this symbol; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


class MarketsChange(TypedDict):
    """Changes the markets."""

    markets: Literal["simulated", "live"]
    """The markets to run."""


class MarketsReport(TypedDict):
    """The markets of the service."""

    markets: Literal["simulated", "live"]
    """The markets that run now."""
    changing_to: Optional[Literal["simulated", "live"]]
    """The markets that the service is changing over to."""
    fixed: Optional[str]
    """Why they cannot be changed here, and what to do instead; `null` if they can."""
    failure: Optional[str]
    """Why the last change failed; `null` if it did not."""


class MissingCondition(TypedDict):
    """A condition for a rank that is not met."""

    what: Literal["decisions", "days", "sum_r", "span_days", "e_value", "recent_decisions"]
    """Condition, as in K6 of the rules."""
    have: float
    """Current value."""
    need: float
    """Required value."""


class MonthRecord(TypedDict):
    """Results of a publisher in one month."""

    month: str
    """UTC month."""
    decisions: int
    """Decisions completed in this month."""
    r: float
    """Sum of their R."""
    percent: float
    """Compounded change of an account at this `risk`."""


class _MoveConditionRequired(TypedDict):
    """Fields that every `MoveCondition` has."""

    type: Literal["move"]
    percent: float
    """Size of the move in percent."""
    direction: Literal["up", "down", "either"]
    """Direction of the move."""
    minutes: int
    """Length of the window, from whose lowest or highest price the move is measured."""


class MoveCondition(_MoveConditionRequired, total=False):
    """The price moves by a percentage within a time."""

    side: Literal["bid", "ask", "trade"]
    """Price to look at; `trade`: the last one."""


class NewsAccount(TypedDict):
    """The account that pushed a news item."""

    id: str
    """Id of the account and of its publisher."""
    name: str
    """Display name of the account when it pushed the item."""


class NewsCalibration(TypedDict):
    """Accuracy of the sentiment scores."""

    items: List[NewsCalibrationItem]
    """Accuracy by model, category, label and horizon."""
    count: int
    since: Optional[str]
    """Publication of the first item; `null` without items."""
    labels: List[NewsLabelCalibration]
    """Calibration of the built-in model on labelled headlines."""


class NewsCalibrationItem(TypedDict):
    """Accuracy of one label, by model, category and horizon."""

    model: str
    category: Literal["forex", "gold", "crypto", "macro"]
    sentiment: Literal["bullish", "neutral", "bearish"]
    horizon_minutes: Literal[15, 60, 240]
    """Minutes after the item arrived."""
    items: int
    """Items for which the market move could be measured."""
    hits: int
    """Items after which the market moved as the label predicts."""
    hit_rate: Optional[float]
    """hits / items; `null` without items."""
    hit_rate_low: Optional[float]
    """Low end of its 95 % Wilson interval."""
    hit_rate_high: Optional[float]
    """High end of its 95 % Wilson interval."""
    average_move_percent: Optional[float]
    """Average move over the horizon in percent."""


class NewsItem(TypedDict):
    """A news item."""

    title: str
    """Headline, plain text without markup."""
    category: Literal["forex", "gold", "crypto", "macro"]
    sentiment: Literal["bullish", "neutral", "bearish"]
    sentiment_score: float
    timestamp: str
    """Time of publication, or of receipt if the source states none."""


class NewsDetail(NewsItem):
    """A news item with `detail=true`, and on `/ws/news`."""

    id: str
    """Id, the same for all revisions."""
    url: Optional[str]
    source: str
    """Name of the source that published it first."""
    account: Optional[NewsAccount]
    """Account that pushed it; `null` for a configured source."""
    published_at: Optional[str]
    """Time of publication by its source; `null` if unreadable or absent."""
    model: str
    certainty: Optional[SentimentCertainty]
    """How sure the model is; `null` if it returns only scores."""
    symbols: List[str]
    """Instruments that the item mentions."""
    sentiments: List[SymbolSentiment]
    """For each of them: bad news for the dollar is good for EURUSD."""
    cluster: int
    """Number of sources that published it."""
    revision: int
    """Number of times its headline was updated."""


class NewsIngestAnswerRejectedItem(TypedDict):
    """`NewsIngestAnswerRejectedItem` of the service."""

    line: int
    code: Literal["malformed_json", "malformed_line", "bad_time", "future_time", "reserved_source"]
    detail: str


class NewsIngestAnswer(TypedDict):
    """Result of pushing news."""

    accepted: int
    rejected: List[NewsIngestAnswerRejectedItem]
    rejected_count: int


class NewsItemDetail(NewsDetail):
    """A news item, and what the market did after it."""

    market: List[NewsMarket]
    """Prices of each instrument of this service that the item mentions."""


class NewsLabelCalibration(TypedDict):
    """Calibration of the built-in model in one category."""

    model: str
    """Version of the model."""
    category: Literal["forex", "gold", "crypto", "macro"]
    temperature: float
    """Divisor of the logarithms of probabilities; above 1 evens them out."""
    least_confidence: float
    """Below this, an item is `neutral` and undecided."""
    chosen_on: int
    """Headlines on which both were chosen."""
    measured_on: int
    """Other headlines, on which the figures were measured."""
    accuracy: float
    """Share of headlines whose published label is right."""
    expected_error: float
    """Expected calibration error."""
    brier_score: float
    """Brier score: 0 is perfect, 2/3 is a uniform guess."""
    bins: List[NewsReliabilityBin]
    """By ascending confidence, without empty bins."""


class _NewsLineRequired(TypedDict):
    """Fields that every `NewsLine` has."""

    title: str
    """Headline. Markup and control characters are removed."""


class NewsLine(_NewsLineRequired, total=False):
    """A pushed news item."""

    url: str
    source: str
    """Name of the source, not that of a configured one. Default: the name of the account."""
    category: Literal["forex", "gold", "crypto", "macro"]
    """Category. Derived from the text by default."""
    summary: str
    """Summary, used for the classification."""
    id: str
    """Id at its source. An item with the same id and another title is a revision."""
    time: Union[float, str]
    """Time of publication, as Unix time in milliseconds or ISO 8601. Default: the time of arrival."""


class NewsList(TypedDict):
    """A page of the news feed."""

    items: List[Union[NewsDetail, NewsItem]]
    """Items, newest first. With `detail=true`: NewsDetail."""


class NewsMarketAfterItem(TypedDict):
    """`NewsMarketAfterItem` of the service."""

    minutes: Literal[5, 30, 60, 240]
    """Minutes after the publication."""
    price: float
    """Last price before that time."""
    change_percent: float
    """Change since the publication in percent."""


class NewsMarket(TypedDict):
    """Prices of an instrument around a news item."""

    symbol: str
    at: Optional[float]
    """Last price before the publication, at most 5 minutes old; `null` if there was none."""
    after: List[NewsMarketAfterItem]
    """Later prices, where known."""


class _NewsPublishedRequired(TypedDict):
    """Fields that every `NewsPublished` has."""

    title: str
    """Headline, plain text without markup."""
    category: Literal["forex", "gold", "crypto", "macro"]
    """Category."""
    sentiment: Literal["bullish", "neutral", "bearish"]
    """Sentiment label."""
    sentiment_score: float
    """Sentiment from −1 (bad news) to 1 (good news)."""
    timestamp: str
    """Time of publication, or of receipt if the source states none."""
    id: str
    """Id, the same for all revisions."""
    url: Optional[str]
    """Address."""
    source: str
    """Name of the source that published it first."""
    account: Optional[NewsAccount]
    """Account that pushed it; `null` for a configured source."""
    published_at: Optional[str]
    """Time of publication by its source; `null` if unreadable or absent."""
    model: str
    """Id of the model."""
    certainty: Optional[SentimentCertainty]
    """How sure the model is; `null` if it returns only scores."""
    symbols: List[str]
    """Instruments that the item mentions."""
    sentiments: List[SymbolSentiment]
    """For each of them: bad news for the dollar is good for EURUSD."""
    cluster: int
    """Number of sources that published it."""
    revision: int
    """Number of times its headline was updated."""


class NewsPublished(_NewsPublishedRequired, total=False):
    """A new news item."""

    channel: Literal["news"]
    """Name of the channel; present on /ws and /sse only."""
    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this subscription; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


_NewsReliabilityBinFields = TypedDict('_NewsReliabilityBinFields', {
    'from': 'float',
    'to': 'float',
    'headlines': 'int',
    'confidence': 'float',
    'accuracy': 'float',
}, total=True)


class NewsReliabilityBin(_NewsReliabilityBinFields):
    """Headlines with a similar confidence.

    `from`: Lower bound of the confidence, inclusive.

    `to`: Upper bound of the confidence, exclusive.

    `headlines`: Headlines in this range.

    `confidence`: Mean probability of their likeliest label.

    `accuracy`: Share of them whose likeliest label is right.
    """



class _NewsRevisedRequired(TypedDict):
    """Fields that every `NewsRevised` has."""

    title: str
    """Headline, plain text without markup."""
    category: Literal["forex", "gold", "crypto", "macro"]
    """Category."""
    sentiment: Literal["bullish", "neutral", "bearish"]
    """Sentiment label."""
    sentiment_score: float
    """Sentiment from −1 (bad news) to 1 (good news)."""
    timestamp: str
    """Time of publication, or of receipt if the source states none."""
    id: str
    """Id, the same for all revisions."""
    url: Optional[str]
    """Address."""
    source: str
    """Name of the source that published it first."""
    account: Optional[NewsAccount]
    """Account that pushed it; `null` for a configured source."""
    published_at: Optional[str]
    """Time of publication by its source; `null` if unreadable or absent."""
    model: str
    """Id of the model."""
    certainty: Optional[SentimentCertainty]
    """How sure the model is; `null` if it returns only scores."""
    symbols: List[str]
    """Instruments that the item mentions."""
    sentiments: List[SymbolSentiment]
    """For each of them: bad news for the dollar is good for EURUSD."""
    cluster: int
    """Number of sources that published it."""
    revision: int
    """Number of times its headline was updated."""
    revised: Literal[True]
    """Identifies the message as a revision."""


class NewsRevised(_NewsRevisedRequired, total=False):
    """The complete updated item, with the `id` of its publication."""

    channel: Literal["news"]
    """Name of the channel; present on /ws and /sse only."""
    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this subscription; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


_NewsSentimentFields = TypedDict('_NewsSentimentFields', {
    'period': 'Literal["day", "week", "month"]',
    'symbol': 'Optional[str]',
    'stretch_seconds': 'int',
    'from': 'str',
    'to': 'str',
    'items': 'List[NewsSentimentItem]',
    'count': 'int',
}, total=True)


class NewsSentiment(_NewsSentimentFields):
    """Sentiment of the news over time.

    `period`: Period covered.

    `stretch_seconds`: Length of an interval in seconds.

    `from`: Start of the first interval.

    `to`: End of the last interval, which is in progress.

    `items`: Oldest first, then by category, without empty ones.
    """



class NewsSentimentItem(TypedDict):
    """Sentiment of one category in one interval."""

    time: str
    category: Literal["forex", "gold", "crypto", "macro"]
    count: int
    """Items published in the interval."""
    bullish: int
    """Items with the label `bullish`."""
    neutral: int
    """Items with the label `neutral`."""
    bearish: int
    """Items with the label `bearish`."""
    mean_score: float
    """Average `sentiment_score` of the items."""


class NewsSourceList(TypedDict):
    """Status of all news sources."""

    items: List[NewsSourceReport]
    count: int
    left_out: Dict[str, int]
    """Items dropped by curation since the start, by reason."""


class NewsSourceReport(TypedDict):
    """Status of one news source."""

    name: str
    url: Optional[str]
    """Address that is polled; `null` if the source is not polled."""
    state: Literal["starting", "ok", "failing", "stopped"]
    last_item_at: Optional[str]
    """Time of the last new item; `null` before the first."""
    last_poll_at: Optional[str]
    """Time of the last poll; `null` before the first."""
    items: int
    """Items received, before curation."""
    unchanged: int
    """Polls without a new item."""
    failures: int
    """Failed polls."""
    last_error: Optional[str]
    """Last error."""


class NextMessage(TypedDict):
    """Asks for the messages of the next time."""

    action: Literal["next"]
    """Type of the request."""


class OhlcvBarDetail(OhlcvBar):
    """One price bar with `detail=true`."""

    bid_volume: float
    """Volume sold at the bid (seller-initiated); 0 without trades."""
    ask_volume: float
    """Volume bought at the ask (buyer-initiated); 0 without trades."""


class OpenedRecord(RecordFields):
    """First record of a log."""

    type: Literal["opened"]
    log: str
    """Id of the log."""
    realm: Literal["sim", "live", "replay"]
    """Kind of market data that the log is based on."""
    public_key: str
    """Ed25519 key that signs the heads, 32 bytes, hex."""


class _OrderFlowTickRequired(TypedDict):
    """Fields that every `OrderFlowTick` has."""

    symbol: str
    """Instrument code in upper case."""
    bid_volume: float
    """Volume sold at the bid since the previous message."""
    ask_volume: float
    """Volume bought at the ask since the previous message."""
    delta: float
    """ask_volume − bid_volume."""
    cumulative_delta: float
    """Sum of `delta` since 00:00 UTC."""
    price: float
    """Price of the last trade."""
    time: int
    """Unix time in seconds."""
    imbalance: float
    """(ask volume − bid volume) / (ask volume + bid volume) of the last 60 seconds, −1 to 1."""
    absorption: Optional[Literal["buy", "sell"]]
    """Passive side that holds the price against one-sided aggression; `null` if there is none."""


class OrderFlowTick(_OrderFlowTickRequired, total=False):
    """An order-flow update."""

    channel: Literal["orderflow"]
    """Name of the channel; present on /ws and /sse only."""
    side_method: str
    """How the side of the trades was inferred; absent if the feed reports it."""
    time_ms: int
    """`time` with its milliseconds; present if the subscription has `"ms":true`."""
    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this symbol; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


class Overview(TypedDict):
    """The UTC day of several instruments."""

    items: List[OverviewItem]
    """One entry per instrument, in the order of the request."""


class OverviewItem(TypedDict):
    """The UTC day of one instrument."""

    symbol: str
    time: Optional[str]
    """Time of `last`; `null` if there is no price yet."""
    day_open: Optional[float]
    """First price of the UTC day."""
    day_high: Optional[float]
    """Highest price of the UTC day."""
    day_low: Optional[float]
    """Lowest price of the UTC day."""
    last: Optional[float]
    """Last trade if bars are made of trades, else the bid. It may be of an earlier day."""
    change: Optional[float]
    """`last` − `day_open`."""
    change_percent: Optional[float]
    """`change` in percent of `day_open`."""
    sparkline: List[float]
    """Closing prices of the 15-minute bars of the last 24 hours, oldest first."""


class _PasswordChangeRequired(TypedDict):
    """Fields that every `PasswordChange` has."""

    password: str
    new_password: str
    """New password."""


class PasswordChange(_PasswordChangeRequired, total=False):
    """Changes the password."""

    code: str
    """Code of the app, or a recovery code."""
    revoke_keys: bool
    """Also revokes all API keys of the account; default true."""


class PasswordChanged(TypedDict):
    """Result of changing the password."""

    sessions_ended: int
    keys_revoked: int
    """Number of revoked keys."""


class PausedNotice(TypedDict):
    """The allowance of lines is used up: the connection is not read for a while. No line is lost."""

    event: Literal["paused"]
    """Type of the event."""
    seconds: int
    """When reading continues at the earliest, in seconds."""


class PerpetualLiquidationValue(TypedDict):
    """`PerpetualLiquidationValue` of the service."""

    timestamp: str
    """Time."""
    side: Literal["buy", "sell"]
    """Side of the order that closed the position: `sell` closes a long position."""
    price: float
    size: float
    """Size, in units of the underlying."""


class Perpetual(TypedDict):
    """Funding, mark price and open interest of one perpetual."""

    symbol: str
    venue: Optional[str]
    """Venue of the figures; `null` before the first."""
    mark_price: Optional[float]
    """Price at which the venue values positions."""
    index_price: Optional[float]
    """Price of the underlying."""
    funding_rate: Optional[float]
    """Paid per interval, as a fraction: 0.0001 is 0.01 %. Above 0, longs pay shorts; below 0, shorts pay longs."""
    funding_interval_hours: Optional[float]
    """Hours between two payments."""
    next_funding_time: Optional[str]
    """Time of the next payment."""
    open_interest: Optional[float]
    """Size of all open contracts, in units of the underlying."""
    timestamp: Optional[str]
    """Time of the newest figure."""
    liquidations: List[PerpetualLiquidationValue]
    """Positions that the venue closed by force, newest first."""


class _PerpetualFiguresRequired(TypedDict):
    """Fields that every `PerpetualFigures` has."""

    type: Literal["figures"]
    """Identifies the message as figures."""
    symbol: str
    """Instrument code in upper case."""
    venue: str
    """Venue."""
    mark_price: Optional[float]
    """Price at which the venue values positions."""
    index_price: Optional[float]
    """Price of the underlying."""
    funding_rate: Optional[float]
    """Paid per interval, as a fraction: 0.0001 is 0.01 %. Above 0, longs pay shorts; below 0, shorts pay longs."""
    funding_interval_hours: Optional[float]
    """Hours between two payments."""
    next_funding_time: Optional[int]
    """Time of the next payment, Unix time in seconds."""
    open_interest: Optional[float]
    """Size of all open contracts, in units of the underlying."""
    time: int
    """Unix time in seconds."""


class PerpetualFigures(_PerpetualFiguresRequired, total=False):
    """Figures of a perpetual changed."""

    channel: Literal["perpetual"]
    """Name of the channel; present on /ws and /sse only."""
    time_ms: int
    """`time` with its milliseconds; present if the subscription has `"ms":true`."""
    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this symbol; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


class _PerpetualLiquidationRequired(TypedDict):
    """Fields that every `PerpetualLiquidation` has."""

    type: Literal["liquidation"]
    """Identifies the message as a liquidation."""
    symbol: str
    """Instrument code in upper case."""
    venue: str
    """Venue."""
    side: Literal["buy", "sell"]
    """Side of the order that closed the position: `sell` closes a long position."""
    price: float
    """Price."""
    size: float
    """Size, in units of the underlying."""
    time: int
    """Unix time in seconds."""


class PerpetualLiquidation(_PerpetualLiquidationRequired, total=False):
    """The venue closed a position by force."""

    channel: Literal["perpetual"]
    """Name of the channel; present on /ws and /sse only."""
    time_ms: int
    """`time` with its milliseconds; present if the subscription has `"ms":true`."""
    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this symbol; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


class _PingMessageRequired(TypedDict):
    """Fields that every `PingMessage` has."""

    action: Literal["ping"]
    """Type of the request."""


class PingMessage(_PingMessageRequired, total=False):
    """Requests a pong."""

    api_key: str
    """API key; required until the connection is authenticated."""
    id: Union[str, float]
    """Id of the request, echoed in the response."""


class _PongNoticeRequired(TypedDict):
    """Fields that every `PongNotice` has."""

    event: Literal["pong"]
    """Type of the event."""


class PongNotice(_PongNoticeRequired, total=False):
    """Response to a ping."""

    id: Union[str, float]
    """Id of the request, echoed in the response."""


class PositionSize(TypedDict):
    """Lots for a given risk."""

    symbol: str
    lots: float
    """Lots, rounded down to a multiple of `min_lot`; 0 if that risks too much."""
    units: float
    """Units of the base: lots × contract_size."""
    risk: float
    """Loss at the stop, in the currency of the account."""
    risk_percent: float
    """The same in percent of the balance."""
    loss_per_lot: float
    """Loss of one lot at the stop, in the currency of the account."""
    currency: str
    """Currency of the account."""
    rate: float
    """Units of the account currency for one unit of the currency of the instrument."""
    limited_by: Optional[Literal["min_lot", "max_lot"]]
    """Limit that decided the size; `null` if the risk did."""


_PracticeRecordFields = TypedDict('_PracticeRecordFields', {
    'session': 'str',
    'symbols': 'List[str]',
    'from': 'str',
    'to': 'str',
    'clock': 'str',
    'decisions': 'int',
    'e_value': 'float',
    'open_r': 'float',
    'worst_open_r': 'Optional[float]',
    'drawdown_r': 'float',
    'exposure': 'List[Exposure]',
    'warnings': 'List[RecordWarning]',
    'figures': 'SignalFigures',
    'equity': 'List[EquityPoint]',
    'equity_now': 'EquityNow',
    'instruments': 'List[InstrumentRecord]',
}, total=True)


class PracticeRecord(_PracticeRecordFields):
    """Results of the practice signals of a replay session.

    `session`: Id of the session.

    `symbols`: Instruments of the session.

    `from`: Start of its range.

    `to`: End of its range.

    `clock`: Time that the record is as of.

    `decisions`: Counted decisions.

    `e_value`: Evidence for a mean R above 0: starts at 1, at most 1e12.

    `open_r`: Sum of R of the open signals at the current price.

    `worst_open_r`: Lowest R of an open signal since its fill.

    `drawdown_r`: Current decline of R from its peak, open signals included.

    `exposure`: Net direction of open signals by asset.

    `warnings`: Warnings about the results.

    `figures`: Figures of all signals.

    `equity`: One point per ranked signal, by time of closing, at most 500.

    `instruments`: Results by instrument.
    """



class Preferences(TypedDict):
    """Notation of times and numbers in messages."""

    time_zone: str
    """Time zone of times in messages (IANA)."""
    number_format: Literal["en", "en-GB", "en-IN", "de", "de-CH", "es", "fr", "it", "ja", "nl", "pl", "pt-BR", "sv"]
    """Locale of numbers in messages."""


class PreferencesChange(TypedDict, total=False):
    """Preferences to change; the others stay."""

    time_zone: str
    """Time zone of times in messages (IANA)."""
    number_format: Literal["en", "en-GB", "en-IN", "de", "de-CH", "es", "fr", "it", "ja", "nl", "pl", "pt-BR", "sv"]
    """Locale of numbers in messages."""


class _PriceConditionRequired(TypedDict):
    """Fields that every `PriceCondition` has."""

    type: Literal["price"]
    level: float
    """The level."""


_PriceConditionOptions = TypedDict('_PriceConditionOptions', {
    'cross': 'Literal["above", "below", "either"]',
    'touch': 'Literal["above", "below", "either"]',
    'is': 'Literal["above", "below"]',
    'side': 'Literal["bid", "ask", "trade"]',
}, total=False)


class PriceCondition(_PriceConditionRequired, _PriceConditionOptions):
    """The price crosses or touches a level, or is beyond it.

    `cross`: Fires if the price goes beyond the level.

    `touch`: Fires if the price reaches the level.

    `is`: State: side of the level.

    `side`: Price to look at; `trade`: the last one.
    """



class PriceLevel(TypedDict):
    """Volume that traded within one price level."""

    price: float
    """Lowest price of the level."""
    buy: float
    """Volume of buyers who lifted the ask."""
    sell: float
    """Volume of sellers who hit the bid."""


class _ProblemRequired(TypedDict):
    """Fields that every `Problem` has."""

    type: str
    """Link to the code in the API reference."""
    title: str
    """Short name, which may change."""
    status: int
    """HTTP status."""
    detail: str
    code: Literal["invalid_parameter", "repeated_parameter", "unknown_parameter", "malformed_path", "malformed_body", "not_found", "method_not_allowed", "idempotency_conflict", "payload_too_large", "uri_too_long", "unsupported_encoding", "internal", "no_active_ingest", "store_unavailable", "shutting_down", "missing_key", "invalid_key", "missing_scope", "rate_limited", "too_many_failures", "too_many_requests", "session_required", "invalid_session", "wrong_credentials", "wrong_password", "confirmation_required", "two_factor_required", "wrong_code", "two_factor_enabled", "two_factor_disabled", "account_disabled", "foreign_origin", "registration_closed", "invalid_token", "account_not_found", "key_not_found", "link_not_found", "session_not_found", "invitation_not_found", "name_taken", "owner_account", "markets_fixed", "document_not_found", "document_conflict", "too_many_documents", "key_revoked", "too_many_keys", "key_creations_exhausted", "too_many_attempts", "symbol_not_found", "venue_not_found", "venue_unavailable", "instrument_exists", "too_many_instruments", "no_quote", "no_trades", "not_perpetual", "no_conversion", "export_rows_exhausted", "precondition_failed", "range_not_satisfiable", "ingest_disabled", "signal_not_found", "publisher_not_found", "no_evidence", "too_many_downloads", "not_your_signal", "signal_closed", "close_requested", "signal_voided", "too_many_signals", "too_many_signals_of_symbol", "signals_exhausted", "market_closed", "stale_quote", "price_unconfirmed", "unclear_signal", "finer_than_digits", "levels_out_of_order", "invalid_targets", "stop_not_tighter", "too_many_amendments", "signature_required", "invalid_signature", "stale_signature", "entry_too_far", "distance_out_of_range", "level_reached", "expiry_out_of_range", "news_not_found", "ai_calls_exhausted", "model_not_found", "model_unavailable", "alert_not_found", "subscription_not_found", "destination_not_found", "delivery_not_found", "invalid_condition", "too_many_alerts", "too_many_destinations", "channel_not_configured", "private_address", "destination_unverified", "wrong_destination_code", "not_replayable", "chat_channel_not_found", "too_many_chat_channels", "too_many_connections", "upgrade_required", "service_full", "malformed_json", "invalid_message", "unknown_action", "unknown_channel", "bad_messages", "too_slow", "message_too_large", "stream_limit", "too_many_messages", "subscription_limit", "replay_not_found", "not_in_replay", "saved_record_not_found", "too_many_saved_records", "too_many_replays"]
    """Stable code, for programs."""
    request_id: str
    """As in the header `X-Request-Id`."""


class ProblemError(TypedDict):
    """`ProblemError` of the service."""

    parameter: str
    """Name of the parameter, header or field."""
    value: Optional[str]
    """Value received, shortened; `null` if it was missing."""
    allowed: str
    """Allowed values, in words."""


class Problem(_ProblemRequired, total=False):
    """Body of every REST error (RFC 9457)."""

    errors: List[ProblemError]
    """The invalid, repeated or unknown parameters and fields."""
    s: Literal["error"]
    """Only on `/udf` paths."""
    errmsg: str
    """Same as `detail`; only on `/udf` paths."""


class ProfileValueArea(TypedDict):
    """`ProfileValueArea` of the service."""

    low: float
    """Lowest price of the lowest level."""
    high: float
    """Lowest price of the highest level."""


_ProfileFields = TypedDict('_ProfileFields', {
    'symbol': 'str',
    'level': 'float',
    'side_method': 'Optional[Literal["feed", "quote_rule", "tick_rule", "mixed"]]',
    'from': 'str',
    'to': 'str',
    'volume': 'float',
    'delta': 'float',
    'poc': 'Optional[float]',
    'value_area': 'Optional[ProfileValueArea]',
    'levels': 'List[PriceLevel]',
    'uncovered_volume': 'float',
    'covered_from': 'str',
}, total=True)


class Profile(_ProfileFields):
    """Volume at price of a time range.

    `level`: Height of a level.

    `side_method`: Where the sides come from: `feed`: the source reports them; `quote_rule`, `tick_rule`:
    inferred; `null` without trades.

    `volume`: Traded volume.

    `delta`: Bought minus sold volume.

    `poc`: Point of control: lowest price of the level with the most volume, nearest to the middle of the range;
    `null` without trades.

    `value_area`: Levels around the point of control with at least 70 % of the volume; `null` without trades.

    `levels`: Levels with trades, ascending.

    `uncovered_volume`: Volume that is not in `levels`, because only its bars are known.

    `covered_from`: Time from which `levels` has every trade.
    """



class PublicRecordPage(TypedDict):
    """A page of the log records of one publisher."""

    items: List[PublicSignal]
    """Signals, newest publication first."""
    count: int
    next: Optional[int]
    untrusted_sources: List[str]
    """Price sources that the operator does not trust: their wins do not count."""


class PublicSignal(TypedDict):
    """The log records of one signal."""

    signal: str
    """Id of the signal."""
    records: List[LogEntry]
    """All its records so far, in ascending order."""


class _PublishedRecordRequired(SignalRecordFields):
    """Fields that every `PublishedRecord` has."""

    type: Literal["published"]
    direction: Literal["buy", "sell"]
    entry: float
    """Declared entry price."""
    stop_loss: float
    take_profit: float
    order: Literal["market", "limit", "stop"]
    entry_deadline: str
    """Deadline of a pending entry."""
    deadline: str
    """Deadline of the open signal."""
    instrument: SignalSpecification
    quote: QuoteEvidence
    """Quote against which the signal was accepted."""


class PublishedRecord(_PublishedRecordRequired, total=False):
    """Publication of a signal."""

    targets: List[SignalTarget]
    """Targets, nearest first."""
    breakeven_after: int
    """Targets after which the stop moves to the entry."""
    max_slippage: Optional[float]
    note_sha256: str
    """SHA-256 of the note, hex; present if there is a note."""
    signed: RecordSignature
    """Required with a signing key."""


class PublishedSignal(ActiveSignal):
    """A signal that was just published."""

    order: Literal["market", "limit", "stop"]
    state: Literal["pending"]
    """The entry waits for its fill."""


class TrackRecord(SignalFigures):
    """Verified results of one publisher."""

    name: str
    publisher: str
    rank: Optional[int]
    """Rank, starting at 1; `null` unless the status is `ranked`."""
    status: Literal["ranked", "unproven", "losing", "inactive"]
    """Result of the ranking; `reason` explains it."""
    reason: str
    """Reason for the status, one sentence."""
    missing: List[MissingCondition]
    """Conditions for a rank that are not met."""
    decisions: int
    """Counted decisions."""
    e_value: float
    """Evidence for a mean R above 0: starts at 1, at most 1e12."""
    open_r: float
    """Sum of R of the open signals at the current price."""
    worst_open_r: Optional[float]
    """Lowest R of an open signal since its fill."""
    drawdown_r: float
    """Current decline of R from its peak, open signals included."""
    exposure: List[Exposure]
    """Net direction of open signals by asset."""
    voided: int
    """Signals that an operator declared void."""
    warnings: List[RecordWarning]
    """Warnings about the results."""


class _PublisherDetailRequired(TrackRecord):
    """Fields that every `PublisherDetail` has."""

    progress: RankProgress
    equity: List[EquityPoint]
    """One point per ranked signal, by time of closing, reduced to at most 500."""
    equity_now: EquityNow
    risk: float
    """Percent at risk on each decision."""
    months: List[MonthRecord]
    """Results by month of completion, ascending."""
    instruments: List[InstrumentRecord]
    """Results by instrument."""


class PublisherDetail(_PublisherDetailRequired, total=False):
    """Track record of one publisher in detail."""

    windows: WindowRecords
    """With `windows=true`: results near high-impact calendar events, and without them."""


class PublisherKeyRecord(RecordFields):
    """Change of the signing key of a publisher."""

    type: Literal["publisher_key"]
    publisher: str
    public_key: Optional[str]
    """Signing key from now on; `null` if it was removed."""


class PublisherList(TypedDict):
    """Publishers with their track records."""

    items: List[TrackRecord]
    """Publishers, in the requested order."""
    count: int
    total: int
    """Matching publishers."""
    next: Optional[int]
    time_waived: bool
    """Whether a rank requires no days and weeks, as in simulated markets."""


class _PushAddressRequired(TypedDict):
    """Fields that every `PushAddress` has."""

    channel: Literal["push"]
    subscription: PushSubscription


class PushAddress(_PushAddressRequired, total=False):
    """A browser that receives push messages."""

    name: str


class PushKey(TypedDict):
    """The key with which browsers subscribe to push messages."""

    public_key: Optional[str]
    """VAPID key, base64url; `null` if push is not configured."""


class PushSubscriptionKeys(TypedDict):
    """Keys of the subscription."""

    p256dh: str
    """Public key of the browser, base64url."""
    auth: str
    """Secret of the browser, base64url."""


class PushSubscription(TypedDict):
    """A browser's push subscription, as `PushSubscription.toJSON()` returns it."""

    endpoint: str
    """Address of the push service."""
    keys: PushSubscriptionKeys
    """Keys of the subscription."""


class _QuoteRequired(TypedDict):
    """Fields that every `Quote` has."""

    bid: float
    ask: float
    spread: float
    """ask − bid, in price units."""
    timestamp: str
    """Time."""


class Quote(_QuoteRequired, total=False):
    """Current bid and ask."""

    stale: bool
    """With `detail=true`: restored from the store, or older than 60 seconds in an open market."""


class QuoteEvidence(TypedDict):
    """A quote."""

    kind: Literal["quote"]
    seq: int
    time: str
    source: str
    bid: float
    ask: float


class _QuoteLineRequired(TypedDict):
    """Fields that every `QuoteLine` has."""

    symbol: str
    """Instrument code."""
    time: Union[float, str]
    """Unix time in milliseconds, or ISO 8601 with an offset."""
    bid: float
    ask: float


class QuoteLine(_QuoteLineRequired, total=False):
    """A pushed quote."""

    bid_size: float
    """Size available at the bid."""
    ask_size: float
    """Size available at the ask."""


class _QuoteListRequired(TypedDict):
    """Fields that every `QuoteList` has."""

    items: List[SymbolQuote]
    """Quotes; instruments without a quote are omitted."""
    count: int


class QuoteListRejectedItem(TypedDict):
    """`QuoteListRejectedItem` of the service."""

    symbol: str
    """Symbol as requested, in upper case."""
    code: Literal["symbol_not_found"]


class QuoteList(_QuoteListRequired, total=False):
    """Current quotes of several instruments."""

    rejected: List[QuoteListRejectedItem]
    """With `detail=true`: requested symbols that do not exist."""


class RankProgress(TypedDict):
    """The way of a publisher to a rank."""

    trial_ended_at: Optional[str]
    """End of the trial; `null` during it."""
    number: Optional[int]
    """Number of the trial; `null` during it."""
    decisions: int
    """Complete decisions of the trial, then counted ones since."""
    days: Optional[int]
    """During the trial: days on which they began."""
    sum_r: Optional[float]
    """During the trial: sum of their R."""
    need: float
    """e-value for a rank; during the trial, as if it ended now."""
    further: Optional[int]
    """About how many more decisions that takes; usually a third to twice as many."""


class Readiness(TypedDict):
    """Readiness of the service."""

    status: Literal["ok", "starting", "stopping", "degraded"]
    checks: Dict[str, str]
    """Result of each check by component: `ok`, or the problem."""


class RecordSignature(TypedDict):
    """Signature of the publisher and its key."""

    signed_at: str
    """Time of the signature, at most 30 s off."""
    signature: str
    """Ed25519 signature, 64 bytes, hex."""
    public_key: str
    """Ed25519 public key, 32 bytes, hex."""


class RecordWarning(TypedDict):
    """A warning about the results of a publisher."""

    code: Literal["far_stops", "closed_by_hand", "withdrawn", "short_holding", "one_symbol", "untrusted_prices", "many_open", "copied"]
    """Kind of the warning."""
    text: str
    """The warning in one sentence."""


class Registration(TypedDict):
    """Registration policy of the service."""

    registration: Literal["open", "invitation", "closed"]
    """Who can sign up: anyone, people with an invitation, or nobody."""
    setup_needed: bool
    """Whether the service has no owner yet."""


_ReplaySessionFields = TypedDict('_ReplaySessionFields', {
    'id': 'str',
    'state': 'Literal["playing", "paused", "ended"]',
    'symbols': 'List[str]',
    'from': 'str',
    'to': 'str',
    'clock': 'str',
    'speed': 'Union[float, Literal["max"]]',
    'epoch': 'str',
    'sources': 'List[ReplaySource]',
    'created_at': 'str',
    'idle_seconds': 'int',
}, total=True)


class ReplaySession(_ReplaySessionFields):
    """A replay session.

    `id`: Id, for the header `Replay` or the parameter `replay`.

    `state`: `ended`: the clock has reached the end.

    `symbols`: Instruments.

    `clock`: Time that reads are answered as of.

    `speed`: Seconds of the past per second, or `max`.

    `epoch`: Epoch of its positions, which follows from symbols, range and the last seek.

    `sources`: What is played, by instrument, then ascending.

    `created_at`: Time at which it was created.

    `idle_seconds`: The session ends when it was not used for this time.
    """



class ReplaySessionChange(TypedDict, total=False):
    """A change of the clock of a session."""

    state: Literal["playing", "paused"]
    """Whether the clock runs; it is paused by default."""
    speed: Union[float, Literal["max"]]
    """Seconds of the past per second, or `max`: as fast as the streams of the session are read. 1 by default."""
    step: Literal["tick", "bar"]
    """Goes to the next tick, or to the end of the bar in which it is, and pauses unless `state` is `playing`."""
    interval: str
    """Length of the bar of `step`. `1m` by default."""
    seek: str
    """Sets the clock. Numbers of messages start at 1 again, with another epoch."""


class ReplaySessionList(TypedDict):
    """The replay sessions of the account."""

    items: List[ReplaySession]
    count: int


_ReplaySessionRequestRequiredFields = TypedDict('_ReplaySessionRequestRequiredFields', {
    'symbols': 'List[str]',
    'from': 'str',
}, total=True)


class _ReplaySessionRequestRequired(_ReplaySessionRequestRequiredFields):
    """Fields that every `ReplaySessionRequest` has.

    `symbols`: Instruments.

    `from`: Start: the clock begins here.
    """



class ReplaySessionRequest(_ReplaySessionRequestRequired, total=False):
    """A range of the past to replay."""

    to: str
    """End, where the clock stops. Now by default."""
    speed: Union[float, Literal["max"]]
    """Seconds of the past per second, or `max`: as fast as the streams of the session are read. 1 by default."""
    start: Literal["playing", "paused"]
    """Whether the clock runs; it is paused by default."""


_ReplaySourceFields = TypedDict('_ReplaySourceFields', {
    'symbol': 'str',
    'from': 'str',
    'to': 'str',
    'source': 'Literal["ticks", "bars", "none"]',
}, total=True)


class ReplaySource(_ReplaySourceFields):
    """What is played in a part of the range.

    `from`: Start (inclusive).

    `to`: End (exclusive).

    `source`: `ticks`: recorded ones. `bars`: four synthetic quotes for each minute. `none`: a gap.
    """



class RequestSignature(TypedDict):
    """Signature of the request."""

    signed_at: str
    """Time of the signature, at most 30 s off."""
    signature: str
    """Ed25519 signature, 64 bytes, hex."""


class SavePracticeRequest(TypedDict):
    """A name for the record of practice signals."""

    name: str


class SavedPracticeInfo(TypedDict):
    """Which record of practice signals was saved."""

    id: str
    name: str
    saved_at: str
    """Time at which it was saved."""


class SavedPractice(SavedPracticeInfo):
    """A saved record of practice signals."""

    record: PracticeRecord


class SavedPracticeList(TypedDict):
    """The saved records of the account."""

    items: List[SavedPractice]
    count: int


class SentimentCertaintyProbabilities(TypedDict):
    """Calibrated probabilities; `sentiment_score` is bullish − bearish."""

    bearish: float
    """Probability of `bearish`."""
    neutral: float
    """Probability of `neutral`."""
    bullish: float
    """Probability of `bullish`."""


class SentimentCertainty(TypedDict):
    """How sure the model is of a label."""

    confidence: float
    """Calibrated probability that the label is right."""
    undecided: bool
    """`neutral` only because no label is likely enough."""
    probabilities: SentimentCertaintyProbabilities
    """Calibrated probabilities; `sentiment_score` is bullish − bearish."""


class SessionInfo(TypedDict):
    """A signed-in session."""

    id: str
    current: bool
    """Whether this session made the request."""
    created_at: str
    """Time of the sign-in."""
    last_seen_at: str
    """Last use, to the minute."""
    expires_at: str
    """Time of expiry if not used again."""
    browser: str
    """Browser and operating system at the sign-in."""
    address: str
    """IP address at the sign-in."""


class SessionList(TypedDict):
    """All sessions of the account."""

    items: List[SessionInfo]
    count: int


class SessionStatistics(TypedDict):
    """Statistics of the current session."""

    instruments_active: int
    """Instruments with a tick in the last 60 seconds."""
    clients_connected: int
    """Open authenticated WebSocket connections."""
    signals_active: int
    """Active signals."""
    ai_models_available: List[str]
    """Ids of the models that are currently available."""
    server_time: str
    """Current time of the service."""
    uptime_seconds: int
    """Seconds since the service was started."""


class SessionsEnded(TypedDict):
    """Result of ending sessions."""

    sessions_ended: int


class SetupRequest(TypedDict):
    """Creates the owner account."""

    token: str
    """Token of the setup link."""
    name: str
    """Display name, unique with similar ones, in NFKC."""
    password: str
    """New password."""


class ShutdownNotice(TypedDict):
    """The service is about to stop."""

    event: Literal["shutdown"]
    """Type of the event."""


class _SignInRequestRequired(TypedDict):
    """Fields that every `SignInRequest` has."""

    name: str
    """Display name, unique with similar ones, in NFKC."""
    password: str


class SignInRequest(_SignInRequestRequired, total=False):
    """Signs in."""

    code: str
    """Code of the app, or a recovery code."""


class _SignUpRequestRequired(TypedDict):
    """Fields that every `SignUpRequest` has."""

    name: str
    """Display name, unique with similar ones, in NFKC."""
    password: str
    """New password."""


class SignUpRequest(_SignUpRequestRequired, total=False):
    """Creates an account."""

    invitation: str
    """Token of an invitation, if one is required."""


class _SignalAmendedRequired(TypedDict):
    """Fields that every `SignalAmended` has."""

    id: str
    """Id."""
    user: str
    """Display name of the publisher."""
    symbol: str
    """Instrument code in upper case."""
    change: Literal["amended"]
    """Kind of the change: `amended`."""
    stop_loss: float
    """The tighter stop."""
    timestamp: str
    """Time of the amendment."""


class SignalAmended(_SignalAmendedRequired, total=False):
    """The publisher tightened the stop of a signal; sent to subscriptions with `"changes":true`."""

    channel: Literal["signals"]
    """Name of the channel; present on /ws and /sse only."""
    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this symbol; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


class _SignalClosedRequired(TypedDict):
    """Fields that every `SignalClosed` has."""

    id: str
    """Id."""
    user: str
    """Display name of the publisher."""
    symbol: str
    """Instrument code in upper case."""
    direction: Literal["buy", "sell"]
    """Direction of the trade."""
    entry: float
    """Declared entry price."""
    stop_loss: float
    """Stop loss price."""
    take_profit: float
    """Take profit price: the last target."""
    status: Literal["closed"]
    """State."""
    timestamp: str
    """Time of publication."""
    pnl: float
    """Profit or loss in pips, from the worse of the declared entry and the fill to the exit."""
    pnl_percent: float
    """Profit or loss in percent of the entry."""
    pnl_r: float
    """Profit or loss in R: multiples of the distance from entry to stop loss."""
    entry_price: Optional[float]
    """Fill price of the entry; `null` if not filled."""
    exit_price: Optional[float]
    """Exit price, the weighted mean of several exits; `null` if the entry was not filled."""
    closed_at: str
    """Time of the closing."""
    close_reason: Literal["take_profit", "stop_loss", "manual", "expired", "unfilled", "voided"]
    """Reached level, or `manual`: closed by the publisher, `expired`: the deadline passed, `unfilled`: the entry was
    never filled, `voided`: by an operator.
    """


class SignalClosed(_SignalClosedRequired, total=False):
    """A closed signal; sent to subscriptions with `"closes":true`."""

    pnl_best: float
    """Present if only a bar was available: profit or loss in pips in the best case. `pnl` is the worst case."""
    gap_from: str
    """Start of an interval without prices while the signal was active."""
    gap_to: str
    """End of that interval."""
    self_sourced: Literal[True]
    """Present if ticks that the publisher pushed decided the result. Its losses count for the ranking, its wins do
    not.
    """
    recovered: Literal["tape", "backfill"]
    """Present if determined after an interruption: from the tape, or from prices that the feed delivered later."""
    channel: Literal["signals"]
    """Name of the channel; present on /ws and /sse only."""
    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this symbol; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


class _SignalConditionRequired(TypedDict):
    """Fields that every `SignalCondition` has."""

    type: Literal["signal"]


class SignalCondition(_SignalConditionRequired, total=False):
    """A signal is published, filled or closed."""

    events: List[Literal["published", "filled", "closed"]]
    publisher: str
    """Name or id of the publisher; any by default."""


class _SignalDraftRequired(TypedDict):
    """Fields that every `SignalDraft` has."""

    symbol: str
    direction: Literal["buy", "sell"]
    stop_loss: float
    take_profit: float
    parts: List[SignalTextPart]
    """Where each field came from."""
    notes: List[str]
    """What was left out, as sentences."""


class SignalDraft(_SignalDraftRequired, total=False):
    """A signal as it was understood, not published."""

    entry: float
    """Entry price; left out of a market order."""
    order: Literal["market"]
    """Present for a market order."""
    targets: List[SignalTarget]
    """Targets, if there are several."""
    breakeven_after: int
    """Targets after which the stop moves to the entry."""


class SignalDraftList(TypedDict):
    """The signals of a message."""

    items: List[SignalDraft]
    """Drafts."""
    count: int


class SignalEdit(TypedDict):
    """An edit, or the deletion, of the message of a signal."""

    edited_at: str
    """Time of receipt."""
    platform: Literal["telegram", "discord"]
    old_sha256: str
    """SHA-256 of the text before, hex."""
    new_sha256: Optional[str]
    """SHA-256 of the text after, hex; `null` if the message was deleted."""
    text: Optional[str]
    """New text, if its publisher shows it."""


class SignalEditList(TypedDict):
    """Edits of a message."""

    items: List[SignalEdit]
    """Oldest first."""
    count: int


class _SignalExitedRequired(TypedDict):
    """Fields that every `SignalExited` has."""

    id: str
    """Id."""
    user: str
    """Display name of the publisher."""
    symbol: str
    """Instrument code in upper case."""
    change: Literal["exited"]
    """Kind of the change: `exited`."""
    target: int
    """Number of the target, starting at 1."""
    fraction: float
    """Part of the position, up to 1."""
    price: float
    """Price."""
    timestamp: str
    """Time of the exit."""


class SignalExited(_SignalExitedRequired, total=False):
    """A part of the position exited at a target; sent to subscriptions with `"changes":true`."""

    channel: Literal["signals"]
    """Name of the channel; present on /ws and /sse only."""
    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this symbol; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


class _SignalFilledRequired(TypedDict):
    """Fields that every `SignalFilled` has."""

    id: str
    """Id."""
    user: str
    """Display name of the publisher."""
    symbol: str
    """Instrument code in upper case."""
    direction: Literal["buy", "sell"]
    """Direction of the trade."""
    entry: float
    """Declared entry price."""
    stop_loss: float
    """Stop loss price."""
    take_profit: float
    """Take profit price: the last target."""
    status: Literal["active"]
    """State."""
    timestamp: str
    """Time of publication."""
    state: Literal["open"]
    """The entry is filled."""
    filled_at: str
    """Time of the fill."""
    entry_price: float
    """Fill price of the entry."""


class SignalFilled(_SignalFilledRequired, total=False):
    """A signal whose entry was filled; sent to subscriptions with `"fills":true`."""

    channel: Literal["signals"]
    """Name of the channel; present on /ws and /sse only."""
    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this symbol; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


class SignalList(TypedDict):
    """A page of the signal feed."""

    items: List[Union[SignalDetail, Signal]]
    """Signals, newest first. With `detail=true`: SignalDetail."""
    count: int


class SignalProof(TypedDict):
    """The log records of one signal."""

    published: LogEntry
    """Publication."""
    closed: Optional[LogEntry]
    """Closing; `null` while the signal is active."""
    seals: List[LogEntry]
    """Seals of the instrument's tape for the days on which the signal was active."""
    head: LogHead
    """Current head of the log."""
    note: Optional[str]
    """Text whose hash is `note_sha256` of the publication."""
    records: List[LogEntry]
    """All records about the signal, in order."""


class _SignalPublishedRequired(TypedDict):
    """Fields that every `SignalPublished` has."""

    id: str
    """Id."""
    user: str
    """Display name of the publisher."""
    symbol: str
    """Instrument code in upper case."""
    direction: Literal["buy", "sell"]
    """Direction of the trade."""
    entry: float
    """Declared entry price."""
    stop_loss: float
    """Stop loss price."""
    take_profit: float
    """Take profit price: the last target."""
    timestamp: str
    """Time of publication."""


class SignalPublished(_SignalPublishedRequired, total=False):
    """A newly published signal."""

    channel: Literal["signals"]
    """Name of the channel; present on /ws and /sse only."""
    seq: int
    """Sequence number, increasing over the whole channel."""
    prev: int
    """`seq` of the previous message of this symbol; 0 before the first."""
    epoch: str
    """Identifies an unbroken sequence; changes only when continuity is lost."""


class _SignalRequestRequired(TypedDict):
    """Fields that every `SignalRequest` has."""

    symbol: str
    """Instrument code (case-insensitive)."""
    direction: Literal["buy", "sell"]
    stop_loss: float


class SignalRequest(_SignalRequestRequired, total=False):
    """A signal to publish."""

    entry: float
    """Entry price: a market order if near the market, else a limit or stop order. Required without `order`."""
    max_slippage: float
    take_profit: float
    """Take profit price: that of the last target. Required without `targets`."""
    targets: List[TargetRequest]
    """Targets, nearest first; their fractions add up to 1."""
    breakeven_after: int
    """Targets after which the stop moves to the entry; by default never."""
    order: Literal["market"]
    """Market order: `entry` becomes the price of the newest quote."""
    expires_at: str
    """Deadline, at most 30 days ahead. Default: 24 hours for a pending entry, 30 days for the trade."""
    note: str
    """Note for readers, plain text."""
    signed: RequestSignature
    """Required with a signing key."""


class SignalSpecification(TypedDict):
    """Specification of the instrument at publication."""

    digits: int
    """Decimal places of a price."""
    pip_size: float
    """Size of one pip, in price units."""


class SignalTarget(TypedDict):
    """A target."""

    price: float
    fraction: float


class SignalText(TypedDict):
    """A message with a signal."""

    text: str
    """Message as people write it in channels, up to 4,096 characters."""


class SignalTextPart(TypedDict):
    """The part of a message that a field came from."""

    field: str
    """Field, such as `stop_loss` or `targets[0]`."""
    text: str
    """Part of the message."""
    start: int
    """Start in the message, in Unicode code points."""
    end: int
    """End, exclusive."""


class SignalWindows(TypedDict):
    """High-impact events of the instrument within 2 minutes of the entry or exit of a signal."""

    inside: bool
    """Whether the entry or an exit was inside a window."""
    entry: List[MarkedEvent]
    """Events whose window contained the fill of the entry."""
    exit: List[MarkedEvent]
    """Events whose window contained the last exit."""


class SigningKey(TypedDict):
    """Signing key of the account."""

    public_key: Optional[str]
    """Ed25519 public key, 32 bytes, hex; `null` if the account has no signing key."""
    n: Optional[int]
    """Number of the record that registered or removed it; `null` if there is none."""


class SigningKeyRequest(TypedDict):
    """Signing key of the account."""

    public_key: Optional[str]
    """Ed25519 public key, 32 bytes, hex; `null` removes the key."""


class _SlackAddressRequired(TypedDict):
    """Fields that every `SlackAddress` has."""

    channel: Literal["slack"]
    url: str
    """Address of the Slack webhook."""


class SlackAddress(_SlackAddressRequired, total=False):
    """A channel of Slack."""

    name: str


class _SlowNoticeRequired(TypedDict):
    """Fields that every `SlowNotice` has."""

    event: Literal["slow"]
    """Type of the event."""
    buffered_bytes: int
    """Bytes waiting to be received by the client."""
    delivery: Literal["latest"]
    """Until the client has caught up, only the latest message of each symbol is sent."""


class SlowNotice(_SlowNoticeRequired, total=False):
    """The client is behind."""

    channel: Literal["market", "bars", "orderflow", "footprint", "perpetual", "signals", "news", "alerts"]
    """Name of the channel; present on /ws and /sse only."""


class SpreadCondition(TypedDict):
    """State: the spread is too wide."""

    type: Literal["spread"]
    above: float
    """Ask minus bid is above this, in price units."""


class StaleCondition(TypedDict):
    """State: no quote for some time in an open market."""

    type: Literal["stale"]
    seconds: int
    """Seconds without a quote while the market is open."""


class StreamReport(TypedDict):
    """An open stream."""

    channel: str
    """Name of the channel; `ws` or `sse` for several."""
    account: Optional[str]
    """Name of the account; `null` before authentication."""
    key: Optional[str]
    """Public id of the key or session; `null` before authentication."""
    scopes: List[Literal["read", "alerts", "publish", "ingest", "admin", "hook"]]
    address: str
    """IP address of the client."""
    since: str
    """Time at which the connection was opened."""
    subscriptions: int
    """Number of subscriptions."""
    buffered_bytes: int
    """Bytes sent but not yet received by the client."""
    slow: bool
    """Whether the client is behind and gets only the latest messages."""


class StreamReportList(TypedDict):
    """Open WebSocket connections."""

    items: List[StreamReport]
    """Open connections, oldest first."""
    count: int
    open: int
    """Total number of open connections."""


class _SubscribeMessageRequired(TypedDict):
    """Fields that every `SubscribeMessage` has."""

    action: Literal["subscribe"]
    """Type of the request."""


class SubscribeMessageResumeFrom(TypedDict):
    """Position of the last message received: later messages are sent first, then the live stream continues."""

    epoch: str
    """`epoch` of the last message."""
    seq: int
    """`seq` of the last message."""


class SubscribeMessage(_SubscribeMessageRequired, total=False):
    """Subscribes to symbols."""

    channel: Literal["bars", "footprint"]
    """`bars` on /ws/market: bars instead of ticks. `footprint` on /ws/orderflow: volume at price instead of order
    flow. Both require `timeframe`.
    """
    timeframe: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Length of a bar."""
    indicators: List[str]
    """With `"channel":"bars"`: add the values of these indicators to each bar, such as
    `["rsi(14)","macd(12,26,9)"]`.
    """
    symbols: List[str]
    """Instrument codes; "*" means all. Optional on /ws/perpetual, /ws/signals, /ws/news and /ws/alerts."""
    api_key: str
    """API key; required until the connection is authenticated."""
    id: Union[str, float]
    """Id of the request, echoed in the response."""
    seq: bool
    """Add `seq`, `prev` and `epoch` to every message. Default `false`."""
    ms: bool
    """On /ws/market, /ws/orderflow and /ws/perpetual: add `time_ms`, the time in milliseconds, to every message.
    Default `false`.
    """
    closes: bool
    """On /ws/signals: send closings as well. Default `false`."""
    fills: bool
    """On /ws/signals: send fills as well. Default `false`."""
    changes: bool
    """On /ws/signals: send partial exits and tighter stops as well. Default `false`."""
    resume_from: SubscribeMessageResumeFrom
    """Position of the last message received: later messages are sent first, then the live stream continues."""
    delivery: Literal["all", "latest"]
    """`latest`: while the client is behind, send only the latest message of each symbol. Default `all`."""
    max_rate: float
    """Maximum number of messages per second and symbol, rounded down to 1, 2, 5, 10, 20…; the volumes of skipped
    messages are added up.
    """
    heartbeat: int
    """Seconds between heartbeats on this connection. None by default."""


class SubscriptionList(TypedDict):
    """Subscriptions of the account."""

    items: List[Subscription]
    """Subscriptions, newest first."""
    count: int


class SubscriptionNoticeRejectedItem(TypedDict):
    """`SubscriptionNoticeRejectedItem` of the service."""

    symbol: str
    """Symbol as requested."""
    code: Literal["invalid_parameter", "repeated_parameter", "unknown_parameter", "malformed_path", "malformed_body", "not_found", "method_not_allowed", "idempotency_conflict", "payload_too_large", "uri_too_long", "unsupported_encoding", "internal", "no_active_ingest", "store_unavailable", "shutting_down", "missing_key", "invalid_key", "missing_scope", "rate_limited", "too_many_failures", "too_many_requests", "session_required", "invalid_session", "wrong_credentials", "wrong_password", "confirmation_required", "two_factor_required", "wrong_code", "two_factor_enabled", "two_factor_disabled", "account_disabled", "foreign_origin", "registration_closed", "invalid_token", "account_not_found", "key_not_found", "link_not_found", "session_not_found", "invitation_not_found", "name_taken", "owner_account", "markets_fixed", "document_not_found", "document_conflict", "too_many_documents", "key_revoked", "too_many_keys", "key_creations_exhausted", "too_many_attempts", "symbol_not_found", "venue_not_found", "venue_unavailable", "instrument_exists", "too_many_instruments", "no_quote", "no_trades", "not_perpetual", "no_conversion", "export_rows_exhausted", "precondition_failed", "range_not_satisfiable", "ingest_disabled", "signal_not_found", "publisher_not_found", "no_evidence", "too_many_downloads", "not_your_signal", "signal_closed", "close_requested", "signal_voided", "too_many_signals", "too_many_signals_of_symbol", "signals_exhausted", "market_closed", "stale_quote", "price_unconfirmed", "unclear_signal", "finer_than_digits", "levels_out_of_order", "invalid_targets", "stop_not_tighter", "too_many_amendments", "signature_required", "invalid_signature", "stale_signature", "entry_too_far", "distance_out_of_range", "level_reached", "expiry_out_of_range", "news_not_found", "ai_calls_exhausted", "model_not_found", "model_unavailable", "alert_not_found", "subscription_not_found", "destination_not_found", "delivery_not_found", "invalid_condition", "too_many_alerts", "too_many_destinations", "channel_not_configured", "private_address", "destination_unverified", "wrong_destination_code", "not_replayable", "chat_channel_not_found", "too_many_chat_channels", "too_many_connections", "upgrade_required", "service_full", "malformed_json", "invalid_message", "unknown_action", "unknown_channel", "bad_messages", "too_slow", "message_too_large", "stream_limit", "too_many_messages", "subscription_limit", "replay_not_found", "not_in_replay", "saved_record_not_found", "too_many_saved_records", "too_many_replays"]
    """Reason for the rejection."""


class _SubscriptionNoticeRequired(TypedDict):
    """Fields that every `SubscriptionNotice` has."""

    event: Literal["subscribed", "unsubscribed", "subscriptions"]
    """Type of the event."""
    symbols: List[str]
    """All symbols that are now subscribed."""
    rejected: List[SubscriptionNoticeRejectedItem]
    """Symbols of the request that were not subscribed."""


class _SubscriptionNoticeBarRequired(TypedDict):
    """Fields that every `SubscriptionNoticeBar` has."""

    timeframe: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Length of a bar."""
    symbols: List[str]
    """Symbols subscribed with this timeframe."""


class SubscriptionNoticeBar(_SubscriptionNoticeBarRequired, total=False):
    """`SubscriptionNoticeBar` of the service."""

    indicators: List[str]
    """Indicators of these bars by their full text; absent without indicators."""


class SubscriptionNoticeFootprint(TypedDict):
    """`SubscriptionNoticeFootprint` of the service."""

    timeframe: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Length of a bar."""
    symbols: List[str]
    """Symbols subscribed with this timeframe."""


class SubscriptionNoticeWarning(TypedDict):
    """`SubscriptionNoticeWarning` of the service."""

    option: str
    """Option as requested."""
    message: str
    """Explanation, for people."""


class SubscriptionNotice(_SubscriptionNoticeRequired, total=False):
    """The current subscriptions."""

    channel: Literal["market", "bars", "orderflow", "footprint", "perpetual", "signals", "news", "alerts"]
    """Name of the channel; present on /ws and /sse only."""
    bars: List[SubscriptionNoticeBar]
    """All bars that are now subscribed; absent if there are none."""
    footprints: List[SubscriptionNoticeFootprint]
    """All footprints that are now subscribed; absent if there are none."""
    source: Literal["simulated"]
    """Present if the market data is simulated."""
    epoch: str
    """Current epoch; present if the subscription has `"seq":true`."""
    seq: int
    """Current sequence number of the channel, with `epoch`: resume from here if the connection is lost before the
    first message.
    """
    max_rate: float
    """Rate in messages per second and symbol that the requested `max_rate` was rounded down to; absent if it was not
    rounded.
    """
    warnings: List[SubscriptionNoticeWarning]
    """Options of the request that were ignored; absent if there are none."""
    id: Union[str, float]
    """Id of the request, echoed in the response."""


class _SubscriptionRequestRequired(TypedDict):
    """Fields that every `SubscriptionRequest` has."""

    deliver: List[DeliverTo]


class SubscriptionRequest(_SubscriptionRequestRequired, total=False):
    """A subscription to create; exactly one of publisher, symbol and category."""

    publisher: str
    """Name or id of a publisher: its signals."""
    symbol: str
    """An instrument: its signals and headlines."""
    category: Literal["forex", "gold", "crypto", "macro"]
    """A news category: its headlines."""
    events: List[Literal["published", "filled", "closed"]]
    mirror: bool
    """Mirror for a community: all `events`."""


class SymbolQuote(Quote):
    """Current bid and ask of one instrument."""

    symbol: str


class SymbolSentiment(TypedDict):
    """Sentiment of a headline for one instrument."""

    symbol: str
    sentiment: Literal["bullish", "neutral", "bearish"]
    sentiment_score: float


class TapeSeal(RecordFields):
    """Hash of one UTC day of an instrument's tape."""

    type: Literal["tape"]
    day: str
    """UTC day."""
    symbol: str
    ticks: int
    """Number of ticks of the day."""
    sha256: str
    """SHA-256 of the tape, hex."""


class TargetRequest(TypedDict):
    """A target of a signal."""

    price: float
    fraction: float


class _TelegramAddressRequired(TypedDict):
    """Fields that every `TelegramAddress` has."""

    channel: Literal["telegram"]


class TelegramAddress(_TelegramAddressRequired, total=False):
    """A Telegram chat, linked by sending the code of the response to the bot."""

    name: str


class TicksPage(TypedDict):
    """Quotes or trades of one instrument, one page."""

    symbol: str
    kind: Literal["quotes", "trades"]
    """Which ticks these are."""
    items: Union[List[HistoryQuote], List[HistoryTrade]]
    """Ascending by time, then by `seq`."""
    next: Optional[str]


class Tier(TypedDict):
    """Limits of a tier."""

    requests_per_minute: int
    """REST requests per rolling 60 seconds."""
    streams: int
    """Open streams."""
    ai_calls_per_day: int
    """AI calls per UTC day."""
    signals_per_day: int
    """Signals per UTC day."""
    active_signals_per_symbol: int
    """Active signals per instrument."""
    live_indicators: int
    """Live indicators and footprints."""
    export_rows_per_day: int
    """Rows in files and long pages per UTC day."""
    alerts: int
    """Active alerts and subscriptions."""
    deliveries_per_day: int
    """Messages per UTC day."""
    delivery_delay_seconds: int
    """Delay of subscriptions, in seconds."""
    replays: int
    """Replay sessions."""
    replay_symbols: int
    """Instruments of a replay session."""
    replay_events_per_minute: int
    """Events of all replay sessions per minute."""
    chat_channels: int
    """Chat channels that publish."""


class TierChange(TypedDict):
    """Changes the tier of an account."""

    tier: str


class TradeEvidence(TypedDict):
    """A missed trade that was fetched later."""

    kind: Literal["trade"]
    seq: int
    time: str
    source: str
    price: float
    side: Literal["buy", "sell"]
    spread: float
    """Spread of the last quote before it."""


class _TradeLineRequired(TypedDict):
    """Fields that every `TradeLine` has."""

    symbol: str
    """Instrument code."""
    time: Union[float, str]
    """Unix time in milliseconds, or ISO 8601 with an offset."""
    price: float
    size: float
    """Size of the trade."""


class TradeLine(_TradeLineRequired, total=False):
    """A pushed trade."""

    side: Literal["buy", "sell"]
    """Side of the taker. Inferred from the quotes by default."""


class TradingHoursSession(TypedDict):
    """`TradingHoursSession` of the service."""

    open: str
    """Opening."""
    close: str
    """Close."""


class TradingHoursClosedItem(TypedDict):
    """`TradingHoursClosedItem` of the service."""

    date: str
    """Local date of the trading day."""
    reason: str
    """Name of the holiday or event."""


class TradingHours(TypedDict):
    """Trading sessions of one instrument in a time range."""

    symbol: str
    timezone: str
    """Time zone of the hours (IANA); `UTC` if the market never closes."""
    sessions: List[TradingHoursSession]
    """Whole sessions that overlap the range, ascending, with breaks and early closes. A market that never closes has
    one: the range.
    """
    closed: List[TradingHoursClosedItem]
    """Weekdays in the range on which the market is closed all day."""


class _TradingViewAlertRequired(TypedDict):
    """Fields that every `TradingViewAlert` has."""

    symbol: str
    """Instrument code. An exchange prefix, as in `OANDA:EURUSD`, is removed."""
    direction: str
    """`buy` or `long`, `sell` or `short` (case-insensitive)."""
    stop_loss: Union[float, str]
    take_profit: Union[float, str]
    """Take profit price."""


class TradingViewAlert(_TradingViewAlertRequired, total=False):
    """A signal to publish, as a TradingView alert message."""

    entry: Union[float, str]
    """Entry price: a market order if near the market, else a limit or stop order. Required without `order`."""
    max_slippage: Union[float, str]
    order: Literal["market"]
    """Market order: `entry` becomes the price of the newest quote."""
    expires_at: str
    """Deadline, at most 30 days ahead. Default: 24 hours for a pending entry, 30 days for the trade."""
    note: str
    """Note for readers, plain text."""
    id: str
    """Idempotency key, as in `Idempotency-Key`."""


class TrendLineCondition(TypedDict):
    """A bar closes on the other side of a straight line over bars."""

    type: Literal["trend_line"]
    interval: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    cross: Literal["above", "below", "either"]
    """Direction in which the close crosses the line."""
    time: str
    """Start of a bar that the line passes."""
    price: float
    """Price of the line at this bar."""
    per_bar: float
    """Change of the line with each bar."""


class TwoFactorCode(TypedDict):
    """Confirms the set-up with a code of the authenticator app."""

    code: str
    """Code of the app, or a recovery code."""


class TwoFactorConfirmed(TypedDict):
    """Recovery codes."""

    recovery_codes: List[str]
    """Ten codes that each replace the app once, shown only once."""


class TwoFactorSecretQr(TypedDict):
    """The URI as a QR code."""

    size: int
    """Width and height in modules."""
    path: str
    """The dark modules as SVG path data."""


class TwoFactorSecret(TypedDict):
    """The secret for an authenticator app, shown only once."""

    secret: str
    """The shared secret (Base32), to type into an authenticator app."""
    uri: str
    """The same as an `otpauth://` URI."""
    qr: TwoFactorSecretQr
    """The URI as a QR code."""


class TwoFactorStatus(TypedDict):
    """Two-factor sign-in of the account."""

    enabled: bool
    """Whether sign-in asks for a code."""
    enabled_at: Optional[str]
    """Time at which it was enabled."""
    recovery_codes_left: int
    """Number of unused recovery codes."""


class UdfConfigExchange(TypedDict):
    """`UdfConfigExchange` of the service."""

    value: str
    """Value of `exchange`."""
    name: str
    desc: str
    """Description."""


class UdfConfigSymbolsType(TypedDict):
    """`UdfConfigSymbolsType` of the service."""

    name: str
    value: str
    """Value of `type`."""


class UdfConfig(TypedDict):
    """What the data feed supports."""

    supports_search: bool
    """`/search` and `/symbols` can be used."""
    supports_group_request: bool
    """`/symbol_info` can be used."""
    supports_marks: bool
    """`/marks` can be used."""
    supports_timescale_marks: bool
    """`/timescale_marks` can be used."""
    supports_time: bool
    """`/time` can be used."""
    supported_resolutions: List[str]
    """Lengths of bars that can be requested."""
    exchanges: List[UdfConfigExchange]
    """Exchanges to choose from."""
    symbols_types: List[UdfConfigSymbolsType]
    """Types of instruments to choose from."""


class UdfHistoryValue(TypedDict):
    """`UdfHistoryValue` of the service."""

    s: Literal["ok"]
    """There are bars."""
    t: List[float]
    """Start of each bar, ascending."""
    o: List[float]
    """Open."""
    h: List[float]
    """High."""
    l: List[float]
    """Low."""
    c: List[float]
    """Close."""
    v: List[float]
    """Volume."""


class _UdfHistory1Required(TypedDict):
    """Fields that every `UdfHistory1` has."""

    s: Literal["no_data"]
    """There are no bars."""


class UdfHistory1(_UdfHistory1Required, total=False):
    """`UdfHistory1` of the service."""

    nextTime: int
    """Start of the last bar before the range; absent if there is none, which is where the history begins."""


class UdfMarks(TypedDict):
    """Signals and headlines of an instrument, as columns."""

    id: List[str]
    """Ids."""
    time: List[float]
    """Start of the bar that the mark belongs to."""
    color: List[str]
    """`green`: buy, or good news. `red`: sell, or bad news. `blue`: neutral news."""
    text: List[str]
    """What happened, as HTML text without tags."""
    label: List[str]
    """`B`: buy, `S`: sell, `N`: news."""
    labelFontColor: List[str]
    """Colour of the label."""
    minSize: List[float]
    """Smallest diameter in pixels."""


class UdfQuotesDItemV(TypedDict, total=False):
    """Values; those that are not known are absent."""

    ch: float
    """Change since the close of the day before."""
    chp: float
    """The same in percent."""
    short_name: str
    """Symbol."""
    exchange: str
    """Exchange."""
    description: str
    lp: float
    """Last price."""
    ask: float
    bid: float
    spread: float
    """Ask − bid."""
    open_price: float
    """Open of the UTC day."""
    high_price: float
    """High of the UTC day."""
    low_price: float
    """Low of the UTC day."""
    prev_close_price: float
    """Close of the day before."""
    volume: float
    """Volume of the UTC day."""


class UdfQuotesDItem(TypedDict):
    """`UdfQuotesDItem` of the service."""

    s: Literal["ok", "error"]
    """`error`: no such instrument, or no price yet."""
    n: str
    """Symbol, with the exchange if it was requested with one."""
    v: UdfQuotesDItemV
    """Values; those that are not known are absent."""


class UdfQuotes(TypedDict):
    """Quotes, as charts need them."""

    s: Literal["ok"]
    """Status."""
    d: List[UdfQuotesDItem]
    """One entry for each requested symbol."""


class UdfSearchResultItem(TypedDict):
    """`UdfSearchResultItem` of the service."""

    symbol: str
    """Symbol."""
    full_name: str
    """Exchange and symbol."""
    description: str
    exchange: str
    """Exchange."""
    ticker: str
    """Symbol, for further requests."""
    type: Literal["forex", "commodity", "crypto", "index", "stock"]
    """Class of the instrument."""


class _UdfSymbolRequired(TypedDict):
    """Fields that every `UdfSymbol` has."""

    name: str
    """Symbol."""
    ticker: str
    """Symbol, for further requests."""
    description: str
    type: Literal["forex", "commodity", "crypto", "index", "stock"]
    """Class of the instrument."""
    exchange: str
    """`TICKWIRE`, or `TICKWIRE-SIM` for simulated markets."""
    listed_exchange: str
    """The same."""
    timezone: str
    """`Etc/UTC`: bars are aligned to UTC."""
    session: str
    """`24x7`, so that charts show every bar."""
    minmov: int
    """Price steps are `minmov` / `pricescale`."""
    pricescale: int
    """10 to the number of digits of a price."""
    has_intraday: bool
    """Has bars of minutes."""
    has_daily: bool
    """Has bars of days."""
    has_weekly_and_monthly: bool
    """Has bars of weeks and months."""
    intraday_multipliers: List[str]
    """Minutes of the bars that the service makes."""
    supported_resolutions: List[str]
    """Lengths of bars that can be requested."""
    visible_plots_set: str
    """`ohlcv`: bars have a volume."""
    volume_precision: int
    """Decimals of volumes."""
    data_status: str
    """`streaming`."""
    format: str
    """`price`."""


class UdfSymbol(_UdfSymbolRequired, total=False):
    """An instrument, as charts need it."""

    currency_code: str
    """Currency of prices, if it is known."""


class _UnsubscribeMessageRequired(TypedDict):
    """Fields that every `UnsubscribeMessage` has."""

    action: Literal["unsubscribe"]
    """Type of the request."""


class UnsubscribeMessage(_UnsubscribeMessageRequired, total=False):
    """Unsubscribes from symbols."""

    channel: Literal["bars", "footprint"]
    """`bars` on /ws/market: bars instead of ticks. `footprint` on /ws/orderflow: volume at price instead of order
    flow. Both require `timeframe`.
    """
    timeframe: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Length of the bars. All timeframes by default."""
    symbols: List[str]
    """Instrument codes. All symbols by default."""
    api_key: str
    """API key; required until the connection is authenticated."""
    id: Union[str, float]
    """Id of the request, echoed in the response."""


class UsageRequests(TypedDict):
    """REST requests."""

    limit: int
    """Requests allowed in the window."""
    window_seconds: int
    """Length of the rolling window in seconds."""
    remaining: int
    """Requests remaining now."""
    reset_seconds: int
    """Seconds until the oldest counted request expires."""


class UsageStreams(TypedDict):
    """WebSocket streams."""

    limit: int
    """Open streams allowed."""
    open: int
    """Streams open now."""


class UsageAiCalls(TypedDict):
    """`UsageAiCalls` of the service."""

    limit: int
    """Limit per UTC day."""
    used: int
    """Used today."""
    remaining: int
    """Remaining today."""
    resets_at: str


class _UsageRequired(TypedDict):
    """Fields that every `Usage` has."""

    account: str
    """Name of the account."""
    key: str
    """Public id of the key, or id of the session."""
    scopes: List[str]
    tier: str
    requests: UsageRequests
    """REST requests."""
    streams: UsageStreams
    """WebSocket streams."""
    ai_calls: UsageAiCalls


class UsageSignals(TypedDict):
    """With `detail=true`: published signals."""

    limit: Optional[int]
    """Limit; `null` if there is none."""
    used: int
    """Used today."""
    remaining: Optional[int]
    """Remaining today; `null` if there is no limit."""
    resets_at: str
    active_per_symbol: int
    """Active signals per instrument."""


class Usage(_UsageRequired, total=False):
    """Current usage of the limits."""

    signals: UsageSignals
    """With `detail=true`: published signals."""
    limits_of: Literal["keys", "sessions"]
    """With `detail=true`: whether these are the limits of all keys or of all sessions."""


class UsageHistoryPoint(TypedDict):
    """`UsageHistoryPoint` of the service."""

    time: str
    requests: int
    errors: int
    ai_calls: int
    stream_seconds: int


class UsageHistoryKey(TypedDict):
    """`UsageHistoryKey` of the service."""

    key: Optional[str]
    """Public id of the key; `null` for all sessions together."""
    name: Optional[str]
    """Name of the key; `null` for sessions."""
    requests: int
    errors: int
    ai_calls: int
    stream_seconds: int


class _UsageHistoryRequired(TypedDict):
    """Fields that every `UsageHistory` has."""

    period: Literal["hour", "day", "month"]
    """Period covered."""
    step_seconds: int
    """Time between two points in seconds."""
    limits: Tier
    """Limits, shared by all keys of the account."""
    points: List[UsageHistoryPoint]
    """Usage by interval, oldest first, the last in progress."""
    keys: List[UsageHistoryKey]
    """Usage of the whole period by key, for keys that were used."""


class UsageHistorySessionsLimits(TypedDict):
    """Limits that all sessions of the account share."""

    requests_per_minute: int
    """Requests allowed in 60 seconds."""
    streams: int
    """Open streams allowed."""


class UsageHistorySessionsPoint(TypedDict):
    """`UsageHistorySessionsPoint` of the service."""

    time: str
    requests: int
    errors: int
    ai_calls: int
    stream_seconds: int


class UsageHistorySessions(TypedDict):
    """With `detail=true`: usage by sessions."""

    limits: UsageHistorySessionsLimits
    """Limits that all sessions of the account share."""
    points: List[UsageHistorySessionsPoint]
    """The part of `points` from sessions."""


class UsageHistory(_UsageHistoryRequired, total=False):
    """Usage over time."""

    sessions: UsageHistorySessions
    """With `detail=true`: usage by sessions."""


class VenueInstrument(TypedDict):
    """A listed instrument."""

    venue: str
    """Venue."""
    symbol: str
    name: str
    type: str
    """Class."""
    last_price: Optional[float]
    """Last price, if listed."""
    added: bool
    """Whether the service has it."""


class VenueInstrumentList(TypedDict):
    """What venues list."""

    items: List[VenueInstrument]
    count: int
    unavailable: List[str]
    """Venues not reached."""


class VoidRequest(TypedDict):
    """The reason for which a signal is voided."""

    reason: str
    """Public reason, plain text."""


class VoidedRecord(SignalRecordFields):
    """An operator voided a signal."""

    type: Literal["voided"]
    reason: str
    """Why the operator voided the signal."""


class VolumeCondition(TypedDict):
    """State: the volume of the forming bar is above a threshold."""

    type: Literal["volume"]
    interval: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    above: float
    """Threshold of the traded volume."""


class _WebhookAddressRequired(TypedDict):
    """Fields that every `WebhookAddress` has."""

    channel: Literal["webhook"]
    url: str
    """Address of the receiver."""


class WebhookAddress(_WebhookAddressRequired, total=False):
    """A webhook that is signed by the rules of Standard Webhooks."""

    name: str


class _WebhookMessageDataRequired(TypedDict):
    """Fields that every `WebhookMessageData` has."""

    alert_id: str
    symbol: Optional[str]
    condition: AlertCondition
    price: Optional[float]
    """Price or value that fired it."""
    seq: Optional[int]
    title: str
    note: Optional[str]
    late: bool
    """Noticed more than 5 seconds after the event."""
    firing_id: str
    """Id of the firing."""


class WebhookMessageData(_WebhookMessageDataRequired, total=False):
    """What happened."""

    signal: Any
    """The signal as on `/ws/signals`, if one is the cause."""
    news: Any
    """The item as on `/ws/news`, if one is the cause."""


class WebhookMessage(TypedDict):
    """The body of a webhook, signed by the rules of Standard Webhooks."""

    type: str
    """`alert.fired`, `signal.published`, `signal.filled`, `signal.closed`, `news.published` or `test`."""
    timestamp: str
    """Time of the event, or start of the bar or interval."""
    data: WebhookMessageData
    """What happened."""


class WindowRecords(TypedDict):
    """Results near high-impact calendar events, and without them."""

    minutes: int
    """Minutes before and after an event."""
    inside: SignalFigures
    """Signals whose entry or exit was inside a window."""
    outside: SignalFigures
    """All other signals."""


AlertCondition = Union[PriceCondition, MoveCondition, BarCloseCondition, TrendLineCondition, IndicatorCondition, VolumeCondition, DeltaCondition, AbsorptionCondition, SpreadCondition, HeadlineCondition, SignalCondition, CalendarCondition, StaleCondition, MarketCondition, CombinedCondition]
"""When an alert fires."""


CalendarSourceReport = NewsSourceReport
"""Status of one calendar source."""


DeliverTo = Union[ExistingDestination, InAppAddress, WebhookAddress, DiscordAddress, SlackAddress, EmailAddress]
"""Where to deliver: an existing destination, or an address."""


DestinationRequest = Union[WebhookAddress, DiscordAddress, SlackAddress, EmailAddress, TelegramAddress, PushAddress]
"""A destination to create."""


EquityCsv = str
"""Points of the equity curve, one per line, after a header line."""


EventStream = str
"""Server-sent events. `data` is a message as on `/ws`; notices have the event type `notice`."""


Evidence = Union[QuoteEvidence, TradeEvidence, BarEvidence]
"""The market event that decided a fill or a closing."""


EvidenceLine = Union[EvidenceQuote, EvidenceTrade, EvidenceBar]
"""A line of the tape: a quote, a trade, or a minute known only as a bar."""


IndicatorAnswer = Union[IndicatorPage, IndicatorSet]
"""Values of one indicator, or of several."""


IngestLine = Union[QuoteLine, TradeLine]
"""A pushed quote or trade."""


Instant = Union[str, int]
"""ISO 8601 time, date or month, or Unix time in s or ms."""


LogRecord = Union[OpenedRecord, PublishedRecord, FilledRecord, ExitedRecord, AmendedRecord, CloseRequestedRecord, ClosedRecord, VoidedRecord, PublisherKeyRecord, TapeSeal, FeedRecord]
"""A record of the signal log."""


Signal = Union[ActiveSignal, ClosedSignal]
"""An active or closed signal."""


SignalDetail = Union[ActiveSignalDetail, ClosedSignalDetail]
"""A signal in detail."""


SignalsCsv = str
"""Signals, one per line, after a header line."""


SimpleCondition = Union[PriceCondition, MoveCondition, BarCloseCondition, TrendLineCondition, IndicatorCondition, VolumeCondition, DeltaCondition, AbsorptionCondition, SpreadCondition, HeadlineCondition, SignalCondition, CalendarCondition, StaleCondition, MarketCondition]
"""One condition of an alert."""


UdfHistory = Union[UdfHistoryValue, UdfHistory1]
"""Bars as columns; the newest one may still be forming."""


UdfSearchResult = List[UdfSearchResultItem]
"""Instruments that match, the best first."""


UdfTime = int
"""Unix time in seconds."""


AlertState = Literal[
    "active",
    "paused",
    "done",
    "expired",
]


AuditAction = Literal[
    "signed in",
    "sign-in failed",
    "code requested",
    "signed out",
    "signed out everywhere",
    "session revoked",
    "session replaced",
    "signed up",
    "owner created",
    "password changed",
    "password reset",
    "two-factor enabled",
    "two-factor disabled",
    "two-factor reset",
    "recovery code used",
    "account created",
    "account renamed",
    "account disabled",
    "account enabled",
    "account deleted",
    "tier set",
    "key created",
    "key rotated",
    "key revoked",
    "key moved",
    "invited",
    "invitation revoked",
    "signing key set",
    "signing key removed",
    "signal voided",
    "chat channel created",
    "chat channel linked",
    "chat channel removed",
    "instrument added",
    "history imported",
    "store imported",
    "store exported",
    "backup made",
    "markets changed",
]


BarField = Literal[
    "trades",
    "vwap",
    "buy_volume",
    "sell_volume",
    "delta",
    "source",
    "unrecorded_minutes",
]


CalendarImpact = Literal[
    "low",
    "medium",
    "high",
]


DeliveryState = Literal[
    "waiting",
    "delivered",
    "dead",
]


Direction = Literal[
    "buy",
    "sell",
]


DocumentKind = Literal[
    "layout",
    "drawings",
    "watchlist",
    "settings",
]


FootprintTimeframe = Literal[
    "1m",
    "5m",
    "15m",
    "1h",
]


NewsCategory = Literal[
    "forex",
    "gold",
    "crypto",
    "macro",
]


PublisherSort = Literal[
    "rank",
    "name",
    "e_value",
    "decisions",
    "total_r",
    "average_r",
    "win_rate",
    "profit_factor",
    "max_drawdown_r",
    "drawdown_r",
    "open_r",
    "signals",
    "last_at",
]


TickField = Literal[
    "seq",
    "source",
]


TickKind = Literal[
    "quotes",
    "trades",
]


Timeframe = Literal[
    "1m",
    "5m",
    "15m",
    "1h",
    "4h",
    "1d",
]


ErrorCode = Literal[
    "invalid_parameter",
    "repeated_parameter",
    "unknown_parameter",
    "malformed_path",
    "malformed_body",
    "not_found",
    "method_not_allowed",
    "idempotency_conflict",
    "payload_too_large",
    "uri_too_long",
    "unsupported_encoding",
    "internal",
    "no_active_ingest",
    "store_unavailable",
    "shutting_down",
    "missing_key",
    "invalid_key",
    "missing_scope",
    "rate_limited",
    "too_many_failures",
    "too_many_requests",
    "session_required",
    "invalid_session",
    "wrong_credentials",
    "wrong_password",
    "confirmation_required",
    "two_factor_required",
    "wrong_code",
    "two_factor_enabled",
    "two_factor_disabled",
    "account_disabled",
    "foreign_origin",
    "registration_closed",
    "invalid_token",
    "account_not_found",
    "key_not_found",
    "link_not_found",
    "session_not_found",
    "invitation_not_found",
    "name_taken",
    "owner_account",
    "markets_fixed",
    "document_not_found",
    "document_conflict",
    "too_many_documents",
    "key_revoked",
    "too_many_keys",
    "key_creations_exhausted",
    "too_many_attempts",
    "symbol_not_found",
    "venue_not_found",
    "venue_unavailable",
    "instrument_exists",
    "too_many_instruments",
    "no_quote",
    "no_trades",
    "not_perpetual",
    "no_conversion",
    "export_rows_exhausted",
    "precondition_failed",
    "range_not_satisfiable",
    "ingest_disabled",
    "signal_not_found",
    "publisher_not_found",
    "no_evidence",
    "too_many_downloads",
    "not_your_signal",
    "signal_closed",
    "close_requested",
    "signal_voided",
    "too_many_signals",
    "too_many_signals_of_symbol",
    "signals_exhausted",
    "market_closed",
    "stale_quote",
    "price_unconfirmed",
    "unclear_signal",
    "finer_than_digits",
    "levels_out_of_order",
    "invalid_targets",
    "stop_not_tighter",
    "too_many_amendments",
    "signature_required",
    "invalid_signature",
    "stale_signature",
    "entry_too_far",
    "distance_out_of_range",
    "level_reached",
    "expiry_out_of_range",
    "news_not_found",
    "ai_calls_exhausted",
    "model_not_found",
    "model_unavailable",
    "alert_not_found",
    "subscription_not_found",
    "destination_not_found",
    "delivery_not_found",
    "invalid_condition",
    "too_many_alerts",
    "too_many_destinations",
    "channel_not_configured",
    "private_address",
    "destination_unverified",
    "wrong_destination_code",
    "not_replayable",
    "chat_channel_not_found",
    "too_many_chat_channels",
    "too_many_connections",
    "upgrade_required",
    "service_full",
    "malformed_json",
    "invalid_message",
    "unknown_action",
    "unknown_channel",
    "bad_messages",
    "too_slow",
    "message_too_large",
    "stream_limit",
    "too_many_messages",
    "subscription_limit",
    "replay_not_found",
    "not_in_replay",
    "saved_record_not_found",
    "too_many_saved_records",
    "too_many_replays",
]
