"""Types of the bodies and messages of the service. At run time they are plain dictionaries.

Generated from the OpenAPI and AsyncAPI documents by `python3 python/tools/generate.py`. Do not edit.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Union

from typing import TypedDict

class AbsorptionCondition(TypedDict):
    """Absorption begins: a passive side holds the price against aggression."""

    type: Literal["absorption"]
    """Kind of the condition."""
    side: Literal["buy", "sell", "either"]
    """Passive side that holds the price."""


class Account(TypedDict):
    """The account of the caller."""

    id: str
    """Permanent id of the account, used in the signal log and by the operator."""
    name: str
    """Display name."""
    tier: str
    """Name of the tier."""
    tier_limits: Tier
    """Limits of the tier, shared by all keys of the account."""
    owner: bool
    """Whether this is the owner of the service."""
    created_at: str
    """Time of creation (ISO 8601, UTC)."""
    scopes: List[Literal["read", "publish", "ingest", "admin", "hook"]]
    """Scopes of the key or session that made this request."""
    key_scopes: List[Literal["read", "publish", "ingest", "admin", "hook"]]
    """Scopes that keys of the account can have."""
    session: Optional[str]
    """Id of the session that made this request; `null` for a key."""


class AccountDeleted(TypedDict):
    """Result of deleting the account."""

    sessions_ended: int
    """Number of sessions that ended."""
    keys_revoked: int
    """Number of keys that were revoked."""


class AccountDeletion(TypedDict):
    """Confirms the deletion of the account."""

    password: str
    """Current password."""


class AccountDocument(TypedDict):
    """A document of an account."""

    kind: Literal["layout", "drawings", "watchlist", "settings"]
    """Kind of the document."""
    name: str
    """Name of the document, unique within its kind."""
    revision: int
    """Number of the version: 1 when it is created, and one more with each change."""
    updated: str
    """Time of the last change (ISO 8601, UTC)."""
    value: Dict[str, Any]
    """What was stored."""


class AccountReport(TypedDict):
    """An account with its activity."""

    id: str
    """Permanent id of the account."""
    name: str
    """Display name."""
    tier: str
    """Name of the tier."""
    owner: bool
    """Whether this is the owner of the service."""
    state: Literal["active", "disabled"]
    """State of the account."""
    signs_in: bool
    """Whether the account has a password. Accounts created with a key on the command line have none."""
    created_at: str
    """Time of creation (ISO 8601, UTC)."""
    last_seen_at: Optional[str]
    """Last use of a key or session, to the minute (ISO 8601, UTC); `null` if never used."""
    keys: int
    """Valid API keys."""
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
    """Accounts."""
    count: int
    """Number of items in this response."""
    tiers: Dict[str, Tier]
    """Tiers of the service by name."""


class ActiveSignal(TypedDict):
    """A signal that is pending or filled, and not closed yet."""

    id: str
    """Id of the signal."""
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
    """State of the signal."""
    timestamp: str
    """Publication time (ISO 8601, UTC)."""


class _ActiveSignalDetailRequired(TypedDict):
    """Fields that every `ActiveSignalDetail` has."""

    id: str
    """Id of the signal."""
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
    """State of the signal."""
    timestamp: str
    """Publication time (ISO 8601, UTC)."""
    publisher: str
    """Id of the publisher, which never changes."""
    rules: int
    """Version of the rules by which it is judged."""
    order: Literal["market", "limit", "stop"]
    """Kind of entry order."""
    state: Literal["pending", "open", "closed"]
    """`pending`: the entry waits for its fill. `open`: the entry is filled. `closed`: it has ended."""
    targets: List[SignalTarget]
    """Targets, nearest first. The last one is `take_profit`."""
    breakeven_after: Optional[int]
    """Number of targets after which the stop moves to the entry; `null` if it never does."""
    expires_at: str
    """Deadline in force: of the entry while it is pending, then of the signal (ISO 8601, UTC)."""
    note: Optional[str]
    """Note of the publisher, plain text; `null` if there is none."""
    entry_price: Optional[float]
    """Fill price of the entry; `null` if it is not filled."""
    filled_at: Optional[str]
    """Time of the fill (ISO 8601, UTC); `null` if it is not filled."""
    exits: List[SignalExit]
    """Parts of the position that exited at targets before the last exit."""
    current_stop_loss: float
    """Stop in force, after amendments and `breakeven_after`; the last one if the signal is closed."""
    close_requested_at: Optional[str]
    """Time at which the publisher requested to close it; `null` if that never happened."""
    voided_at: Optional[str]
    """Time at which an operator voided it; `null` if that never happened."""
    voided_reason: Optional[str]
    """The operator's public reason for voiding it; `null` if it was not voided."""
    signed: bool
    """Whether the publication carries a signature of the publisher."""
    published_n: int
    """Number of the publication record in the log."""
    published_hash: str
    """Hash of the publication record."""
    closed_n: Optional[int]
    """Number of the closing record; `null` while the signal is active, and if it was voided before."""
    closed_hash: Optional[str]
    """Hash of the closing record; `null` if there is none."""


class ActiveSignalDetail(_ActiveSignalDetailRequired, total=False):
    """An active signal in detail."""

    windows: Optional[SignalWindows]
    """Only with `windows=true`: calendar events at the entry and exit; `null` while the signal is active, and if it
    was never filled.
    """


class AiBrief(TypedDict):
    """A short brief on one instrument."""

    symbol: str
    """Instrument code in upper case."""
    text: str
    """The brief, plain text."""
    model: str
    """Id of the model that wrote it; `rules` if no language model did."""
    generated_at: str
    """Time at which it was written (ISO 8601, UTC)."""
    citations: List[BriefCitation]
    """Sources of all figures, in the order of the text."""


class AiModel(TypedDict):
    """A model."""

    id: str
    """Id of the model."""
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
    """Models."""
    count: int
    """Number of items in this response."""


class AiSentiment(TypedDict):
    """Sentiment of a text."""

    sentiment: Literal["bullish", "neutral", "bearish"]
    """Sentiment label."""
    sentiment_score: float
    """Sentiment from −1 (bad news) to 1 (good news)."""
    model: str
    """Id of the model that scored the text."""


class _AiSentimentRequestRequired(TypedDict):
    """Fields that every `AiSentimentRequest` has."""

    text: str
    """Text to score, such as a headline."""


class AiSentimentRequest(_AiSentimentRequestRequired, total=False):
    """A text to score."""

    symbol: str
    """Instrument code (case-insensitive): score the text from the point of view of this instrument."""
    model: str
    """Id of a model. If omitted, the default model is used."""


class Alert(TypedDict):
    """An alert."""

    id: str
    """Id of the alert."""
    symbol: Optional[str]
    """Instrument; `null` if the condition needs none."""
    condition: AlertCondition
    repeat: Literal["once", "once_per_bar", "every_time"]
    """How often it fires."""
    interval: Optional[Literal["1m", "5m", "15m", "1h", "4h", "1d"]]
    """Bar of `once_per_bar`; `null` for other alerts."""
    cooldown_seconds: int
    """Seconds after a firing in which it does not fire again."""
    expires_at: Optional[str]
    """When it ends (ISO 8601, UTC); `null` if never."""
    deliver: List[DeliverEntry]
    """Where its firings are delivered."""
    note: Optional[str]
    """Note that is delivered with the message."""
    state: Literal["active", "paused", "done", "expired"]
    """`done`: it fired once. `expired`: its time is over."""
    not_checked: Optional[Literal["instrument_not_configured"]]
    """Why an active alert is not checked. `instrument_not_configured`: the service does not have the instrument any
    more; the alert is checked again when it is back. `null` if it is checked, or not active.
    """
    created_at: str
    """Time of creation (ISO 8601, UTC)."""
    fired: int
    """Number of firings."""
    last_fired_at: Optional[str]
    """Market time of the last firing (ISO 8601, UTC); `null` if it has not fired."""


class AlertChange(TypedDict, total=False):
    """Fields of an alert to change; the others stay."""

    condition: AlertCondition
    """New condition. The alert starts anew: a level beyond the price does not fire until crossed."""
    repeat: Literal["once", "once_per_bar", "every_time"]
    """`once`: fires once and is done. `once_per_bar`: at most once per bar of `interval`. `every_time`: each time,
    with `cooldown_seconds` between two firings.
    """
    interval: Optional[Literal["1m", "5m", "15m", "1h", "4h", "1d"]]
    """Bar of `once_per_bar`."""
    cooldown_seconds: int
    """Seconds after a firing in which the alert does not fire again."""
    expires_at: Optional[str]
    """When the alert ends (ISO 8601); `null` if never."""
    deliver: List[DeliverTo]
    """Where firings are delivered, besides the list of firings and `/ws/alerts`."""
    note: Optional[str]
    """Note that is delivered with the message."""


class _AlertFiredRequired(TypedDict):
    """Fields that every `AlertFired` has."""

    id: str
    """Id of the firing; the same for every delivery and on `/ws/alerts`."""
    alert_id: str
    """Id of the alert, or of the subscription."""
    symbol: Optional[str]
    """Instrument; `null` if the cause has none."""
    condition: AlertCondition
    title: str
    """What happened, in one line."""
    note: Optional[str]
    """Note of the alert."""
    time: str
    """Time of the event that fired it (ISO 8601, UTC)."""
    fired_at: str
    """When the service noticed (ISO 8601, UTC)."""
    late: bool
    """It was noticed more than 5 seconds after the event."""
    price: Optional[float]
    """Price or value that fired it; `null` if there is none."""
    event_seq: Optional[int]
    """Position of the event in the journal; `null` if it is not known."""


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
    """Id of the firing; the same for every delivery and on `/ws/alerts`."""
    alert_id: str
    """Id of the alert, or of the subscription."""
    symbol: Optional[str]
    """Instrument; `null` if the cause has none."""
    condition: AlertCondition
    title: str
    """What happened, in one line."""
    note: Optional[str]
    """Note of the alert."""
    time: str
    """Time of the event that fired it (ISO 8601, UTC)."""
    fired_at: str
    """When the service noticed (ISO 8601, UTC)."""
    late: bool
    """It was noticed more than 5 seconds after the event."""
    price: Optional[float]
    """Price or value that fired it; `null` if there is none."""
    seq: Optional[int]
    """Position of the event in the journal; `null` if it is not known."""


class AlertList(TypedDict):
    """Alerts of the account."""

    items: List[Alert]
    """Alerts, newest first."""
    count: int
    """Number of items in this response."""


class _AlertRequestRequired(TypedDict):
    """Fields that every `AlertRequest` has."""

    condition: AlertCondition


class AlertRequest(_AlertRequestRequired, total=False):
    """An alert to create."""

    symbol: str
    """Instrument code (case-insensitive)."""
    repeat: Literal["once", "once_per_bar", "every_time"]
    """`once`: fires once and is done. `once_per_bar`: at most once per bar of `interval`. `every_time`: each time,
    with `cooldown_seconds` between two firings.
    """
    interval: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Bar of `once_per_bar`; by default that of the condition, or one minute."""
    cooldown_seconds: int
    """Seconds after a firing in which the alert does not fire again."""
    expires_at: Optional[str]
    """When the alert ends (ISO 8601); `null` if never."""
    deliver: List[DeliverTo]
    """Where firings are delivered, besides the list of firings and `/ws/alerts`."""
    note: str
    """Note that is delivered with the message."""


class AlertTest(TypedDict):
    """Test messages that were written."""

    deliveries: List[str]
    """Ids of the test messages, one for each destination; the delivery log has their state."""


class _AmendRequestRequired(TypedDict):
    """Fields that every `AmendRequest` has."""

    stop_loss: float
    """The new stop: tighter than the stop in force, so higher for a buy and lower for a sell."""


class AmendRequest(_AmendRequestRequired, total=False):
    """A tighter stop for a signal."""

    signed: RequestSignature
    """Signature of the request; required if the account has a signing key."""


class _AmendedRecordRequired(TypedDict):
    """Fields that every `AmendedRecord` has."""

    n: int
    """Number of the record, starting at 0."""
    prev: str
    """Hash of the previous record; 64 zeros in the first one."""
    rules: int
    """Version of the rules."""
    at: str
    """Time at which the record was written (ISO 8601, UTC)."""
    type: Literal["amended"]
    """Kind of the record: `amended`."""
    signal: str
    """Id of the signal."""
    publisher: str
    """Id of the publisher."""
    symbol: str
    """Instrument code in upper case."""
    stop_loss: float
    """The tighter stop."""
    quote: QuoteEvidence
    """Newest quote at the time: later ones are judged by the tighter stop."""


class AmendedRecord(_AmendedRecordRequired, total=False):
    """A tighter stop of a signal."""

    signed: RecordSignature
    """Present if the publisher has a signing key."""


class AuditItem(TypedDict):
    """An entry of the audit log."""

    id: int
    """Number of the entry; rises with time."""
    timestamp: str
    """Time of the entry (ISO 8601, UTC)."""
    action: str
    """The action. The parameter `action` lists the possible ones."""
    actor: str
    """Who did it: an account id, a key id, `command line`, `first start`, or `anonymous` before sign-in."""
    account: Optional[str]
    """Id of the account that the entry is about; `null` if it is about none."""
    subject: str
    """What it was done to, such as an account name or a key id."""
    address: Optional[str]
    """IP address of the client; `null` if it was not a request."""


class AuditList(TypedDict):
    """A page of the audit log."""

    items: List[AuditItem]
    """Entries, newest first."""
    count: int
    """Number of items in this response."""
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
    """Kind of the condition."""
    interval: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Length of the bars."""
    close: Literal["above", "below"]
    """Side of the level on which the bar closes."""
    level: float
    """The level."""


class BarEvidence(TypedDict):
    """A minute for which only a bar was available."""

    kind: Literal["bar"]
    """Kind of the evidence."""
    seq: int
    """Sequence number of the event."""
    time: str
    """Time of the event (ISO 8601, UTC)."""
    source: str
    """Feed that delivered the event, or `push:` and the publisher id of the account that pushed it."""
    open: float
    """First bid of the minute."""
    high: float
    """Highest bid of the minute."""
    low: float
    """Lowest bid of the minute."""
    close: float
    """Last bid of the minute."""
    spread: float
    """Spread of the last quote before it: the ask is the bid plus this value."""


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
    """First price of the interval."""
    high: float
    """Highest price of the interval."""
    low: float
    """Lowest price of the interval."""
    close: float
    """Last price of the interval."""
    volume: float
    """Volume traded; without trades, the sum of quote sizes, or the number of ticks."""
    closed: bool
    """`false` while the bar is forming. A closed bar may be sent again, corrected."""


class _BarMessageIndicatorsValueRequired(TypedDict):
    """Fields that every `BarMessageIndicatorsValue` has."""

    settled: bool
    """Whether a longer history would give the same value (up to a ten-billionth): there were enough bars before."""


class BarMessageIndicatorsValue(_BarMessageIndicatorsValueRequired, total=False):
    """Values of an indicator at the bar of the message."""

    value: Optional[float]
    """Value of an indicator with one line; `null` while there are too few bars."""
    values: Dict[str, Optional[float]]
    """Values of an indicator with several lines, by the name of the line."""


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
    """Instrument code in upper case."""
    interval: str
    """Length of a bar."""
    align: str
    """When a day starts."""
    items: List[ChartBar]
    """Bars in ascending order; the newest one may still be forming."""
    next: Optional[str]
    """Cursor of the next page: older bars, or newer ones if `from` was given. `null` if there are no more. A page
    may have fewer bars than `limit` and still have a next one.
    """


class BarsPages(TypedDict):
    """Bars of several instruments."""

    items: List[BarsPage]
    """One page for each instrument, in the order of `symbols`."""
    count: int
    """Number of items in this response."""


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
    """Kind of the condition."""
    minutes: int
    """Minutes before the event; 0 at the event."""


class CalendarCondition(_CalendarConditionRequired, total=False):
    """An economic event is due. It affects the symbol of the alert, if it has one."""

    impact: Literal["low", "medium", "high"]
    """Least impact of the event."""
    country: str
    """Country of the event."""


class CalendarEvent(TypedDict):
    """An event of the economic calendar."""

    id: str
    """Id of the event, the same for all its revisions."""
    title: str
    """Name of the event, plain text."""
    country: str
    """ISO 3166 code of the country in upper case, or `EU` for the euro area."""
    currency: str
    """Currency that the event concerns."""
    impact: Literal["low", "medium", "high"]
    """How much the event usually moves the market."""
    time: str
    """Time of the event, to the second. For an all-day event: 00:00 of its date (ISO 8601, UTC)."""
    all_day: bool
    """Whether only the date is known. Such an event opens no window."""
    status: Literal["scheduled", "moved", "released", "cancelled"]
    """`scheduled`; `moved`: still ahead, at another time than first stated; `released`: the actual value is known,
    or the source says so; `cancelled`.
    """
    actual: Optional[str]
    """Released value, as its source writes it; `null` if unknown."""
    forecast: Optional[str]
    """Expected value, as its source writes it; `null` if unknown."""
    previous: Optional[str]
    """Value of the period before, as its source writes it; `null` if unknown."""
    unit: Optional[str]
    """Unit of the values, such as `%` or `K`; `null` if unknown or part of the values."""
    source: str
    """Name of the source."""
    url: Optional[str]
    """Address of the release, `http` or `https`; `null` if unknown."""
    symbols: List[str]
    """Affected instruments: those with the currency of the event."""
    moved_from: Optional[str]
    """Time before the last change of time (ISO 8601, UTC); `null` if it never changed."""
    revision: int
    """Number of the revision, starting at 1."""
    updated_at: str
    """Time at which the service learned of this revision (ISO 8601, UTC)."""


class CalendarIngestAnswerRejectedItem(TypedDict):
    """`CalendarIngestAnswerRejectedItem` of the service."""

    line: int
    """Line number, starting at 1."""
    code: Literal["malformed_json", "malformed_line", "bad_time", "time_out_of_range", "unknown_currency", "reserved_source"]
    """Reason for the rejection."""
    detail: str
    """Explanation, for people."""


class CalendarIngestAnswer(TypedDict):
    """Result of pushing calendar events."""

    accepted: int
    """Number of accepted lines."""
    rejected: List[CalendarIngestAnswerRejectedItem]
    """The first 1000 rejected lines."""
    rejected_count: int
    """Number of rejected lines."""


class _CalendarLineRequired(TypedDict):
    """Fields that every `CalendarLine` has."""

    title: str
    """Name of the event. Markup and control characters are removed."""
    country: str
    """ISO 3166 code of the country, or `EU` for the euro area."""
    time: Union[Union[float, str], str]
    """Time of the event: Unix time in milliseconds, or ISO 8601 with an offset. A date makes it an all-day event."""


class CalendarLine(_CalendarLineRequired, total=False):
    """A pushed calendar event, or a revision of one."""

    currency: str
    """Currency that the event concerns. That of the country by default."""
    impact: Literal["low", "medium", "high"]
    """Impact. By default that of the known event, or `medium`."""
    status: Literal["scheduled", "released", "cancelled"]
    """Status. By default `released` if there is an actual value, else `scheduled`."""
    actual: Optional[Union[str, float]]
    """Released value. `null` removes it; without the field, the known value stays."""
    forecast: Optional[Union[str, float]]
    """Expected value. `null` removes it; without the field, the known value stays."""
    previous: Optional[Union[str, float]]
    """Value of the period before. `null` removes it; without the field, the known value stays."""
    unit: Optional[str]
    """Unit of the values."""
    url: str
    """Address of the release."""
    source: str
    """Name of the source. The name of the account by default. The names of configured sources are reserved."""
    id: str
    """Id of the event at its source. A line of the same account and source with the same id is a revision of the
    event. Without an id, country, title and UTC date identify the event.
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

    `count`: Number of items in this response.

    `from`: Start of the range (ISO 8601, UTC).

    `to`: End of the range (ISO 8601, UTC).

    `next`: Cursor of the next page; `null` on the last page.
    """



class CalendarSourceList(TypedDict):
    """Status of all calendar sources."""

    items: List[CalendarSourceReport]
    """Calendar sources."""
    count: int
    """Number of items in this response."""


class _ChannelListRequired(TypedDict):
    """Fields that every `ChannelList` has."""

    action: Literal["list"]
    """Type of the request."""
    channel: Literal["market", "bars", "orderflow", "footprint", "signals", "news", "alerts"]
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
    channel: Literal["market", "bars", "orderflow", "footprint", "signals", "news", "alerts"]
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
    """Length of the bars."""
    indicators: List[str]
    """With `"channel":"bars"`: add the values of these indicators to each bar, such as
    `["rsi(14)","macd(12,26,9)"]`.
    """
    symbols: List[str]
    """Instrument codes; "*" means all. Optional on /ws/signals, /ws/news and /ws/alerts."""
    api_key: str
    """API key; required until the connection is authenticated."""
    id: Union[str, float]
    """Id of the request, echoed in the response."""
    seq: bool
    """Add `seq`, `prev` and `epoch` to every message. Default `false`."""
    ms: bool
    """On /ws/market and /ws/orderflow: add `time_ms`, the time in milliseconds, to every message. Default `false`."""
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
    channel: Literal["market", "bars", "orderflow", "footprint", "signals", "news", "alerts"]
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


class _ChartBarRequired(TypedDict):
    """Fields that every `ChartBar` has."""

    time: str
    """Start of the bar (ISO 8601, UTC)."""
    open: float
    """First price of the interval."""
    high: float
    """Highest price of the interval."""
    low: float
    """Lowest price of the interval."""
    close: float
    """Last price of the interval."""
    volume: float
    """Volume traded; without trades, the sum of quote sizes, or the number of ticks."""


class ChartBar(_ChartBarRequired, total=False):
    """One price bar, with the fields that were requested."""

    trades: Optional[int]
    """Number of trades; `null` if it was not recorded."""
    vwap: Optional[float]
    """Average price of the trades, weighted by their sizes; `null` if not recorded."""
    buy_volume: Optional[float]
    """Volume bought at the ask; `null` on a bar of bids."""
    sell_volume: Optional[float]
    """Volume sold at the bid; `null` on a bar of bids."""
    delta: Optional[float]
    """`buy_volume` − `sell_volume`; `null` on a bar of bids."""
    source: Optional[str]
    """Where the bar comes from; `null` if it was not recorded."""
    unrecorded_minutes: Optional[int]
    """Minutes of the interval in which the market was open, but neither a price nor a connected source was recorded.
    More than 0: the bar is made of a part of its minutes.
    """


class _CloseRequestedRecordRequired(TypedDict):
    """Fields that every `CloseRequestedRecord` has."""

    n: int
    """Number of the record, starting at 0."""
    prev: str
    """Hash of the previous record; 64 zeros in the first one."""
    rules: int
    """Version of the rules."""
    at: str
    """Time at which the record was written (ISO 8601, UTC)."""
    type: Literal["close_requested"]
    """Kind of the record: `close_requested`."""
    signal: str
    """Id of the signal."""
    publisher: str
    """Id of the publisher."""
    symbol: str
    """Instrument code in upper case."""
    quote: QuoteEvidence
    """Newest quote at the time: the next one closes the signal."""


class CloseRequestedRecord(_CloseRequestedRecordRequired, total=False):
    """Request of the publisher to close or withdraw a signal."""

    signed: RecordSignature
    """Present if the publisher has a signing key."""


class CloseSignalRequest(TypedDict, total=False):
    """A request to close a signal."""

    signed: RequestSignature
    """Signature of the request; required if the account has a signing key."""


class _ClosedRecordRequired(TypedDict):
    """Fields that every `ClosedRecord` has."""

    n: int
    """Number of the record, starting at 0."""
    prev: str
    """Hash of the previous record; 64 zeros in the first one."""
    rules: int
    """Version of the rules."""
    at: str
    """Time at which the record was written (ISO 8601, UTC)."""
    type: Literal["closed"]
    """Kind of the record: `closed`."""
    signal: str
    """Id of the signal."""
    publisher: str
    """Id of the publisher."""
    symbol: str
    """Instrument code in upper case."""
    instrument: SignalSpecification
    reason: Literal["take_profit", "stop_loss", "manual", "expired", "unfilled"]
    """Why the signal closed."""
    entry_price: Optional[float]
    """Fill price of the entry; `null` if the entry was not filled."""
    exit_price: Optional[float]
    """Exit price, the weighted mean of several exits; `null` if the entry was not filled."""
    closed_at: str
    """Time of the closing (ISO 8601, UTC)."""
    pnl: float
    """Profit or loss in pips, from the worse of the declared entry and the fill to the exit."""
    pnl_percent: float
    """Profit or loss in percent of the entry."""
    pnl_r: float
    """Profit or loss as a multiple of the published risk, the distance from entry to stop loss."""
    filled: Optional[Evidence]
    """Event that filled the entry; `null` if none did."""
    decided: Evidence
    """Event that closed the signal; if a deadline did, the last one before it."""
    decided_seq: int
    """Sequence number up to which, inclusive, events were considered."""


class ClosedRecordLastExit(TypedDict):
    """`ClosedRecordLastExit` of the service."""

    fraction: float
    """Part of the position."""
    price: float
    """Exit price."""


class ClosedRecord(_ClosedRecordRequired, total=False):
    """Closing of a signal."""

    last_exit: Optional[ClosedRecordLastExit]
    """The last exit; `null` if the entry was not filled. Missing under rules version 1."""
    pnl_best: float
    """Present if only a bar was available to judge the signal: profit or loss in pips in the best case. `pnl` is the
    worst case.
    """
    gap_from: str
    """Start of an interval without prices while the signal was active (ISO 8601, UTC)."""
    gap_to: str
    """End of that interval (ISO 8601, UTC)."""
    self_sourced: Literal[True]
    """Present if ticks pushed by the account of the publisher decided the result. For ranking, losses of such
    signals count and wins do not.
    """
    recovered: Literal["tape", "backfill"]
    """Present if this was determined after an interruption: from the recorded tape, or from prices that the feed
    delivered later.
    """


class _ClosedSignalRequired(TypedDict):
    """Fields that every `ClosedSignal` has."""

    id: str
    """Id of the signal."""
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
    """State of the signal."""
    timestamp: str
    """Publication time (ISO 8601, UTC)."""
    pnl: float
    """Profit or loss in pips, from the worse of the declared entry and the fill to the exit."""
    pnl_percent: float
    """Profit or loss in percent of the entry."""
    pnl_r: float
    """Profit or loss as a multiple of the published risk, the distance from entry to stop loss."""
    entry_price: Optional[float]
    """Fill price of the entry; `null` if the entry was not filled."""
    exit_price: Optional[float]
    """Exit price, the weighted mean of several exits; `null` if the entry was not filled."""
    closed_at: str
    """Time of the closing (ISO 8601, UTC)."""
    close_reason: Literal["take_profit", "stop_loss", "manual", "expired", "unfilled", "voided"]
    """`take_profit` or `stop_loss`: the market reached the level. `manual`: closed by the publisher. `expired`: the
    deadline passed. `unfilled`: the entry was never filled. `voided`: an operator voided the signal, with a
    public reason.
    """


class ClosedSignal(_ClosedSignalRequired, total=False):
    """A closed signal with its verified profit or loss."""

    pnl_best: float
    """Present if only a bar was available to judge the signal: profit or loss in pips in the best case. `pnl` is the
    worst case.
    """
    gap_from: str
    """Start of an interval without prices while the signal was active (ISO 8601, UTC)."""
    gap_to: str
    """End of that interval (ISO 8601, UTC)."""
    self_sourced: Literal[True]
    """Present if ticks pushed by the account of the publisher decided the result. For ranking, losses of such
    signals count and wins do not.
    """
    recovered: Literal["tape", "backfill"]
    """Present if this was determined after an interruption: from the recorded tape, or from prices that the feed
    delivered later.
    """


class _ClosedSignalDetailRequired(TypedDict):
    """Fields that every `ClosedSignalDetail` has."""

    id: str
    """Id of the signal."""
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
    """State of the signal."""
    timestamp: str
    """Publication time (ISO 8601, UTC)."""
    pnl: float
    """Profit or loss in pips, from the worse of the declared entry and the fill to the exit."""
    pnl_percent: float
    """Profit or loss in percent of the entry."""
    pnl_r: float
    """Profit or loss as a multiple of the published risk, the distance from entry to stop loss."""
    entry_price: Optional[float]
    """Fill price of the entry; `null` if it is not filled."""
    exit_price: Optional[float]
    """Exit price, the weighted mean of several exits; `null` if the entry was not filled."""
    closed_at: str
    """Time of the closing (ISO 8601, UTC)."""
    close_reason: Literal["take_profit", "stop_loss", "manual", "expired", "unfilled", "voided"]
    """`take_profit` or `stop_loss`: the market reached the level. `manual`: closed by the publisher. `expired`: the
    deadline passed. `unfilled`: the entry was never filled. `voided`: an operator voided the signal, with a
    public reason.
    """
    publisher: str
    """Id of the publisher, which never changes."""
    rules: int
    """Version of the rules by which it is judged."""
    order: Literal["market", "limit", "stop"]
    """Kind of entry order."""
    state: Literal["pending", "open", "closed"]
    """`pending`: the entry waits for its fill. `open`: the entry is filled. `closed`: it has ended."""
    targets: List[SignalTarget]
    """Targets, nearest first. The last one is `take_profit`."""
    breakeven_after: Optional[int]
    """Number of targets after which the stop moves to the entry; `null` if it never does."""
    expires_at: str
    """Deadline in force: of the entry while it is pending, then of the signal (ISO 8601, UTC)."""
    note: Optional[str]
    """Note of the publisher, plain text; `null` if there is none."""
    filled_at: Optional[str]
    """Time of the fill (ISO 8601, UTC); `null` if it is not filled."""
    exits: List[SignalExit]
    """Parts of the position that exited at targets before the last exit."""
    current_stop_loss: float
    """Stop in force, after amendments and `breakeven_after`; the last one if the signal is closed."""
    close_requested_at: Optional[str]
    """Time at which the publisher requested to close it; `null` if that never happened."""
    voided_at: Optional[str]
    """Time at which an operator voided it; `null` if that never happened."""
    voided_reason: Optional[str]
    """The operator's public reason for voiding it; `null` if it was not voided."""
    signed: bool
    """Whether the publication carries a signature of the publisher."""
    published_n: int
    """Number of the publication record in the log."""
    published_hash: str
    """Hash of the publication record."""
    closed_n: Optional[int]
    """Number of the closing record; `null` while the signal is active, and if it was voided before."""
    closed_hash: Optional[str]
    """Hash of the closing record; `null` if there is none."""


class ClosedSignalDetail(_ClosedSignalDetailRequired, total=False):
    """A closed signal in detail."""

    pnl_best: float
    """Present if only a bar was available to judge the signal: profit or loss in pips in the best case. `pnl` is the
    worst case.
    """
    gap_from: str
    """Start of an interval without prices while the signal was active (ISO 8601, UTC)."""
    gap_to: str
    """End of that interval (ISO 8601, UTC)."""
    self_sourced: Literal[True]
    """Present if ticks pushed by the account of the publisher decided the result. For ranking, losses of such
    signals count and wins do not.
    """
    recovered: Literal["tape", "backfill"]
    """Present if this was determined after an interruption: from the recorded tape, or from prices that the feed
    delivered later.
    """
    windows: Optional[SignalWindows]
    """Only with `windows=true`: calendar events at the entry and exit; `null` while the signal is active, and if it
    was never filled.
    """


class ClosingSignal(TypedDict):
    """An active signal that the next quote of its instrument closes."""

    id: str
    """Id of the signal."""
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
    """State of the signal."""
    timestamp: str
    """Publication time (ISO 8601, UTC)."""
    close_requested_at: str
    """Time at which the publisher requested to close it (ISO 8601, UTC)."""


class CombinedCondition(TypedDict):
    """Conditions that must hold together."""

    type: Literal["all"]
    """Kind of the condition."""
    of: List[SimpleCondition]
    """Conditions that must hold together; at most one of them is a moment, the others are states."""


_CoverageAbsentItemFields = TypedDict('_CoverageAbsentItemFields', {
    'from': 'str',
    'to': 'str',
    'bars': 'int',
    'reason': 'Literal["before_history", "market_closed", "no_trades", "not_recorded", "missing"]',
}, total=True)


class CoverageAbsentItem(_CoverageAbsentItemFields):
    """`CoverageAbsentItem` of the service.

    `from`: Start of the first missing bar (ISO 8601, UTC).

    `to`: End of the last missing bar (ISO 8601, UTC).

    `bars`: Number of missing bars.

    `reason`: `before_history`: before the first bar of the instrument. `market_closed`: outside trading hours.
    `no_trades`: the source was connected and nothing traded. `not_recorded`: longer bars show that the market
    traded, but bars of this timeframe were not recorded; or the instrument has no live venue, and neither a push
    nor an import contained them. `missing`: the market was open and its venue was not connected.
    """



_CoverageFields = TypedDict('_CoverageFields', {
    'symbol': 'str',
    'timeframe': 'Literal["1m", "5m", "15m", "1h", "4h", "1d"]',
    'from': 'str',
    'to': 'str',
    'bars': 'int',
    'absent': 'List[CoverageAbsentItem]',
}, total=True)


class Coverage(_CoverageFields):
    """Missing bars of a time range.

    `symbol`: Instrument code in upper case.

    `timeframe`: Length of a bar.

    `from`: Start of the range (ISO 8601, UTC).

    `to`: End of the range (ISO 8601, UTC).

    `bars`: Number of bars present in the range.

    `absent`: Missing bars in ascending order; adjacent bars with the same reason form one entry.
    """



class CreatedAlert(TypedDict):
    """An alert with the destinations that were created for it."""

    id: str
    """Id of the alert."""
    symbol: Optional[str]
    """Instrument; `null` if the condition needs none."""
    condition: AlertCondition
    repeat: Literal["once", "once_per_bar", "every_time"]
    """How often it fires."""
    interval: Optional[Literal["1m", "5m", "15m", "1h", "4h", "1d"]]
    """Bar of `once_per_bar`; `null` for other alerts."""
    cooldown_seconds: int
    """Seconds after a firing in which it does not fire again."""
    expires_at: Optional[str]
    """When it ends (ISO 8601, UTC); `null` if never."""
    deliver: List[DeliverEntry]
    """Where its firings are delivered."""
    note: Optional[str]
    """Note that is delivered with the message."""
    state: Literal["active", "paused", "done", "expired"]
    """`done`: it fired once. `expired`: its time is over."""
    not_checked: Optional[Literal["instrument_not_configured"]]
    """Why an active alert is not checked. `instrument_not_configured`: the service does not have the instrument any
    more; the alert is checked again when it is back. `null` if it is checked, or not active.
    """
    created_at: str
    """Time of creation (ISO 8601, UTC)."""
    fired: int
    """Number of firings."""
    last_fired_at: Optional[str]
    """Market time of the last firing (ISO 8601, UTC); `null` if it has not fired."""
    created_destinations: List[CreatedDestination]
    """Destinations that were created for `deliver`, with secrets that are shown only now."""


class CreatedDestinationLink(TypedDict):
    """`CreatedDestinationLink` of the service."""

    code: str
    """One-time code, valid for 15 minutes."""
    url: Optional[str]
    """Address that opens the chat with the bot; `null` without a known bot name."""


class CreatedDestination(TypedDict):
    """A new destination."""

    id: str
    """Id of the destination."""
    channel: Literal["webhook", "telegram", "discord", "slack", "email", "push"]
    """Channel."""
    name: Optional[str]
    """Your name for it."""
    address: str
    """Address, without its secret parts: host of a webhook, e-mail address, title of a chat."""
    state: Literal["unverified", "active", "paused", "unsubscribed"]
    """`unverified`: waits for its code and gets no messages. `paused`: it failed too often, messages wait.
    `unsubscribed`: the reader of a mail unsubscribed.
    """
    created_at: str
    """Time of creation (ISO 8601, UTC)."""
    last_delivered_at: Optional[str]
    """Time of the last delivery (ISO 8601, UTC); `null` if there was none."""
    waiting: int
    """Messages that wait for delivery."""
    failure: Optional[str]
    """Reason of the last failed attempt since the last delivery; `null` if there is none."""
    secret: Optional[str]
    """Signing secret of a webhook (`whsec_…`), shown only in the answer that created it; `null` otherwise."""
    link: Optional[CreatedDestinationLink]
    """How to link a Telegram chat: send the code to the bot, or open the address; `null` for other channels."""


class CreatedSubscriptionPublisher(TypedDict):
    """`CreatedSubscriptionPublisher` of the service."""

    id: str
    """Id."""
    name: str
    """Name."""


class CreatedSubscription(TypedDict):
    """A subscription with the destinations that were created for it."""

    id: str
    """Id of the subscription."""
    publisher: Optional[CreatedSubscriptionPublisher]
    """Publisher that it follows; `null` if none."""
    symbol: Optional[str]
    """Instrument that it follows; `null` if none."""
    category: Optional[Literal["forex", "gold", "crypto", "macro"]]
    """News category that it follows; `null` if none."""
    events: List[Literal["published", "filled", "closed"]]
    """What it tells of signals."""
    mirror: bool
    """Whether it is a mirror for a community."""
    delay_seconds: int
    """Delay of its messages, by the tier of the account."""
    deliver: List[DeliverEntry]
    """Where its messages are delivered."""
    created_at: str
    """Time of creation (ISO 8601, UTC)."""
    created_destinations: List[CreatedDestination]
    """Destinations that were created for `deliver`, with secrets that are shown only now."""


class DataLink(TypedDict):
    """A data link without its secret."""

    id: str
    """Public id of the link, the part that is not secret."""
    name: str
    """Name of the link."""
    path: str
    """Path and query that the link reads."""
    state: Literal["good", "expired", "revoked"]
    """`good`: the link can be used."""
    created_at: str
    """Time of creation (ISO 8601, UTC)."""
    expires_at: str
    """Time of expiry (ISO 8601, UTC)."""
    revoked_at: Optional[str]
    """Time of revocation (ISO 8601, UTC); `null` if it is not revoked."""
    last_used_at: Optional[str]
    """Time of the last use, to the minute (ISO 8601, UTC); `null` if never used."""


class DataLinkList(TypedDict):
    """All data links of the account."""

    items: List[DataLink]
    """Data links of the account."""
    count: int
    """Number of items in this response."""


class _DataLinkRequestRequired(TypedDict):
    """Fields that every `DataLinkRequest` has."""

    name: str
    """Name of the link."""
    path: str
    """Path and query to read: an endpoint of market data, signals, publishers, news or the calendar that needs the
    scope `read`, such as `/api/bars/EURUSD?interval=1d&format=csv`; or `/udf` for all TradingView endpoints.
    """


class DataLinkRequest(_DataLinkRequestRequired, total=False):
    """A data link to create."""

    expires_days: int
    """Days until the link expires."""


class DeliverEntry(TypedDict):
    """Where an alert is delivered."""

    channel: Literal["webhook", "telegram", "discord", "slack", "email", "push", "in_app"]
    """Channel."""
    destination: Optional[str]
    """Id of the destination; `null` for `in_app`."""
    address: str
    """Address, without its secret parts."""


class Delivery(TypedDict):
    """A message to a destination."""

    id: str
    """Id of the message: the same in every attempt, and `webhook-id` of a webhook."""
    destination: str
    """Id of the destination."""
    channel: Literal["webhook", "telegram", "discord", "slack", "email", "push"]
    """Channel."""
    type: str
    """Type of the message, such as `alert.fired` or `signal.closed`."""
    alert_id: Optional[str]
    """Alert that caused it; `null` for other messages."""
    title: str
    """First line of the message."""
    state: Literal["waiting", "delivered", "dead"]
    """`dead`: given up, can be replayed."""
    attempts: int
    """Number of attempts."""
    created_at: str
    """When the message was written (ISO 8601, UTC)."""
    next_attempt_at: Optional[str]
    """Earliest time of the next attempt (ISO 8601, UTC); `null` unless it waits."""
    delivered_at: Optional[str]
    """When the destination accepted it (ISO 8601, UTC); `null` if it has not."""
    latency_ms: Optional[int]
    """Milliseconds from `created_at` to `delivered_at`; `null` if it is not delivered."""
    reason: Optional[str]
    """Why the last attempt failed; `null` if none failed."""


class DeliveryList(TypedDict):
    """A page of the delivery log."""

    items: List[Delivery]
    """Messages, newest first."""
    count: int
    """Number of items in this response."""


class _DeltaConditionRequired(TypedDict):
    """Fields that every `DeltaCondition` has."""

    type: Literal["delta"]
    """Kind of the condition."""
    interval: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Length of the bars."""


class DeltaCondition(_DeltaConditionRequired, total=False):
    """State: the delta of the forming bar is beyond a threshold."""

    above: float
    """Bought minus sold volume of the forming bar is above this."""
    below: float
    """Bought minus sold volume of the forming bar is below this."""


class Destination(TypedDict):
    """A destination."""

    id: str
    """Id of the destination."""
    channel: Literal["webhook", "telegram", "discord", "slack", "email", "push"]
    """Channel."""
    name: Optional[str]
    """Your name for it."""
    address: str
    """Address, without its secret parts: host of a webhook, e-mail address, title of a chat."""
    state: Literal["unverified", "active", "paused", "unsubscribed"]
    """`unverified`: waits for its code and gets no messages. `paused`: it failed too often, messages wait.
    `unsubscribed`: the reader of a mail unsubscribed.
    """
    created_at: str
    """Time of creation (ISO 8601, UTC)."""
    last_delivered_at: Optional[str]
    """Time of the last delivery (ISO 8601, UTC); `null` if there was none."""
    waiting: int
    """Messages that wait for delivery."""
    failure: Optional[str]
    """Reason of the last failed attempt since the last delivery; `null` if there is none."""


class DestinationCode(TypedDict):
    """The code that verifies a destination."""

    code: str
    """Code that the destination received."""


class DestinationList(TypedDict):
    """All destinations of the account."""

    items: List[Destination]
    """Destinations, oldest first."""
    count: int
    """Number of items in this response."""


class _DiscordAddressRequired(TypedDict):
    """Fields that every `DiscordAddress` has."""

    channel: Literal["discord"]
    """Channel."""
    url: str
    """Address of the Discord webhook."""


class DiscordAddress(_DiscordAddressRequired, total=False):
    """A channel of Discord."""

    name: str
    """Name for your own reference."""


class _DocumentChangeRequired(TypedDict):
    """Fields that every `DocumentChange` has."""

    value: Dict[str, Any]
    """What to store: any JSON object, up to 64 KiB as JSON and 64 levels deep."""


class DocumentChange(_DocumentChangeRequired, total=False):
    """Creates or replaces a document."""

    revision: int
    """Revision that the change is based on. 0 or left out: the document must not exist yet."""


class DocumentInfo(TypedDict):
    """A document of an account, without its value."""

    kind: Literal["layout", "drawings", "watchlist", "settings"]
    """Kind of the document."""
    name: str
    """Name of the document, unique within its kind."""
    revision: int
    """Number of the version: 1 when it is created, and one more with each change."""
    updated: str
    """Time of the last change (ISO 8601, UTC)."""


class DocumentList(TypedDict):
    """Documents of the account."""

    items: List[ListedDocument]
    """Documents by kind and name."""


class _EmailAddressRequired(TypedDict):
    """Fields that every `EmailAddress` has."""

    channel: Literal["email"]
    """Channel."""
    address: str
    """E-mail address."""


class EmailAddress(_EmailAddressRequired, total=False):
    """An e-mail address."""

    name: str
    """Name for your own reference."""


class EquityNow(TypedDict):
    """The end of the equity curve with open signals."""

    at: str
    """Time of the valuation (ISO 8601, UTC)."""
    total_r: float
    """Sum of R with open signals."""
    open: int
    """Open signals."""


class EquityPoint(TypedDict):
    """A point of the equity curve."""

    at: str
    """Closing of a ranked signal (ISO 8601, UTC)."""
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
    code: Literal["missing_key", "invalid_key", "missing_scope", "ingest_disabled", "rate_limited", "too_many_failures", "too_many_requests", "too_many_connections", "invalid_parameter", "repeated_parameter", "malformed_path", "malformed_body", "symbol_not_found", "not_found", "signal_not_found", "publisher_not_found", "news_not_found", "no_evidence", "export_rows_exhausted", "alert_not_found", "subscription_not_found", "destination_not_found", "delivery_not_found", "invalid_condition", "too_many_alerts", "too_many_destinations", "channel_not_configured", "private_address", "destination_unverified", "wrong_destination_code", "not_replayable", "precondition_failed", "range_not_satisfiable", "too_many_downloads", "not_your_signal", "signal_closed", "close_requested", "signal_voided", "too_many_signals", "too_many_signals_of_symbol", "signals_exhausted", "market_closed", "stale_quote", "price_unconfirmed", "finer_than_digits", "levels_out_of_order", "invalid_targets", "stop_not_tighter", "too_many_amendments", "signature_required", "invalid_signature", "stale_signature", "entry_too_far", "distance_out_of_range", "level_reached", "expiry_out_of_range", "ai_calls_exhausted", "model_not_found", "model_unavailable", "session_required", "invalid_session", "wrong_credentials", "wrong_password", "two_factor_required", "wrong_code", "two_factor_enabled", "two_factor_disabled", "account_disabled", "foreign_origin", "registration_closed", "invalid_token", "account_not_found", "key_not_found", "link_not_found", "session_not_found", "invitation_not_found", "name_taken", "owner_account", "document_not_found", "document_conflict", "too_many_documents", "key_revoked", "too_many_keys", "key_creations_exhausted", "too_many_attempts", "method_not_allowed", "idempotency_conflict", "payload_too_large", "uri_too_long", "unsupported_encoding", "upgrade_required", "internal", "service_full", "no_quote", "no_trades", "no_conversion", "no_active_ingest", "store_unavailable", "shutting_down", "malformed_json", "invalid_message", "unknown_action", "unknown_channel", "bad_messages", "too_slow", "message_too_large", "stream_limit", "too_many_messages", "subscription_limit"]
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

    channel: Literal["market", "bars", "orderflow", "footprint", "signals", "news", "alerts"]
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

    `from`: Start (inclusive) (ISO 8601, UTC).

    `to`: End (exclusive) (ISO 8601, UTC).
    """



class EventWindow(TypedDict):
    """Whether a time is inside the window of a calendar event."""

    symbol: str
    """Instrument code in upper case."""
    at: str
    """Time that was judged (ISO 8601, UTC)."""
    before: int
    """Minutes before an event."""
    after: int
    """Minutes after an event."""
    inside: bool
    """Whether `time − before ≤ at < time + after` for an event that affects the instrument."""
    events: List[CalendarEvent]
    """Events whose window contains `at`, by ascending time."""
    next: Optional[CalendarEvent]
    """First event after `at` that can open a window; `null` if none is known."""
    window: Optional[EventWindowWindow]
    """The time around `at` that is inside without a break, across overlapping windows; `null` if `at` is outside."""
    all_day: List[CalendarEvent]
    """All-day events on the UTC date of `at`. They open no window."""


class _EvidenceBarRequired(TypedDict):
    """Fields that every `EvidenceBar` has."""

    seq: int
    """Sequence number of the event. Lines are in its order."""
    time: int
    """Start of the minute, in milliseconds since 1970."""
    open: float
    """First bid of the minute."""
    high: float
    """Highest bid of the minute."""
    low: float
    """Lowest bid of the minute."""
    close: float
    """Last bid of the minute."""


class EvidenceBar(_EvidenceBarRequired, total=False):
    """A minute known only as a bar."""

    partial: Literal[True]
    """Present if the minute was not over when it was fetched."""


class EvidenceQuote(TypedDict):
    """A quote on the tape."""

    seq: int
    """Sequence number of the event. Lines are in its order."""
    time: int
    """Time of the tick, in milliseconds since 1970."""
    bid: float
    """Bid."""
    ask: float
    """Ask."""
    source: str
    """Feed that delivered the tick, or `push:` and the publisher id of the account that pushed it; empty on old
    tapes.
    """


class EvidenceTrade(TypedDict):
    """A trade on the tape."""

    seq: int
    """Sequence number of the event. Lines are in its order."""
    time: int
    """Time of the tick, in milliseconds since 1970."""
    price: float
    """Price of the trade."""
    side: Literal["buy", "sell"]
    """Side of the taker."""
    source: str
    """Feed that delivered the tick, or `push:` and the publisher id of the account that pushed it; empty on old
    tapes.
    """


class ExistingDestination(TypedDict):
    """A destination that exists."""

    destination: str
    """Id of a destination."""


class _ExitedRecordRequired(TypedDict):
    """Fields that every `ExitedRecord` has."""

    n: int
    """Number of the record, starting at 0."""
    prev: str
    """Hash of the previous record; 64 zeros in the first one."""
    rules: int
    """Version of the rules."""
    at: str
    """Time at which the record was written (ISO 8601, UTC)."""
    type: Literal["exited"]
    """Kind of the record: `exited`."""
    signal: str
    """Id of the signal."""
    publisher: str
    """Id of the publisher."""
    symbol: str
    """Instrument code in upper case."""
    target: int
    """Number of the target, starting at 1."""
    fraction: float
    """Part of the position that exited."""
    price: float
    """Exit price."""
    exited_at: str
    """Time of the exit (ISO 8601, UTC)."""
    decided: Evidence
    """Event that reached the target."""


class ExitedRecord(_ExitedRecordRequired, total=False):
    """Exit of a part of the position at a target. The last exit is in the closing."""

    recovered: Literal["tape", "backfill"]
    """Present if this was determined after an interruption: from the recorded tape, or from prices that the feed
    delivered later.
    """


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
    """Instrument code in upper case."""
    time: str
    """Time of the price (ISO 8601, UTC)."""
    price: float
    """The price; of a quote, the side that moved further."""
    last: float
    """Last accepted price before it."""


class FeedList(TypedDict):
    """Status of all price feeds."""

    items: List[FeedReport]
    """Price feeds."""
    count: int
    """Number of items in this response."""
    quarantine: List[FeedListQuarantineItem]
    """The last 100 price jumps that were refused, or that wait for confirmation."""


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

    channel: Literal["market", "bars", "orderflow", "footprint", "signals", "news", "alerts"]
    """Name of the channel; present on /ws and /sse only."""
    trades: int
    """Number of trades that were fetched and sent as ordinary messages."""
    source: str
    """Source that now delivers these symbols."""


class FeedReport(TypedDict):
    """Status of one price feed."""

    name: str
    """Name of the feed."""
    state: Literal["starting", "connecting", "live", "waiting", "stopped"]
    """State of the connection. `waiting`: disconnected, waiting for the next attempt."""
    symbols: List[str]
    """Instruments that the feed offers."""
    last_event_at: Optional[str]
    """Time of the last event (ISO 8601, UTC); `null` before the first."""
    connects: int
    """Connections made since the start of the service."""
    disconnects: int
    """Connections lost since the start of the service."""
    duplicates: int
    """Trades received twice and dropped."""
    backfilled: int
    """Missed trades that were fetched afterwards."""
    gaps: int
    """Intervals whose trades could not be recovered."""
    complaints: int
    """Messages that could not be parsed."""
    last_error: Optional[str]
    """Last error; `null` if there was none."""


class _FilledRecordRequired(TypedDict):
    """Fields that every `FilledRecord` has."""

    n: int
    """Number of the record, starting at 0."""
    prev: str
    """Hash of the previous record; 64 zeros in the first one."""
    rules: int
    """Version of the rules."""
    at: str
    """Time at which the record was written (ISO 8601, UTC)."""
    type: Literal["filled"]
    """Kind of the record: `filled`."""
    signal: str
    """Id of the signal."""
    publisher: str
    """Id of the publisher."""
    symbol: str
    """Instrument code in upper case."""
    entry_price: float
    """Fill price."""
    filled_at: str
    """Time of the fill (ISO 8601, UTC)."""
    filled: Evidence
    """Event that filled the entry."""


class FilledRecord(_FilledRecordRequired, total=False):
    """Fill of the entry of a signal."""

    recovered: Literal["tape", "backfill"]
    """Present if this was determined after an interruption: from the recorded tape, or from prices that the feed
    delivered later.
    """


class FiringList(TypedDict):
    """A page of the firings of the account."""

    items: List[AlertFiring]
    """Firings, newest first."""
    count: int
    """Number of items in this response."""


class FollowedSignal(TypedDict):
    """One signal and its followers."""

    id: str
    """Id of the signal."""
    symbol: str
    """Instrument code in upper case."""
    closed_at: str
    """Time of the closing (ISO 8601, UTC)."""
    pnl_r: float
    """R of the signal."""
    follower_r: List[Optional[float]]
    """R with each delay of 1, 5 and 30 s; `null` if the tape has no quotes for it."""


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
    """Results of followers who acted some seconds after the signals."""

    delays: List[FollowerDelay]
    """Results by delay, over the same signals: those whose prices are known for every delay."""
    items: List[FollowedSignal]
    """Closed signals that were filled, newest first."""
    count: int
    """Number of items in this response."""


class FootprintBar(TypedDict):
    """Volume at price of one bar."""

    time: str
    """Start of the bar (ISO 8601, UTC)."""
    volume: float
    """Traded volume: the sum of all levels."""
    delta: float
    """Bought minus sold volume: the sum of all levels."""
    levels: List[PriceLevel]
    """Levels with trades, ascending."""
    uncovered_volume: float
    """Traded volume that is not in `levels`, because only bars of it are known. 0 if nothing is missing."""


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
    """Instrument code in upper case."""
    level: float
    """Height of a level."""
    side_method: Optional[Literal["feed", "quote_rule", "tick_rule", "mixed"]]
    """How the sides of the trades are known. `feed`: the source reports them. `quote_rule`, `tick_rule`: inferred,
    see order flow. `mixed`: several of these. `null` without trades.
    """
    interval: str
    """Length of a bar."""
    align: str
    """When a day starts."""
    items: List[FootprintBar]
    """Bars in ascending order; the newest one may still be forming."""
    next: Optional[str]
    """Cursor of the next page: older bars, or newer ones if `from` was given. `null` if there are no more. A page
    may have fewer bars than `limit` and still have a next one.
    """


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

    channel: Literal["market", "bars", "orderflow", "footprint", "signals", "news", "alerts"]
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
    """Time in the token: the authority had the head then (ISO 8601, UTC)."""
    token: str
    """RFC 3161 time-stamp token (DER, base64) of the SHA-256 of the canonical JSON of `log`, `n`, `hash` and `at`."""


class _HeadlineConditionRequired(TypedDict):
    """Fields that every `HeadlineCondition` has."""

    type: Literal["headline"]
    """Kind of the condition."""


class HeadlineCondition(_HeadlineConditionRequired, total=False):
    """A headline is published. It mentions the symbol of the alert, if it has one."""

    category: Literal["forex", "gold", "crypto", "macro"]
    """Category of the item."""
    sentiment: Literal["bullish", "neutral", "bearish"]
    """Sentiment of the item."""
    words: List[str]
    """Words or phrases; one of them must occur in the headline as a whole, in any case."""


class Health(TypedDict):
    """Liveness of the process."""

    status: Literal["ok", "starting", "stopping", "degraded"]
    """State of the service."""


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

    channel: Literal["market", "bars", "orderflow", "footprint", "signals", "news", "alerts"]
    """Name of the channel; present on /ws and /sse only."""


class _HistoryQuoteRequired(TypedDict):
    """Fields that every `HistoryQuote` has."""

    time: str
    """Time of the tick (ISO 8601, UTC)."""
    bid: float
    """Best bid."""
    ask: float
    """Best ask."""
    bid_size: Optional[float]
    """Size at the bid; `null` if the feed has no sizes."""
    ask_size: Optional[float]
    """Size at the ask; `null` if the feed has no sizes."""


class HistoryQuote(_HistoryQuoteRequired, total=False):
    """One quote of the tape."""

    seq: int
    """Position in the journal; later ticks have a higher one."""
    source: Optional[str]
    """Feed that delivered the tick; `null` if it was not recorded."""


class _HistoryTradeRequired(TypedDict):
    """Fields that every `HistoryTrade` has."""

    time: str
    """Time of the tick (ISO 8601, UTC)."""
    price: float
    """Price."""
    size: float
    """Size."""
    side: Literal["buy", "sell"]
    """Side of the taker."""
    side_method: Optional[Literal["quote_rule", "tick_rule"]]
    """How the side was inferred; `null` if the feed reported it."""
    id: Optional[int]
    """Trade id of the venue; `null` if it has none."""


class HistoryTrade(_HistoryTradeRequired, total=False):
    """One trade of the tape."""

    seq: int
    """Position in the journal; later ticks have a higher one."""
    source: Optional[str]
    """Feed that delivered the tick; `null` if it was not recorded."""


class InAppAddress(TypedDict):
    """The list of firings and `/ws/alerts`, which have every firing anyway."""

    channel: Literal["in_app"]
    """Channel."""


class _IndicatorConditionRequired(TypedDict):
    """Fields that every `IndicatorCondition` has."""

    type: Literal["indicator"]
    """Kind of the condition."""
    indicator: str
    """The indicator with its inputs."""
    interval: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Length of the bars."""


_IndicatorConditionOptions = TypedDict('_IndicatorConditionOptions', {
    'line': 'str',
    'cross': 'Literal["above", "below", "either"]',
    'is': 'Literal["above", "below"]',
    'value': 'float',
    'other': 'str',
    'other_line': 'str',
}, total=False)


class IndicatorCondition(_IndicatorConditionRequired, _IndicatorConditionOptions):
    """An indicator crosses a value or another indicator. Judged on closed bars, which never change the answer later.

    `line`: Line of the indicator, such as `signal`; required if it has several.

    `cross`: Its line crosses the value in this direction, from one closed bar to the next.

    `is`: State: its line at the last closed bar is on this side of the value.

    `value`: The value to compare with.

    `other`: The indicator to compare with, instead of a value.

    `other_line`: Line of the other indicator, such as `signal`; required if it has several.
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
    """The indicator with its defaults as one text."""
    inputs: List[IndicatorInputDescription]
    """In the order of the text form."""
    lines: List[str]
    """Names of the lines. A single line is `value` in responses."""
    pane: Literal["price", "own"]
    """Whether it is drawn over the price or in a pane of its own."""
    needs_trades: bool
    """Whether it is available only for instruments with trades."""


class _IndicatorInputDescriptionRequired(TypedDict):
    """Fields that every `IndicatorInputDescription` has."""

    name: str
    """Name of the input."""
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
    """Start of the bar (ISO 8601, UTC)."""
    settled: bool
    """Whether a longer history would give the same value (up to a ten-billionth): there were enough bars before."""


class IndicatorItem(_IndicatorItemRequired, total=False):
    """Values of an indicator at one bar."""

    value: Optional[float]
    """Value of an indicator with one line; `null` while there are too few bars."""
    values: Dict[str, Optional[float]]
    """Values of an indicator with several lines, by the name of the line."""
    forming: Literal[True]
    """Present on the newest bar while it is forming: its values change until it closes."""


class IndicatorList(TypedDict):
    """The indicators of the service."""

    items: List[IndicatorDescription]
    """All indicators."""
    count: int
    """Number of items in this response."""


class _IndicatorPageRequired(TypedDict):
    """Fields that every `IndicatorPage` has."""

    symbol: str
    """Instrument code in upper case."""
    interval: str
    """Length of a bar."""
    align: str
    """When a day starts."""
    name: str
    """Name of the indicator."""
    indicator: str
    """The indicator with all of its inputs as one text, such as `rsi(14)`."""
    inputs: Dict[str, Union[float, str]]
    """Values of the inputs, defaults included."""
    items: List[IndicatorItem]
    """In ascending order, one per bar."""
    next: Optional[str]
    """Cursor of the next page, as in `GET /api/bars/{symbol}`: older bars, or newer ones if `from` was given."""


class IndicatorPage(_IndicatorPageRequired, total=False):
    """Values of one indicator, one page. The answer to `name`."""

    offsets: Dict[str, int]
    """Bars by which a chart draws a line later, or earlier if negative. Absent if all lines are drawn at their bar."""


class _IndicatorResultRequired(TypedDict):
    """Fields that every `IndicatorResult` has."""

    name: str
    """Name of the indicator."""
    indicator: str
    """The indicator with all of its inputs as one text, such as `rsi(14)`."""
    inputs: Dict[str, Union[float, str]]
    """Values of the inputs, defaults included."""
    items: List[IndicatorItem]
    """In ascending order, one per bar."""


class IndicatorResult(_IndicatorResultRequired, total=False):
    """Values of one indicator, bar by bar."""

    offsets: Dict[str, int]
    """Bars by which a chart draws a line later, or earlier if negative. Absent if all lines are drawn at their bar."""


class IndicatorSet(TypedDict):
    """Values of several indicators, one page. The answer to `indicators`."""

    symbol: str
    """Instrument code in upper case."""
    interval: str
    """Length of a bar."""
    align: str
    """When a day starts."""
    indicators: List[IndicatorResult]
    """In the order of the request, all with the same bars."""
    next: Optional[str]
    """Cursor of the next page, as in `GET /api/bars/{symbol}`: older bars, or newer ones if `from` was given."""


class IngestAnswerRejectedItem(TypedDict):
    """`IngestAnswerRejectedItem` of the service."""

    line: int
    """Line number, starting at 1."""
    code: Literal["malformed_json", "malformed_line", "unknown_symbol", "bad_time", "future_time", "bad_price", "crossed_quote", "finer_than_digits", "bad_size", "bad_side", "spike"]
    """Reason for the rejection."""
    detail: str
    """Explanation, for people."""


class IngestAnswer(TypedDict):
    """Result of pushing ticks."""

    accepted: int
    """Number of accepted lines."""
    rejected: List[IngestAnswerRejectedItem]
    """The first 1000 rejected lines."""
    rejected_count: int
    """Number of rejected lines."""


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
    """Instrument code in upper case."""
    name: str
    """Name for display."""
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
    """A trading instrument with its contract specification."""

    digits: int
    """Only with `detail=true`: decimals of a price."""
    base: Optional[str]
    """Only with `detail=true`: what is priced; `null` if it is not a pair."""
    quote: Optional[str]
    """Only with `detail=true`: currency of prices; `null` if it is not known."""
    contract_unit: Optional[str]
    """Only with `detail=true`: unit of the contract size, such as `EUR`, `troy ounces` or `USD per point`; `null` if
    not known.
    """
    bars: Optional[Literal["quotes", "trades"]]
    """Only with `detail=true`: what bars are made of; `null`: of trades from the first one on, of quotes before."""
    source: Optional[str]
    """Only with `detail=true`: public specifications that agree with these terms; `null` for instruments of the
    operator.
    """
    hours: InstrumentHours
    """Only with `detail=true`: trading hours in the coming days."""


class InstrumentHoursSession(TypedDict):
    """`InstrumentHoursSession` of the service."""

    open: str
    """Opening (ISO 8601, UTC)."""
    close: str
    """Close (ISO 8601, UTC)."""


class InstrumentHours(TypedDict):
    """Trading hours of an instrument in the coming days."""

    calendar: str
    """Name of the calendar: `always`, or as in the instrument file."""
    timezone: str
    """IANA name of the time zone in which the hours are defined. `UTC` if the market never closes."""
    sessions: List[InstrumentHoursSession]
    """Sessions that overlap the 7 days from 00:00 UTC of the current day on."""


class InstrumentList(TypedDict):
    """All available instruments."""

    items: List[Instrument]
    """All instruments."""
    count: int
    """Number of items in this response."""


class InstrumentRecord(TypedDict):
    """Results of a publisher on one instrument."""

    symbol: str
    """Instrument code in upper case."""
    signals: int
    """Published signals."""
    active: int
    """Active signals."""
    closed: int
    """Closed signals."""
    ranked_signals: int
    """Closed signals with a result under rules version 2."""
    wins: int
    """Ranked, R above 0."""
    losses: int
    """Ranked, R below 0."""
    breakeven: int
    """Ranked, R exactly 0."""
    unfilled: int
    """Closed before the entry was filled."""
    unranked: int
    """Other closed signals: of rules version 1, void, or with missing or untrusted prices."""
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
    """Largest decline of the sum of R from a peak, in R."""
    average_holding_seconds: Optional[float]
    """Mean seconds from fill to closing."""
    sharpe: Optional[float]
    """Mean / standard deviation of R, per signal."""
    probabilistic_sharpe: Optional[float]
    """Probability that the true Sharpe ratio is above 0, if results are independent."""
    signals_needed: Optional[int]
    """Ranked signals needed for 95 %; `null` if unknown."""
    first_at: Optional[str]
    """First publication (ISO 8601, UTC)."""
    last_at: Optional[str]
    """Last publication (ISO 8601, UTC)."""


class Invitation(TypedDict):
    """An invitation."""

    id: str
    """Id of the invitation."""
    tier: str
    """Tier of the new account."""
    state: Literal["open", "used", "expired", "revoked"]
    """State of the invitation."""
    created_at: str
    """Time of creation (ISO 8601, UTC)."""
    expires_at: str
    """Time of expiry (ISO 8601, UTC)."""
    account: Optional[str]
    """Display name of the account created with it; `null` if it was not used."""


class InvitationList(TypedDict):
    """Invitations."""

    items: List[Invitation]
    """Invitations, newest first."""
    count: int
    """Number of items in this response."""


class _InvitationRequestRequired(TypedDict):
    """Fields that every `InvitationRequest` has."""

    tier: str
    """Tier of the new account."""


class InvitationRequest(_InvitationRequestRequired, total=False):
    """An invitation to create."""

    expires_days: int
    """Days until the invitation expires."""


class IssuedDataLink(TypedDict):
    """A new data link."""

    id: str
    """Public id of the link, the part that is not secret."""
    name: str
    """Name of the link."""
    path: str
    """Path and query that the link reads."""
    state: Literal["good", "expired", "revoked"]
    """`good`: the link can be used."""
    created_at: str
    """Time of creation (ISO 8601, UTC)."""
    expires_at: str
    """Time of expiry (ISO 8601, UTC)."""
    revoked_at: Optional[str]
    """Time of revocation (ISO 8601, UTC); `null` if it is not revoked."""
    last_used_at: Optional[str]
    """Time of the last use, to the minute (ISO 8601, UTC); `null` if never used."""
    url: Optional[str]
    """The address, shown only once. Anyone who has it can read the path. `null` if the request was repeated with its
    Idempotency-Key after the service was restarted.
    """


class IssuedInvitation(TypedDict):
    """A new invitation."""

    id: str
    """Id of the invitation."""
    tier: str
    """Tier of the new account."""
    state: Literal["open", "used", "expired", "revoked"]
    """State of the invitation."""
    created_at: str
    """Time of creation (ISO 8601, UTC)."""
    expires_at: str
    """Time of expiry (ISO 8601, UTC)."""
    account: Optional[str]
    """Display name of the account created with it; `null` if it was not used."""
    token: Optional[str]
    """Token for `invitation` of the sign-up, shown only once. `null` if the request was repeated after the service
    was restarted.
    """
    link: Optional[str]
    """Sign-up link that contains the token; `null` if the token is."""


class IssuedKey(TypedDict):
    """A new API key."""

    id: str
    """Public id of the key, the part that is not secret."""
    name: str
    """Name of the key."""
    scopes: List[Literal["read", "publish", "ingest", "admin", "hook"]]
    """Scopes of the key."""
    state: Literal["good", "expired", "revoked"]
    """`good`: the key can be used."""
    created_at: str
    """Time of creation (ISO 8601, UTC)."""
    expires_at: Optional[str]
    """Time of expiry (ISO 8601, UTC); `null` if it never expires."""
    revoked_at: Optional[str]
    """Time of revocation (ISO 8601, UTC); `null` if it is not revoked."""
    last_used_at: Optional[str]
    """Time of the last use, to the minute (ISO 8601, UTC); `null` if never used."""
    key: Optional[str]
    """The complete key, shown only once. `null` if the request was repeated with its Idempotency-Key after the
    service was restarted.
    """


class KeptHead(TypedDict):
    """A signed head that the service keeps, with its time stamps."""

    log: str
    """Id of the log."""
    n: int
    """Number of the last record."""
    hash: str
    """Hash of the last record, hex."""
    at: str
    """Time of the signature (ISO 8601, UTC)."""
    public_key: str
    """Ed25519 public key, 32 bytes, hex."""
    signature: str
    """Ed25519 signature of the canonical JSON of `log`, `n`, `hash` and `at`, hex."""
    tokens: List[HeadToken]
    """Time stamps; empty if no authority has stamped the head."""


class KeptHeadPage(TypedDict):
    """A page of kept heads."""

    items: List[KeptHead]
    """Heads in ascending order of `n`."""
    count: int
    """Number of items in this response."""
    next: Optional[int]
    """`after` of the next page; `null` on the last page."""


class KeyInfo(TypedDict):
    """An API key without its secret."""

    id: str
    """Public id of the key, the part that is not secret."""
    name: str
    """Name of the key."""
    scopes: List[Literal["read", "publish", "ingest", "admin", "hook"]]
    """Scopes of the key."""
    state: Literal["good", "expired", "revoked"]
    """`good`: the key can be used."""
    created_at: str
    """Time of creation (ISO 8601, UTC)."""
    expires_at: Optional[str]
    """Time of expiry (ISO 8601, UTC); `null` if it never expires."""
    revoked_at: Optional[str]
    """Time of revocation (ISO 8601, UTC); `null` if it is not revoked."""
    last_used_at: Optional[str]
    """Time of the last use, to the minute (ISO 8601, UTC); `null` if never used."""


class KeyList(TypedDict):
    """All API keys of the account."""

    items: List[KeyInfo]
    """API keys of the account."""
    count: int
    """Number of items in this response."""


class _KeyRequestRequired(TypedDict):
    """Fields that every `KeyRequest` has."""

    name: str
    """Name of the key, for your own reference."""


class KeyRequest(_KeyRequestRequired, total=False):
    """An API key to create."""

    scopes: List[Literal["read", "publish", "ingest", "admin", "hook"]]
    """Scopes of the key. `key_scopes` of the account lists the possible ones."""
    expires_days: Optional[int]
    """Days until the key expires; `null` if it never expires."""


class KeyRotation(TypedDict):
    """Options of a key rotation."""

    overlap_hours: float
    """Hours for which the old key remains valid."""


class LabelAgreement(TypedDict):
    """How often both models give the same label, in one category."""

    category: Optional[Literal["forex", "gold", "crypto", "macro"]]
    """Category of the texts; `null` for texts without one."""
    compared: int
    """Texts that both models have scored."""
    disagreed: int
    """Those of them with different labels."""


class LabelDisagreement(TypedDict):
    """A text that both models label differently."""

    timestamp: str
    """Time of the comparison (ISO 8601, UTC)."""
    text: str
    """The text, at most its first 200 characters."""
    category: Optional[Literal["forex", "gold", "crypto", "macro"]]
    """Category of the texts; `null` for texts without one."""
    language_model: AiSentiment
    """Score of the language model."""
    local_model: AiSentiment
    """Score of the built-in model."""


class LanguageModelReport(TypedDict):
    """Use of the language model, and its agreement with the local model."""

    model: Optional[str]
    """Id of the language model; `null` if none is configured."""
    available: bool
    """Whether it is used now: it is not after failures, and when the requests of the day are used up."""
    requests_today: int
    """Requests sent to it since 00:00 UTC, retries included."""
    requests_per_day: int
    """Maximum number of requests per day (`llm_requests_per_day`)."""
    resets_at: str
    """Time at which the requests of the day start from zero (ISO 8601, UTC)."""
    since: str
    """Start of the comparison: the start of the service (ISO 8601, UTC)."""
    agreement: List[LabelAgreement]
    """By category, without those that have nothing compared."""
    disagreements: List[LabelDisagreement]
    """The latest 50 disagreements, newest first."""


class _LinkCheckRequired(TypedDict):
    """Fields that every `LinkCheck` has."""

    valid: bool
    """Whether the link can be used now."""


class LinkCheck(_LinkCheckRequired, total=False):
    """Whether a setup link or an invitation can still be used."""

    reason: Literal["used", "expired", "unknown"]
    """Only if it is not valid. `used`: it has created an account. `expired`: its time is over. `unknown`: there is
    no such link, it was revoked, or a newer setup link replaced it.
    """


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


class _ListedDocumentRequired(TypedDict):
    """Fields that every `ListedDocument` has."""

    kind: Literal["layout", "drawings", "watchlist", "settings"]
    """Kind of the document."""
    name: str
    """Name of the document, unique within its kind."""
    revision: int
    """Number of the version: 1 when it is created, and one more with each change."""
    updated: str
    """Time of the last change (ISO 8601, UTC)."""


class ListedDocument(_ListedDocumentRequired, total=False):
    """A document in a list."""

    value: Dict[str, Any]
    """What was stored; not in a list without values."""


class LogEntry(TypedDict):
    """A record of the signal log with its hash."""

    hash: str
    """SHA-256 of the canonical JSON of `record`, hex."""
    record: LogRecord


class LogHead(TypedDict):
    """Signed length and hash of the signal log."""

    log: str
    """Id of the log."""
    n: int
    """Number of the last record."""
    hash: str
    """Hash of the last record, hex."""
    at: str
    """Time of the signature (ISO 8601, UTC)."""
    public_key: str
    """Ed25519 public key, 32 bytes, hex."""
    signature: str
    """Ed25519 signature of the canonical JSON of `log`, `n`, `hash` and `at`, hex."""


class LogPage(TypedDict):
    """A page of the signal log."""

    items: List[LogEntry]
    """Records in ascending order."""
    count: int
    """Number of items in this response."""
    next: Optional[int]
    """`after` of the next page; `null` on the last page."""


class MarkedEvent(TypedDict):
    """A calendar event at the entry or exit of a signal."""

    id: str
    """Id of the calendar event."""
    revision: int
    """Revision that counted: the last one known when the signal closed."""
    title: str
    """Name of the event."""
    time: str
    """Time of the event (ISO 8601, UTC)."""


class MarketCondition(TypedDict):
    """The market of the instrument opens or closes."""

    type: Literal["market"]
    """Kind of the condition."""
    state: Literal["opens", "closes"]
    """What the market does."""


class MarketResponse(TypedDict):
    """Price history and current quote of one instrument."""

    symbol: str
    """Instrument code in upper case."""
    timeframe: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Length of a bar."""
    ohlcv: List[Union[OhlcvBarDetail, OhlcvBar]]
    """Bars in ascending order; the last one may still be forming. With `detail=true`: OhlcvBarDetail."""
    quote: Optional[Quote]
    """Current quote; `null` if the instrument has no quote yet."""


class _MarketTickRequired(TypedDict):
    """Fields that every `MarketTick` has."""

    symbol: str
    """Instrument code in upper case."""
    bid: float
    """Best price at which the market buys."""
    ask: float
    """Best price at which the market sells."""
    spread: float
    """ask − bid in price units, rounded to the digits of the instrument."""
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


class MissingCondition(TypedDict):
    """A condition for a rank that is not met."""

    what: Literal["decisions", "days", "span_days", "e_value", "recent_decisions"]
    """Condition, as named in docs/signals.md."""
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
    """Kind of the condition."""
    percent: float
    """Size of the move in percent."""
    direction: Literal["up", "down", "either"]
    """Direction of the move."""
    minutes: int
    """Length of the window in minutes. The move is measured from the lowest or highest price in it."""


class MoveCondition(_MoveConditionRequired, total=False):
    """The price moves by a percentage within a time."""

    side: Literal["bid", "ask", "trade"]
    """Price to look at: the bid, the ask or that of the last trade."""


class NewsAccount(TypedDict):
    """The account that pushed a news item."""

    id: str
    """Id of the account, which never changes. Publishers have the same id."""
    name: str
    """Display name of the account when it pushed the item."""


class NewsCalibration(TypedDict):
    """Accuracy of the sentiment scores."""

    items: List[NewsCalibrationItem]
    """Accuracy by model, category, label and horizon."""
    count: int
    """Number of items in this response."""
    since: Optional[str]
    """Publication of the first item included (ISO 8601, UTC); `null` without items."""
    labels: List[NewsLabelCalibration]
    """Calibration of the label probabilities of the built-in model, measured on labelled headlines."""


class NewsCalibrationItem(TypedDict):
    """Accuracy of one label, by model, category and horizon."""

    model: str
    """Id of the model that gave the label."""
    category: Literal["forex", "gold", "crypto", "macro"]
    """Category."""
    sentiment: Literal["bullish", "neutral", "bearish"]
    """Sentiment label."""
    horizon_minutes: Literal[15, 60, 240]
    """Minutes after the item arrived."""
    items: int
    """Items for which the market move could be measured."""
    hits: int
    """Items after which the market moved as the label predicts."""
    hit_rate: Optional[float]
    """hits / items; `null` without items."""
    hit_rate_low: Optional[float]
    """Lower bound of the 95 % Wilson interval of the hit rate."""
    hit_rate_high: Optional[float]
    """Upper bound of the 95 % Wilson interval of the hit rate."""
    average_move_percent: Optional[float]
    """Average move of the market over the horizon in percent, positive for a rise; `null` without items."""


class NewsDetail(TypedDict):
    """A news item with `detail=true`, and on `/ws/news`."""

    title: str
    """Headline, plain text without markup."""
    category: Literal["forex", "gold", "crypto", "macro"]
    """Category."""
    sentiment: Literal["bullish", "neutral", "bearish"]
    """Sentiment label."""
    sentiment_score: float
    """Sentiment from −1 (bad news) to 1 (good news)."""
    timestamp: str
    """Publication time, or the time of receipt if the source states none that can be read (ISO 8601, UTC)."""
    id: str
    """Id of the item, the same for all its revisions."""
    url: Optional[str]
    """Address of the article, `http` or `https`; `null` if unknown."""
    source: str
    """Name of the source that published it first."""
    account: Optional[NewsAccount]
    """Account that pushed the item. `null` for an item of a configured source, and for items pushed before this
    field existed.
    """
    published_at: Optional[str]
    """Publication time as its source states it. `null` if the source states none that can be read, which makes
    `timestamp` the time of receipt, and for items stored before this field existed.
    """
    model: str
    """Id of the model that scored it."""
    certainty: Optional[SentimentCertainty]
    """How sure the model is. `null` for a model that returns only scores, and for items stored before this field
    existed.
    """
    symbols: List[str]
    """Instruments that the item mentions."""
    cluster: int
    """Number of sources that published it."""
    revision: int
    """Number of times its headline was updated."""


class NewsIngestAnswerRejectedItem(TypedDict):
    """`NewsIngestAnswerRejectedItem` of the service."""

    line: int
    """Line number, starting at 1."""
    code: Literal["malformed_json", "malformed_line", "bad_time", "future_time", "reserved_source"]
    """Reason for the rejection."""
    detail: str
    """Explanation, for people."""


class NewsIngestAnswer(TypedDict):
    """Result of pushing news."""

    accepted: int
    """Number of accepted lines."""
    rejected: List[NewsIngestAnswerRejectedItem]
    """The first 1000 rejected lines."""
    rejected_count: int
    """Number of rejected lines."""


class NewsItem(TypedDict):
    """A news item."""

    title: str
    """Headline, plain text without markup."""
    category: Literal["forex", "gold", "crypto", "macro"]
    """Category."""
    sentiment: Literal["bullish", "neutral", "bearish"]
    """Sentiment label."""
    sentiment_score: float
    """Sentiment from −1 (bad news) to 1 (good news)."""
    timestamp: str
    """Publication time, or the time of receipt if the source states none that can be read (ISO 8601, UTC)."""


class NewsItemDetail(TypedDict):
    """A news item, and what the market did after it."""

    title: str
    """Headline, plain text without markup."""
    category: Literal["forex", "gold", "crypto", "macro"]
    """Category."""
    sentiment: Literal["bullish", "neutral", "bearish"]
    """Sentiment label."""
    sentiment_score: float
    """Sentiment from −1 (bad news) to 1 (good news)."""
    timestamp: str
    """Publication time, or the time of receipt if the source states none that can be read (ISO 8601, UTC)."""
    id: str
    """Id of the item, the same for all its revisions."""
    url: Optional[str]
    """Address of the article, `http` or `https`; `null` if unknown."""
    source: str
    """Name of the source that published it first."""
    account: Optional[NewsAccount]
    """Account that pushed the item. `null` for an item of a configured source, and for items pushed before this
    field existed.
    """
    published_at: Optional[str]
    """Publication time as its source states it. `null` if the source states none that can be read, which makes
    `timestamp` the time of receipt, and for items stored before this field existed.
    """
    model: str
    """Id of the model that scored it."""
    certainty: Optional[SentimentCertainty]
    """How sure the model is. `null` for a model that returns only scores, and for items stored before this field
    existed.
    """
    symbols: List[str]
    """Instruments that the item mentions."""
    cluster: int
    """Number of sources that published it."""
    revision: int
    """Number of times its headline was updated."""
    market: List[NewsMarket]
    """Prices of each instrument of this service that the item mentions."""


class NewsLabelCalibration(TypedDict):
    """Calibration of the label probabilities of the built-in model in one category."""

    model: str
    """Version of the model."""
    category: Literal["forex", "gold", "crypto", "macro"]
    """Category."""
    temperature: float
    """The logarithm of each probability is divided by this; above 1, probabilities are brought closer to each other."""
    least_confidence: float
    """If the likeliest label is less likely than this, the item is `neutral` and undecided."""
    chosen_on: int
    """Labelled headlines on which temperature and limit were chosen."""
    measured_on: int
    """Other labelled headlines, on which the figures below were measured."""
    accuracy: float
    """Share of headlines whose published label is right."""
    expected_error: float
    """Expected calibration error: mean difference between confidence and accuracy of the bins, weighted by size."""
    brier_score: float
    """Brier score over the three labels: 0 is perfect, 2/3 is a uniform guess."""
    bins: List[NewsReliabilityBin]
    """By ascending confidence, without empty bins."""


class _NewsLineRequired(TypedDict):
    """Fields that every `NewsLine` has."""

    title: str
    """Headline. Markup and control characters are removed."""


class NewsLine(_NewsLineRequired, total=False):
    """A pushed news item."""

    url: str
    """Address of the article."""
    source: str
    """Name of the source. The name of the account by default. The names of configured sources are reserved."""
    category: Literal["forex", "gold", "crypto", "macro"]
    """Category. Derived from the text by default."""
    summary: str
    """Summary, used for the classification."""
    id: str
    """Id of the item at its source. An item of the same account and source with the same id and another title is a
    revision.
    """
    time: Union[float, str]
    """Publication time: Unix time in milliseconds, or ISO 8601 with an offset. The time of arrival by default."""


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
    """Change since the publication in percent, rounded to 4 decimals."""


class NewsMarket(TypedDict):
    """Prices of an instrument around a news item."""

    symbol: str
    """Instrument code in upper case."""
    at: Optional[float]
    """Last price before the publication, at most 5 minutes old; `null` if the market had none, because it was closed
    or has no minute bars.
    """
    after: List[NewsMarketAfterItem]
    """Later prices, for times that have passed and at which the market had a price."""


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
    """Publication time, or the time of receipt if the source states none that can be read (ISO 8601, UTC)."""
    id: str
    """Id of the item, the same for all its revisions."""
    url: Optional[str]
    """Address of the article, `http` or `https`; `null` if unknown."""
    source: str
    """Name of the source that published it first."""
    account: Optional[NewsAccount]
    """Account that pushed the item. `null` for an item of a configured source, and for items pushed before this
    field existed.
    """
    published_at: Optional[str]
    """Publication time as its source states it. `null` if the source states none that can be read, which makes
    `timestamp` the time of receipt, and for items stored before this field existed.
    """
    model: str
    """Id of the model that scored it."""
    certainty: Optional[SentimentCertainty]
    """How sure the model is. `null` for a model that returns only scores, and for items stored before this field
    existed.
    """
    symbols: List[str]
    """Instruments that the item mentions."""
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
    """Confidence and accuracy of headlines with a similar confidence.

    `from`: Lower bound of the confidence, inclusive.

    `to`: Upper bound of the confidence, exclusive.

    `headlines`: Headlines whose likeliest label has a probability in this range.

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
    """Publication time, or the time of receipt if the source states none that can be read (ISO 8601, UTC)."""
    id: str
    """Id of the item, the same for all its revisions."""
    url: Optional[str]
    """Address of the article, `http` or `https`; `null` if unknown."""
    source: str
    """Name of the source that published it first."""
    account: Optional[NewsAccount]
    """Account that pushed the item. `null` for an item of a configured source, and for items pushed before this
    field existed.
    """
    published_at: Optional[str]
    """Publication time as its source states it. `null` if the source states none that can be read, which makes
    `timestamp` the time of receipt, and for items stored before this field existed.
    """
    model: str
    """Id of the model that scored it."""
    certainty: Optional[SentimentCertainty]
    """How sure the model is. `null` for a model that returns only scores, and for items stored before this field
    existed.
    """
    symbols: List[str]
    """Instruments that the item mentions."""
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

    `symbol`: Instrument of the filter; `null` without a filter.

    `stretch_seconds`: Length of an interval in seconds. Intervals start at multiples of it, in UTC.

    `from`: Start of the first interval (ISO 8601, UTC).

    `to`: End of the last interval, exclusive. The last interval is still in progress (ISO 8601, UTC).

    `items`: Oldest first, then by category. Intervals without items of a category are omitted.

    `count`: Number of items in this response.
    """



class NewsSentimentItem(TypedDict):
    """Sentiment of one category in one interval."""

    time: str
    """Start of the interval (ISO 8601, UTC)."""
    category: Literal["forex", "gold", "crypto", "macro"]
    """Category."""
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
    """News sources."""
    count: int
    """Number of items in this response."""
    left_out: Dict[str, int]
    """Items that curation dropped since the start of the service, by reason."""


class NewsSourceReport(TypedDict):
    """Status of one news source."""

    name: str
    """Name of the source."""
    url: Optional[str]
    """Address that is polled; `null` if the source is not polled."""
    state: Literal["starting", "ok", "failing", "stopped"]
    """State of the source."""
    last_item_at: Optional[str]
    """Time of the last new item (ISO 8601, UTC); `null` before the first."""
    last_poll_at: Optional[str]
    """Time of the last poll (ISO 8601, UTC); `null` before the first."""
    items: int
    """Items received, before curation."""
    unchanged: int
    """Polls without a new item."""
    failures: int
    """Failed polls."""
    last_error: Optional[str]
    """Last error; `null` if there was none."""


class OhlcvBar(TypedDict):
    """One price bar."""

    time: str
    """Start of the bar (ISO 8601, UTC)."""
    open: float
    """First price of the interval."""
    high: float
    """Highest price of the interval."""
    low: float
    """Lowest price of the interval."""
    close: float
    """Last price of the interval."""
    volume: float
    """Volume traded; without trades, the sum of quote sizes, or the number of ticks."""


class OhlcvBarDetail(TypedDict):
    """One price bar with `detail=true`."""

    time: str
    """Start of the bar (ISO 8601, UTC)."""
    open: float
    """First price of the interval."""
    high: float
    """Highest price of the interval."""
    low: float
    """Lowest price of the interval."""
    close: float
    """Last price of the interval."""
    volume: float
    """Volume traded; without trades, the sum of quote sizes, or the number of ticks."""
    bid_volume: float
    """Volume sold at the bid (seller-initiated); 0 without trades."""
    ask_volume: float
    """Volume bought at the ask (buyer-initiated); 0 without trades."""


class OpenedRecord(TypedDict):
    """First record of a log."""

    n: int
    """Number of the record, starting at 0."""
    prev: str
    """Hash of the previous record; 64 zeros in the first one."""
    rules: int
    """Version of the rules."""
    at: str
    """Time at which the record was written (ISO 8601, UTC)."""
    type: Literal["opened"]
    """Kind of the record: `opened`."""
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
    """The UTC day of one instrument, and the line of its last 24 hours."""

    symbol: str
    """Instrument code in upper case."""
    time: Optional[str]
    """Time of `last` (ISO 8601, UTC); `null` if the instrument has no price yet."""
    day_open: Optional[float]
    """First price of the UTC day; `null` if it has none yet."""
    day_high: Optional[float]
    """Highest price of the UTC day; `null` if it has none yet."""
    day_low: Optional[float]
    """Lowest price of the UTC day; `null` if it has none yet."""
    last: Optional[float]
    """Newest price of the bars: the last trade if bars are made of trades, else the bid. It may be of an earlier
    day.
    """
    change: Optional[float]
    """`last` − `day_open`, rounded to the digits of the instrument; `null` if the day has no price yet."""
    change_percent: Optional[float]
    """`change` in percent of `day_open`, rounded to 4 decimals; `null` if the day has no price yet."""
    sparkline: List[float]
    """Closing prices of the 15-minute bars that ended in the last 24 hours, oldest first. An interval without data
    is left out.
    """


class _PasswordChangeRequired(TypedDict):
    """Fields that every `PasswordChange` has."""

    password: str
    """Current password."""
    new_password: str
    """New password."""


class PasswordChange(_PasswordChangeRequired, total=False):
    """Changes the password."""

    revoke_keys: bool
    """Also revokes all API keys of the account, in case someone else has created or copied one. Default `false`."""


class _PasswordChangedRequired(TypedDict):
    """Fields that every `PasswordChanged` has."""

    sessions_ended: int
    """Number of sessions that ended."""


class PasswordChanged(_PasswordChangedRequired, total=False):
    """Result of changing the password."""

    keys_revoked: int
    """Number of keys that were revoked. Only if `revoke_keys` was true."""


class PausedNotice(TypedDict):
    """The allowance of lines is used up: the connection is not read for a while. No line is lost."""

    event: Literal["paused"]
    """Type of the event."""
    seconds: int
    """When reading continues at the earliest, in seconds."""


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
    """Instrument code in upper case."""
    lots: float
    """Lots, rounded down to a multiple of `min_lot`; 0 if even `min_lot` would risk more."""
    units: float
    """Units of the base: lots × contract_size."""
    risk: float
    """Loss at the stop, in the currency of the account."""
    risk_percent: float
    """The same in percent of the balance; never above what was asked."""
    loss_per_lot: float
    """Loss of one lot at the stop, in the currency of the account."""
    currency: str
    """Currency of the account."""
    rate: float
    """Units of the account currency for one unit of the currency of the instrument."""
    limited_by: Optional[Literal["min_lot", "max_lot"]]
    """Limit of the instrument that decided the size; `null` if the risk did."""


class Preferences(TypedDict):
    """How messages to chats, mail and browsers write times and numbers."""

    time_zone: str
    """IANA name of the time zone in which messages write times."""
    number_format: Literal["en", "en-GB", "en-IN", "de", "de-CH", "es", "fr", "it", "ja", "nl", "pl", "pt-BR", "sv"]
    """Locale in whose notation messages write numbers: `de` writes 1.234,5."""


class PreferencesChange(TypedDict, total=False):
    """Preferences to change; the others stay."""

    time_zone: str
    """IANA name of the time zone in which messages write times."""
    number_format: Literal["en", "en-GB", "en-IN", "de", "de-CH", "es", "fr", "it", "ja", "nl", "pl", "pt-BR", "sv"]
    """Locale in whose notation messages write numbers: `de` writes 1.234,5."""


class _PriceConditionRequired(TypedDict):
    """Fields that every `PriceCondition` has."""

    type: Literal["price"]
    """Kind of the condition."""
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

    `cross`: The price goes beyond the level in this direction.

    `touch`: The price reaches the level, coming from the other side.

    `is`: State: the price is on this side of the level.

    `side`: Price to look at: the bid, the ask or that of the last trade.
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
    """Link to the description of the code in the API reference."""
    title: str
    """Short name of the error. It may change; use `code` in programs."""
    status: int
    """HTTP status of the response."""
    detail: str
    """Explanation of this occurrence, for people."""
    code: Literal["missing_key", "invalid_key", "missing_scope", "ingest_disabled", "rate_limited", "too_many_failures", "too_many_requests", "too_many_connections", "invalid_parameter", "repeated_parameter", "malformed_path", "malformed_body", "symbol_not_found", "not_found", "signal_not_found", "publisher_not_found", "news_not_found", "no_evidence", "export_rows_exhausted", "alert_not_found", "subscription_not_found", "destination_not_found", "delivery_not_found", "invalid_condition", "too_many_alerts", "too_many_destinations", "channel_not_configured", "private_address", "destination_unverified", "wrong_destination_code", "not_replayable", "precondition_failed", "range_not_satisfiable", "too_many_downloads", "not_your_signal", "signal_closed", "close_requested", "signal_voided", "too_many_signals", "too_many_signals_of_symbol", "signals_exhausted", "market_closed", "stale_quote", "price_unconfirmed", "finer_than_digits", "levels_out_of_order", "invalid_targets", "stop_not_tighter", "too_many_amendments", "signature_required", "invalid_signature", "stale_signature", "entry_too_far", "distance_out_of_range", "level_reached", "expiry_out_of_range", "ai_calls_exhausted", "model_not_found", "model_unavailable", "session_required", "invalid_session", "wrong_credentials", "wrong_password", "two_factor_required", "wrong_code", "two_factor_enabled", "two_factor_disabled", "account_disabled", "foreign_origin", "registration_closed", "invalid_token", "account_not_found", "key_not_found", "link_not_found", "session_not_found", "invitation_not_found", "name_taken", "owner_account", "document_not_found", "document_conflict", "too_many_documents", "key_revoked", "too_many_keys", "key_creations_exhausted", "too_many_attempts", "method_not_allowed", "idempotency_conflict", "payload_too_large", "uri_too_long", "unsupported_encoding", "upgrade_required", "internal", "service_full", "no_quote", "no_trades", "no_conversion", "no_active_ingest", "store_unavailable", "shutting_down", "malformed_json", "invalid_message", "unknown_action", "unknown_channel", "bad_messages", "too_slow", "message_too_large", "stream_limit", "too_many_messages", "subscription_limit"]
    """Stable error code, the field to use in programs."""
    request_id: str
    """Id of the request, the same as in the `X-Request-Id` header."""


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
    """Present on `invalid_parameter` and `repeated_parameter`: one entry for each parameter or field."""
    s: Literal["error"]
    """Only on paths for TradingView charts, which look for it."""
    errmsg: str
    """The same as `detail`; only on paths for TradingView charts."""


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

    `symbol`: Instrument code in upper case.

    `level`: Height of a level.

    `side_method`: How the sides of the trades are known. `feed`: the source reports them. `quote_rule`,
    `tick_rule`: inferred, see order flow. `mixed`: several of these. `null` without trades.

    `from`: Start of the range (ISO 8601, UTC).

    `to`: End of the range (ISO 8601, UTC).

    `volume`: Traded volume: the sum of all levels.

    `delta`: Bought minus sold volume: the sum of all levels.

    `poc`: Point of control: lowest price of the level with the most volume. Of several, the one nearest to the
    middle of the range, then the lower. `null` without trades.

    `value_area`: Value area: grown from the point of control, level by level, to at least 70 % of the volume.
    `null` without trades.

    `levels`: Levels with trades, ascending.

    `uncovered_volume`: Traded volume that is not in `levels`, because only bars of it are known. 0 if nothing is
    missing.

    `covered_from`: From here to the end of the range, every trade is in `levels`. The start of the range if
    nothing is missing (ISO 8601, UTC).
    """



class PublicRecordPage(TypedDict):
    """A page of the log records of one publisher."""

    items: List[PublicSignal]
    """Signals, newest publication first."""
    count: int
    """Number of items in this response."""
    next: Optional[int]
    """`before` of the next page; `null` on the last page."""
    untrusted_sources: List[str]
    """Sources of prices in these records that the operator does not trust: wins by them do not count."""


class PublicSignal(TypedDict):
    """The log records of one signal."""

    signal: str
    """Id of the signal."""
    records: List[LogEntry]
    """All its records so far, in ascending order."""


class _PublishedRecordRequired(TypedDict):
    """Fields that every `PublishedRecord` has."""

    n: int
    """Number of the record, starting at 0."""
    prev: str
    """Hash of the previous record; 64 zeros in the first one."""
    rules: int
    """Version of the rules."""
    at: str
    """Time at which the record was written (ISO 8601, UTC)."""
    type: Literal["published"]
    """Kind of the record: `published`."""
    signal: str
    """Id of the signal."""
    publisher: str
    """Id of the publisher."""
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
    order: Literal["market", "limit", "stop"]
    """Kind of entry order."""
    entry_deadline: str
    """Deadline of a pending entry (ISO 8601, UTC)."""
    deadline: str
    """Deadline of the open signal (ISO 8601, UTC)."""
    instrument: SignalSpecification
    quote: QuoteEvidence
    """Quote against which the signal was accepted."""


class PublishedRecord(_PublishedRecordRequired, total=False):
    """Publication of a signal."""

    targets: List[SignalTarget]
    """Targets, nearest first; present if they were requested."""
    breakeven_after: int
    """Number of targets after which the stop moves to the entry."""
    entry_price: float
    """Rules version 1 only: fill price of a market entry."""
    note_sha256: str
    """SHA-256 of the note, hex; present if there is a note."""
    signed: RecordSignature
    """Present if the publisher has a signing key."""


class PublishedSignal(TypedDict):
    """A signal that was just published."""

    id: str
    """Id of the signal."""
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
    """State of the signal."""
    timestamp: str
    """Publication time (ISO 8601, UTC)."""
    order: Literal["market", "limit", "stop"]
    """Kind of entry order."""
    state: Literal["pending"]
    """The entry waits for its fill."""


class _PublisherDetailRequired(TypedDict):
    """Fields that every `PublisherDetail` has."""

    name: str
    """Display name."""
    publisher: str
    """Id of the publisher, which never changes."""
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
    """Lowest R of an open signal since its fill, by minute bars; `null` without one."""
    drawdown_r: float
    """Current decline of the sum of R from its peak, open signals included."""
    exposure: List[Exposure]
    """Net direction of open signals by asset."""
    voided: int
    """Signals that an operator declared void."""
    warnings: List[RecordWarning]
    """Warnings about the results."""
    signals: int
    """Published signals."""
    active: int
    """Active signals."""
    closed: int
    """Closed signals."""
    ranked_signals: int
    """Closed signals with a result under rules version 2."""
    wins: int
    """Ranked, R above 0."""
    losses: int
    """Ranked, R below 0."""
    breakeven: int
    """Ranked, R exactly 0."""
    unfilled: int
    """Closed before the entry was filled."""
    unranked: int
    """Other closed signals: of rules version 1, void, or with missing or untrusted prices."""
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
    """Largest decline of the sum of R from a peak, in R."""
    average_holding_seconds: Optional[float]
    """Mean seconds from fill to closing."""
    sharpe: Optional[float]
    """Mean / standard deviation of R, per signal."""
    probabilistic_sharpe: Optional[float]
    """Probability that the true Sharpe ratio is above 0, if results are independent."""
    signals_needed: Optional[int]
    """Ranked signals needed for 95 %; `null` if unknown."""
    first_at: Optional[str]
    """First publication (ISO 8601, UTC)."""
    last_at: Optional[str]
    """Last publication (ISO 8601, UTC)."""
    equity: List[EquityPoint]
    """Equity curve: one point per ranked signal, in order of closing, reduced to at most 500 points."""
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
    """Only with `windows=true`: results near high-impact calendar events, and without them."""


class PublisherKeyRecord(TypedDict):
    """Change of the signing key of a publisher."""

    n: int
    """Number of the record, starting at 0."""
    prev: str
    """Hash of the previous record; 64 zeros in the first one."""
    rules: int
    """Version of the rules."""
    at: str
    """Time at which the record was written (ISO 8601, UTC)."""
    type: Literal["publisher_key"]
    """Kind of the record: `publisher_key`."""
    publisher: str
    """Id of the publisher."""
    public_key: Optional[str]
    """Signing key from now on; `null` if it was removed."""


class PublisherList(TypedDict):
    """Publishers with their track records."""

    items: List[TrackRecord]
    """Publishers, in the requested order."""
    count: int
    """Number of items in this response."""
    total: int
    """Matching publishers."""
    next: Optional[int]
    """`offset` of the next page; `null` on the last page."""
    time_waived: bool
    """Whether a rank requires no days and weeks, as in simulated markets."""


class _PushAddressRequired(TypedDict):
    """Fields that every `PushAddress` has."""

    channel: Literal["push"]
    """Channel."""
    subscription: PushSubscription


class PushAddress(_PushAddressRequired, total=False):
    """A browser that receives push messages."""

    name: str
    """Name for your own reference."""


class PushKey(TypedDict):
    """The key with which browsers subscribe to push messages."""

    public_key: Optional[str]
    """VAPID key for `pushManager.subscribe`, base64url; `null` if push is not configured."""


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
    """Best price at which the market buys."""
    ask: float
    """Best price at which the market sells."""
    spread: float
    """ask − bid in price units, rounded to the digits of the instrument."""
    timestamp: str
    """Time of the quote (ISO 8601, UTC)."""


class Quote(_QuoteRequired, total=False):
    """Current bid and ask."""

    stale: bool
    """Only with `detail=true`: whether the quote is stale, that is restored from the store after a restart with none
    since, or older than 60 seconds in an open market.
    """


class QuoteEvidence(TypedDict):
    """A quote."""

    kind: Literal["quote"]
    """Kind of the evidence."""
    seq: int
    """Sequence number of the event."""
    time: str
    """Time of the event (ISO 8601, UTC)."""
    source: str
    """Feed that delivered the event, or `push:` and the publisher id of the account that pushed it."""
    bid: float
    """Bid."""
    ask: float
    """Ask."""


class _QuoteLineRequired(TypedDict):
    """Fields that every `QuoteLine` has."""

    symbol: str
    """Instrument code."""
    time: Union[float, str]
    """Unix time in milliseconds, or ISO 8601 with an offset."""
    bid: float
    """Best price at which the market buys."""
    ask: float
    """Best price at which the market sells."""


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
    """Number of items in this response."""


class QuoteListRejectedItem(TypedDict):
    """`QuoteListRejectedItem` of the service."""

    symbol: str
    """Symbol as requested, in upper case."""
    code: Literal["symbol_not_found"]
    """Reason for the rejection."""


class QuoteList(_QuoteListRequired, total=False):
    """Current quotes of several instruments."""

    rejected: List[QuoteListRejectedItem]
    """With `detail=true`: requested symbols that do not exist."""


class Readiness(TypedDict):
    """Readiness of the service."""

    status: Literal["ok", "starting", "stopping", "degraded"]
    """State of the service."""
    checks: Dict[str, str]
    """Result of each check by component: `ok`, or the problem."""


class RecordSignature(TypedDict):
    """Signature of the publisher, with the key that it was checked against."""

    signed_at: str
    """Time of the signature, within 30 s of the clock of the service (ISO 8601, UTC)."""
    signature: str
    """Ed25519 signature, 64 bytes, hex."""
    public_key: str
    """Ed25519 public key, 32 bytes, hex."""


class RecordWarning(TypedDict):
    """A warning about the results of a publisher."""

    code: Literal["far_stops", "closed_by_hand", "withdrawn", "short_holding", "one_symbol", "untrusted_prices", "many_open"]
    """Kind of the warning."""
    text: str
    """The warning in one sentence."""


class Registration(TypedDict):
    """Registration policy of the service."""

    registration: Literal["open", "invitation", "closed"]
    """Who can sign up. `open`: anyone. `invitation`: people with an invitation. `closed`: nobody."""
    setup_needed: bool
    """Whether the service has no owner yet. The setup link that it prints creates the owner account."""


class RequestSignature(TypedDict):
    """Signature of the request with the signing key of the publisher."""

    signed_at: str
    """Time of the signature, within 30 s of the clock of the service (ISO 8601, UTC)."""
    signature: str
    """Ed25519 signature, 64 bytes, hex."""


class SentimentCertaintyProbabilities(TypedDict):
    """Calibrated probabilities of the labels; they sum to 1. `sentiment_score` is bullish − bearish."""

    bearish: float
    """Probability of `bearish`."""
    neutral: float
    """Probability of `neutral`."""
    bullish: float
    """Probability of `bullish`."""


class SentimentCertainty(TypedDict):
    """How sure the model is of a label."""

    confidence: float
    """Probability that the label is right, calibrated on labelled headlines of its category."""
    undecided: bool
    """Whether the label is `neutral` only because no label is likely enough."""
    probabilities: SentimentCertaintyProbabilities
    """Calibrated probabilities of the labels; they sum to 1. `sentiment_score` is bullish − bearish."""


class SessionInfo(TypedDict):
    """A signed-in session."""

    id: str
    """Id of the session."""
    current: bool
    """Whether this session made the request."""
    created_at: str
    """Time of the sign-in (ISO 8601, UTC)."""
    last_seen_at: str
    """Time of the last use, to the minute (ISO 8601, UTC)."""
    expires_at: str
    """Time at which the session expires if it is not used again (ISO 8601, UTC)."""
    browser: str
    """Browser and operating system, as reported at the sign-in."""
    address: str
    """IP address at the sign-in."""


class SessionList(TypedDict):
    """All sessions of the account."""

    items: List[SessionInfo]
    """Sessions of the account."""
    count: int
    """Number of items in this response."""


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
    """Current time of the service (ISO 8601, UTC)."""
    uptime_seconds: int
    """Seconds since the service was started."""


class SessionsEnded(TypedDict):
    """Result of ending sessions."""

    sessions_ended: int
    """Number of sessions that ended."""


class SetupRequest(TypedDict):
    """Creates the owner account."""

    token: str
    """Token of the setup link that the service prints when it starts."""
    name: str
    """Display name. Neither the name nor one that looks like it is given to another account. Full-width and other
    compatibility characters are replaced by plain ones (NFKC).
    """
    password: str
    """New password."""


class ShutdownNotice(TypedDict):
    """The service is about to stop."""

    event: Literal["shutdown"]
    """Type of the event."""


class _SignInRequestRequired(TypedDict):
    """Fields that every `SignInRequest` has."""

    name: str
    """Display name. Neither the name nor one that looks like it is given to another account. Full-width and other
    compatibility characters are replaced by plain ones (NFKC).
    """
    password: str
    """Current password."""


class SignInRequest(_SignInRequestRequired, total=False):
    """Signs in."""

    code: str
    """Code of the authenticator app, or a recovery code."""


class _SignUpRequestRequired(TypedDict):
    """Fields that every `SignUpRequest` has."""

    name: str
    """Display name. Neither the name nor one that looks like it is given to another account. Full-width and other
    compatibility characters are replaced by plain ones (NFKC).
    """
    password: str
    """New password."""


class SignUpRequest(_SignUpRequestRequired, total=False):
    """Creates an account."""

    invitation: str
    """Token of an invitation, if one is required."""


class _SignalAmendedRequired(TypedDict):
    """Fields that every `SignalAmended` has."""

    id: str
    """Id of the signal."""
    user: str
    """Display name of the publisher."""
    symbol: str
    """Instrument code in upper case."""
    change: Literal["amended"]
    """Kind of the change: `amended`."""
    stop_loss: float
    """The tighter stop."""
    timestamp: str
    """Time of the amendment (ISO 8601, UTC)."""


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
    """Id of the signal."""
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
    """State of the signal."""
    timestamp: str
    """Publication time (ISO 8601, UTC)."""
    pnl: float
    """Profit or loss in pips, from the worse of the declared entry and the fill to the exit."""
    pnl_percent: float
    """Profit or loss in percent of the entry."""
    pnl_r: float
    """Profit or loss as a multiple of the published risk, the distance from entry to stop loss."""
    entry_price: Optional[float]
    """Fill price of the entry; `null` if the entry was not filled."""
    exit_price: Optional[float]
    """Exit price, the weighted mean of several exits; `null` if the entry was not filled."""
    closed_at: str
    """Time of the closing (ISO 8601, UTC)."""
    close_reason: Literal["take_profit", "stop_loss", "manual", "expired", "unfilled", "voided"]
    """`take_profit` or `stop_loss`: the market reached the level. `manual`: closed by the publisher. `expired`: the
    deadline passed. `unfilled`: the entry was never filled. `voided`: an operator voided the signal, with a
    public reason.
    """


class SignalClosed(_SignalClosedRequired, total=False):
    """A closed signal; sent to subscriptions with `"closes":true`."""

    pnl_best: float
    """Present if only a bar was available to judge the signal: profit or loss in pips in the best case. `pnl` is the
    worst case.
    """
    gap_from: str
    """Start of an interval without prices while the signal was active (ISO 8601, UTC)."""
    gap_to: str
    """End of that interval (ISO 8601, UTC)."""
    self_sourced: Literal[True]
    """Present if ticks pushed by the account of the publisher decided the result. For ranking, losses of such
    signals count and wins do not.
    """
    recovered: Literal["tape", "backfill"]
    """Present if this was determined after an interruption: from the recorded tape, or from prices that the feed
    delivered later.
    """
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
    """Kind of the condition."""


class SignalCondition(_SignalConditionRequired, total=False):
    """A signal is published, filled or closed."""

    events: List[Literal["published", "filled", "closed"]]
    """What happens to the signal."""
    publisher: str
    """Name or id of the publisher; any by default."""


class SignalExit(TypedDict):
    """A part of the position that exited at a target."""

    target: int
    """Number of the target, starting at 1."""
    fraction: float
    """Part of the position that exited."""
    price: float
    """Exit price."""
    exited_at: str
    """Time of the exit (ISO 8601, UTC)."""


class _SignalExitedRequired(TypedDict):
    """Fields that every `SignalExited` has."""

    id: str
    """Id of the signal."""
    user: str
    """Display name of the publisher."""
    symbol: str
    """Instrument code in upper case."""
    change: Literal["exited"]
    """Kind of the change: `exited`."""
    target: int
    """Number of the target, starting at 1."""
    fraction: float
    """Part of the position that exited."""
    price: float
    """Exit price."""
    timestamp: str
    """Time of the exit (ISO 8601, UTC)."""


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
    """Id of the signal."""
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
    """State of the signal."""
    timestamp: str
    """Publication time (ISO 8601, UTC)."""
    state: Literal["open"]
    """The entry is filled."""
    filled_at: str
    """Time of the fill (ISO 8601, UTC)."""
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
    """Number of items in this response."""


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
    """Text whose hash is `note_sha256` of the publication; `null` if there is none."""
    records: List[LogEntry]
    """All records about the signal, in order."""


class _SignalPublishedRequired(TypedDict):
    """Fields that every `SignalPublished` has."""

    id: str
    """Id of the signal."""
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
    """Publication time (ISO 8601, UTC)."""


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
    """Direction of the trade."""
    entry: float
    """Entry price, with at most as many decimals as the instrument's digits. Near the market it is a market order,
    which the next quote fills; otherwise it is a limit or stop order.
    """
    stop_loss: float
    """Stop loss price: below the entry for a buy, above it for a sell."""


class SignalRequest(_SignalRequestRequired, total=False):
    """A signal to publish."""

    take_profit: float
    """Take profit price: above the entry for a buy, below it for a sell. Required without `targets`; with them it is
    the price of the last one.
    """
    targets: List[TargetRequest]
    """Where the parts of the position exit, nearest first. The fractions add up to 1."""
    breakeven_after: int
    """Number of targets after which the stop moves to the entry. By default it never does."""
    expires_at: str
    """Deadline of the signal, at most 30 days ahead (ISO 8601). By default 24 hours for a pending entry and 30 days
    for the trade.
    """
    note: str
    """Note for readers, plain text. Line feeds and tabs are the only control characters allowed."""
    signed: RequestSignature
    """Signature of the request; required if the account has a signing key."""


class SignalSpecification(TypedDict):
    """Specification of the instrument at the time of publication."""

    digits: int
    """Decimal places of a price."""
    pip_size: float
    """Size of one pip, in price units."""


class SignalTarget(TypedDict):
    """A target: a part of the position and the price at which it exits."""

    price: float
    """Price of the target."""
    fraction: float
    """Part of the position that exits there, up to 1."""


class SignalWindows(TypedDict):
    """High-impact events of the instrument within 2 minutes of the entry or exit of a signal."""

    inside: bool
    """Whether the entry or an exit was inside a window."""
    entry: List[MarkedEvent]
    """Events whose window contained the fill of the entry."""
    exit: List[MarkedEvent]
    """Events whose window contained the last exit."""


class SigningKey(TypedDict):
    """The key with which the account signs its requests about signals."""

    public_key: Optional[str]
    """Ed25519 public key, 32 bytes, hex; `null` if the account has no signing key."""
    n: Optional[int]
    """Number of the record that registered or removed it; `null` if there is none."""


class SigningKeyRequest(TypedDict):
    """The key with which the account signs its requests about signals."""

    public_key: Optional[str]
    """Ed25519 public key, 32 bytes, hex; `null` removes the key."""


class _SlackAddressRequired(TypedDict):
    """Fields that every `SlackAddress` has."""

    channel: Literal["slack"]
    """Channel."""
    url: str
    """Address of the Slack webhook."""


class SlackAddress(_SlackAddressRequired, total=False):
    """A channel of Slack."""

    name: str
    """Name for your own reference."""


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

    channel: Literal["market", "bars", "orderflow", "footprint", "signals", "news", "alerts"]
    """Name of the channel; present on /ws and /sse only."""


class SpreadCondition(TypedDict):
    """State: the spread is too wide."""

    type: Literal["spread"]
    """Kind of the condition."""
    above: float
    """Ask minus bid is above this, in price units."""


class StaleCondition(TypedDict):
    """State: the instrument has had no quote for some time although its market is open."""

    type: Literal["stale"]
    """Kind of the condition."""
    seconds: int
    """Seconds without a quote while the market is open."""


class StreamReport(TypedDict):
    """An open stream."""

    channel: str
    """Name of the channel; `ws` and `sse` for connections that carry several."""
    account: Optional[str]
    """Display name of the account; `null` before authentication."""
    key: Optional[str]
    """Public id of the key or session; `null` before authentication."""
    scopes: List[Literal["read", "publish", "ingest", "admin", "hook"]]
    """Scopes of the key or session."""
    address: str
    """IP address of the client."""
    since: str
    """Time at which the connection was opened (ISO 8601, UTC)."""
    subscriptions: int
    """Number of subscriptions."""
    buffered_bytes: int
    """Bytes sent but not yet received by the client."""
    slow: bool
    """Whether the client is behind and receives only the latest messages."""


class StreamReportList(TypedDict):
    """Open WebSocket connections."""

    items: List[StreamReport]
    """Open connections, oldest first."""
    count: int
    """Number of items in this response."""
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
    """Length of the bars."""
    indicators: List[str]
    """With `"channel":"bars"`: add the values of these indicators to each bar, such as
    `["rsi(14)","macd(12,26,9)"]`.
    """
    symbols: List[str]
    """Instrument codes; "*" means all. Optional on /ws/signals, /ws/news and /ws/alerts."""
    api_key: str
    """API key; required until the connection is authenticated."""
    id: Union[str, float]
    """Id of the request, echoed in the response."""
    seq: bool
    """Add `seq`, `prev` and `epoch` to every message. Default `false`."""
    ms: bool
    """On /ws/market and /ws/orderflow: add `time_ms`, the time in milliseconds, to every message. Default `false`."""
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


class SubscriptionPublisher(TypedDict):
    """`SubscriptionPublisher` of the service."""

    id: str
    """Id."""
    name: str
    """Name."""


class Subscription(TypedDict):
    """A subscription."""

    id: str
    """Id of the subscription."""
    publisher: Optional[SubscriptionPublisher]
    """Publisher that it follows; `null` if none."""
    symbol: Optional[str]
    """Instrument that it follows; `null` if none."""
    category: Optional[Literal["forex", "gold", "crypto", "macro"]]
    """News category that it follows; `null` if none."""
    events: List[Literal["published", "filled", "closed"]]
    """What it tells of signals."""
    mirror: bool
    """Whether it is a mirror for a community."""
    delay_seconds: int
    """Delay of its messages, by the tier of the account."""
    deliver: List[DeliverEntry]
    """Where its messages are delivered."""
    created_at: str
    """Time of creation (ISO 8601, UTC)."""


class SubscriptionList(TypedDict):
    """Subscriptions of the account."""

    items: List[Subscription]
    """Subscriptions, newest first."""
    count: int
    """Number of items in this response."""


class SubscriptionNoticeRejectedItem(TypedDict):
    """`SubscriptionNoticeRejectedItem` of the service."""

    symbol: str
    """Symbol as requested."""
    code: Literal["missing_key", "invalid_key", "missing_scope", "ingest_disabled", "rate_limited", "too_many_failures", "too_many_requests", "too_many_connections", "invalid_parameter", "repeated_parameter", "malformed_path", "malformed_body", "symbol_not_found", "not_found", "signal_not_found", "publisher_not_found", "news_not_found", "no_evidence", "export_rows_exhausted", "alert_not_found", "subscription_not_found", "destination_not_found", "delivery_not_found", "invalid_condition", "too_many_alerts", "too_many_destinations", "channel_not_configured", "private_address", "destination_unverified", "wrong_destination_code", "not_replayable", "precondition_failed", "range_not_satisfiable", "too_many_downloads", "not_your_signal", "signal_closed", "close_requested", "signal_voided", "too_many_signals", "too_many_signals_of_symbol", "signals_exhausted", "market_closed", "stale_quote", "price_unconfirmed", "finer_than_digits", "levels_out_of_order", "invalid_targets", "stop_not_tighter", "too_many_amendments", "signature_required", "invalid_signature", "stale_signature", "entry_too_far", "distance_out_of_range", "level_reached", "expiry_out_of_range", "ai_calls_exhausted", "model_not_found", "model_unavailable", "session_required", "invalid_session", "wrong_credentials", "wrong_password", "two_factor_required", "wrong_code", "two_factor_enabled", "two_factor_disabled", "account_disabled", "foreign_origin", "registration_closed", "invalid_token", "account_not_found", "key_not_found", "link_not_found", "session_not_found", "invitation_not_found", "name_taken", "owner_account", "document_not_found", "document_conflict", "too_many_documents", "key_revoked", "too_many_keys", "key_creations_exhausted", "too_many_attempts", "method_not_allowed", "idempotency_conflict", "payload_too_large", "uri_too_long", "unsupported_encoding", "upgrade_required", "internal", "service_full", "no_quote", "no_trades", "no_conversion", "no_active_ingest", "store_unavailable", "shutting_down", "malformed_json", "invalid_message", "unknown_action", "unknown_channel", "bad_messages", "too_slow", "message_too_large", "stream_limit", "too_many_messages", "subscription_limit"]
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

    channel: Literal["market", "bars", "orderflow", "footprint", "signals", "news", "alerts"]
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
    """Where firings are delivered, besides the list of firings and `/ws/alerts`."""


class SubscriptionRequest(_SubscriptionRequestRequired, total=False):
    """A subscription to create; exactly one of publisher, symbol and category."""

    publisher: str
    """Name or id of a publisher: its signals."""
    symbol: str
    """An instrument: its signals and headlines."""
    category: Literal["forex", "gold", "crypto", "macro"]
    """A news category: its headlines."""
    events: List[Literal["published", "filled", "closed"]]
    """What to be told of signals."""
    mirror: bool
    """Mirror for a community: posts every publication, fill and closing, without exception; `events` must not be
    narrowed.
    """


class _SymbolQuoteRequired(TypedDict):
    """Fields that every `SymbolQuote` has."""

    symbol: str
    """Instrument code in upper case."""
    bid: float
    """Best price at which the market buys."""
    ask: float
    """Best price at which the market sells."""
    spread: float
    """ask − bid in price units, rounded to the digits of the instrument."""
    timestamp: str
    """Time of the quote (ISO 8601, UTC)."""


class SymbolQuote(_SymbolQuoteRequired, total=False):
    """Current bid and ask of one instrument."""

    stale: bool
    """Only with `detail=true`: whether the quote is stale, that is restored from the store after a restart with none
    since, or older than 60 seconds in an open market.
    """


class TapeSeal(TypedDict):
    """Hash of one UTC day of an instrument's tape."""

    n: int
    """Number of the record, starting at 0."""
    prev: str
    """Hash of the previous record; 64 zeros in the first one."""
    rules: int
    """Version of the rules."""
    at: str
    """Time at which the record was written (ISO 8601, UTC)."""
    type: Literal["tape"]
    """Kind of the record: `tape`."""
    day: str
    """UTC day."""
    symbol: str
    """Instrument code in upper case."""
    ticks: int
    """Number of ticks of the day."""
    sha256: str
    """SHA-256 of the tape, hex."""


class TargetRequest(TypedDict):
    """A target of a signal."""

    price: float
    """Price of the target."""
    fraction: float
    """Part of the position that exits there."""


class _TelegramAddressRequired(TypedDict):
    """Fields that every `TelegramAddress` has."""

    channel: Literal["telegram"]
    """Channel."""


class TelegramAddress(_TelegramAddressRequired, total=False):
    """A Telegram chat: it is linked by sending the code of the response to the bot."""

    name: str
    """Name for your own reference."""


class TicksPage(TypedDict):
    """Quotes or trades of one instrument, one page."""

    symbol: str
    """Instrument code in upper case."""
    kind: Literal["quotes", "trades"]
    """Which ticks these are."""
    items: Union[List[HistoryQuote], List[HistoryTrade]]
    """Ticks in ascending order of time, those of the same time by `seq`."""
    next: Optional[str]
    """Cursor of the next page: older ticks, or newer ones if `from` was given. `null` if there are no more."""


class Tier(TypedDict):
    """Limits of a tier."""

    requests_per_minute: int
    """REST requests allowed in any rolling 60 seconds."""
    streams: int
    """Open authenticated WebSocket connections allowed."""
    ai_calls_per_day: int
    """AI calls allowed per UTC day: requests that a model answers, or that the client aborts after a model was
    asked.
    """
    signals_per_day: int
    """Signals that may be published per UTC day."""
    active_signals_per_symbol: int
    """Signals of one instrument that may be active at a time."""
    export_rows_per_day: int
    """Rows of bars and ticks that may be downloaded as files per UTC day."""
    alerts: int
    """Alerts and subscriptions that may be active at a time."""
    deliveries_per_day: int
    """Messages to destinations that may be sent per UTC day."""
    delivery_delay_seconds: int
    """Delay of the messages of subscriptions, in seconds."""


class TierChange(TypedDict):
    """Changes the tier of an account."""

    tier: str
    """Name of the new tier."""


class TrackRecord(TypedDict):
    """Verified results of one publisher."""

    name: str
    """Display name."""
    publisher: str
    """Id of the publisher, which never changes."""
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
    """Lowest R of an open signal since its fill, by minute bars; `null` without one."""
    drawdown_r: float
    """Current decline of the sum of R from its peak, open signals included."""
    exposure: List[Exposure]
    """Net direction of open signals by asset."""
    voided: int
    """Signals that an operator declared void."""
    warnings: List[RecordWarning]
    """Warnings about the results."""
    signals: int
    """Published signals."""
    active: int
    """Active signals."""
    closed: int
    """Closed signals."""
    ranked_signals: int
    """Closed signals with a result under rules version 2."""
    wins: int
    """Ranked, R above 0."""
    losses: int
    """Ranked, R below 0."""
    breakeven: int
    """Ranked, R exactly 0."""
    unfilled: int
    """Closed before the entry was filled."""
    unranked: int
    """Other closed signals: of rules version 1, void, or with missing or untrusted prices."""
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
    """Largest decline of the sum of R from a peak, in R."""
    average_holding_seconds: Optional[float]
    """Mean seconds from fill to closing."""
    sharpe: Optional[float]
    """Mean / standard deviation of R, per signal."""
    probabilistic_sharpe: Optional[float]
    """Probability that the true Sharpe ratio is above 0, if results are independent."""
    signals_needed: Optional[int]
    """Ranked signals needed for 95 %; `null` if unknown."""
    first_at: Optional[str]
    """First publication (ISO 8601, UTC)."""
    last_at: Optional[str]
    """Last publication (ISO 8601, UTC)."""


class TradeEvidence(TypedDict):
    """A missed trade that was fetched later. It gives the price of the side it traded on."""

    kind: Literal["trade"]
    """Kind of the evidence."""
    seq: int
    """Sequence number of the event."""
    time: str
    """Time of the event (ISO 8601, UTC)."""
    source: str
    """Feed that delivered the event, or `push:` and the publisher id of the account that pushed it."""
    price: float
    """Price of the trade."""
    side: Literal["buy", "sell"]
    """Side of the taker."""
    spread: float
    """Spread of the last quote before it, from which the other side of the market is derived."""


class _TradeLineRequired(TypedDict):
    """Fields that every `TradeLine` has."""

    symbol: str
    """Instrument code."""
    time: Union[float, str]
    """Unix time in milliseconds, or ISO 8601 with an offset."""
    price: float
    """Price of the trade."""
    size: float
    """Size of the trade."""


class TradeLine(_TradeLineRequired, total=False):
    """A pushed trade."""

    side: Literal["buy", "sell"]
    """Side of the taker. Inferred from the quotes by default."""


class TradingHoursSession(TypedDict):
    """`TradingHoursSession` of the service."""

    open: str
    """Opening (ISO 8601, UTC)."""
    close: str
    """Close (ISO 8601, UTC)."""


class TradingHoursClosedItem(TypedDict):
    """`TradingHoursClosedItem` of the service."""

    date: str
    """Local date of the trading day."""
    reason: str
    """Name of the holiday or event."""


class TradingHours(TypedDict):
    """Trading sessions of one instrument in a time range."""

    symbol: str
    """Instrument code in upper case."""
    timezone: str
    """IANA name of the time zone in which the hours are defined. `UTC` if the market never closes."""
    sessions: List[TradingHoursSession]
    """Sessions that overlap the range, in ascending order. They are whole, so the first may open before the range
    and the last may close after it. Breaks and early closes are included. A market that never closes has one
    session: the range.
    """
    closed: List[TradingHoursClosedItem]
    """Weekdays in the range on which the market is closed all day."""


class _TradingViewAlertRequired(TypedDict):
    """Fields that every `TradingViewAlert` has."""

    symbol: str
    """Instrument code. An exchange prefix, as in `OANDA:EURUSD`, is removed."""
    direction: str
    """`buy` or `long`, `sell` or `short` (case-insensitive)."""
    entry: Union[float, str]
    """Entry price, with at most as many decimals as the instrument's digits. Near the market it is a market order,
    which the next quote fills; otherwise it is a limit or stop order.
    """
    stop_loss: Union[float, str]
    """Stop loss price: below the entry for a buy, above it for a sell."""
    take_profit: Union[float, str]
    """Take profit price: above the entry for a buy, below it for a sell."""


class TradingViewAlert(_TradingViewAlertRequired, total=False):
    """A signal to publish, as a TradingView alert message."""

    expires_at: str
    """Deadline of the signal, at most 30 days ahead (ISO 8601). By default 24 hours for a pending entry and 30 days
    for the trade.
    """
    note: str
    """Note for readers, plain text. Line feeds and tabs are the only control characters allowed."""
    id: str
    """Idempotency key: an alert with the same id within 24 hours gets the first response again and publishes
    nothing.
    """


class TwoFactorCode(TypedDict):
    """Confirms the set-up with a code of the authenticator app."""

    code: str
    """Code of the authenticator app, or a recovery code."""


class TwoFactorConfirmed(TypedDict):
    """Recovery codes."""

    recovery_codes: List[str]
    """Ten codes that each work once in place of the app, shown only once."""


class TwoFactorDisabling(TypedDict):
    """Disables two-factor sign-in."""

    password: str
    """Current password."""
    code: str
    """Code of the authenticator app, or a recovery code."""


class TwoFactorSecretQr(TypedDict):
    """The URI as a QR code."""

    size: int
    """Width and height in modules, with white space around the code."""
    path: str
    """The dark modules as SVG path data, one unit per module."""


class TwoFactorSecret(TypedDict):
    """The secret for an authenticator app, shown only once."""

    secret: str
    """The shared secret (Base32), to type into an authenticator app."""
    uri: str
    """The same as an `otpauth://` URI."""
    qr: TwoFactorSecretQr
    """The URI as a QR code."""


class TwoFactorSetup(TypedDict):
    """Starts the set-up of two-factor sign-in."""

    password: str
    """Current password."""


class TwoFactorStatus(TypedDict):
    """Two-factor sign-in of the account."""

    enabled: bool
    """Whether sign-in asks for a code."""
    enabled_at: Optional[str]
    """Time at which it was enabled (ISO 8601, UTC); `null` if it is not."""
    recovery_codes_left: int
    """Number of unused recovery codes."""


class UdfConfigExchange(TypedDict):
    """`UdfConfigExchange` of the service."""

    value: str
    """Value of `exchange`."""
    name: str
    """Name."""
    desc: str
    """Description."""


class UdfConfigSymbolsType(TypedDict):
    """`UdfConfigSymbolsType` of the service."""

    name: str
    """Name."""
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
    """Name."""
    lp: float
    """Last price."""
    ask: float
    """Best ask."""
    bid: float
    """Best bid."""
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
    """Name."""
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
    """Name."""
    type: Literal["forex", "commodity", "crypto", "index", "stock"]
    """Class of the instrument."""
    exchange: str
    """`TICKWIRE`, or `TICKWIRE-SIM` for simulated markets."""
    listed_exchange: str
    """The same."""
    timezone: str
    """`Etc/UTC`: bars are aligned to UTC."""
    session: str
    """`24x7`, so that charts show every bar. An interval without data has no bar."""
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
    """Seconds until the oldest counted request leaves the window."""


class UsageStreams(TypedDict):
    """WebSocket streams."""

    limit: int
    """Open streams allowed."""
    open: int
    """Streams open now."""


class UsageAiCalls(TypedDict):
    """AI calls."""

    limit: int
    """AI calls allowed per UTC day."""
    used: int
    """AI calls used today."""
    remaining: int
    """AI calls remaining today."""
    resets_at: str
    """Start of the next day (ISO 8601, UTC)."""


class _UsageRequired(TypedDict):
    """Fields that every `Usage` has."""

    account: str
    """Display name of the account. Limits apply to all its keys together."""
    key: str
    """Public id of the key, or id of the session."""
    scopes: List[str]
    """Scopes of the key or session."""
    tier: str
    """Name of the tier."""
    requests: UsageRequests
    """REST requests."""
    streams: UsageStreams
    """WebSocket streams."""
    ai_calls: UsageAiCalls
    """AI calls."""


class UsageSignals(TypedDict):
    """Published signals. Only with `detail=true`."""

    limit: Optional[int]
    """Signals that may be published per UTC day; `null` if there is no limit."""
    used: int
    """Signals published today."""
    remaining: Optional[int]
    """Signals that may still be published today; `null` if there is no limit."""
    resets_at: str
    """Start of the next day (ISO 8601, UTC)."""
    active_per_symbol: int
    """Signals of one instrument that may be active at a time."""


class Usage(_UsageRequired, total=False):
    """Current usage of the limits."""

    signals: UsageSignals
    """Published signals. Only with `detail=true`."""
    limits_of: Literal["keys", "sessions"]
    """Only with `detail=true`: whose requests and streams are counted above. All keys of an account share the limits
    of its tier, all its sessions share limits of their own.
    """


class UsageHistoryPoint(TypedDict):
    """`UsageHistoryPoint` of the service."""

    time: str
    """Start of the interval (ISO 8601, UTC)."""
    requests: int
    """REST requests that counted against the limit."""
    errors: int
    """Requests that got an error response, including rejected ones."""
    ai_calls: int
    """AI calls."""
    stream_seconds: int
    """Total time of open streams in seconds, accurate to about five seconds per stream."""


class UsageHistoryKey(TypedDict):
    """`UsageHistoryKey` of the service."""

    key: Optional[str]
    """Public id of the key; `null` for all sessions together."""
    name: Optional[str]
    """Name of the key; `null` for sessions."""
    requests: int
    """REST requests that counted against the limit."""
    errors: int
    """Requests that got an error response, including rejected ones."""
    ai_calls: int
    """AI calls."""
    stream_seconds: int
    """Total time of open streams in seconds, accurate to about five seconds per stream."""


class _UsageHistoryRequired(TypedDict):
    """Fields that every `UsageHistory` has."""

    period: Literal["hour", "day", "month"]
    """Period covered."""
    step_seconds: int
    """Time between two points in seconds."""
    limits: Tier
    """Limits of the tier. They apply to all keys together, not to sessions."""
    points: List[UsageHistoryPoint]
    """Usage of the account by interval, oldest first, without gaps. The last interval is in progress."""
    keys: List[UsageHistoryKey]
    """Usage of the whole period by key, for keys that were used."""


class UsageHistorySessionsLimits(TypedDict):
    """Limits that all sessions of the account share, whatever its tier."""

    requests_per_minute: int
    """Requests allowed in 60 seconds."""
    streams: int
    """Open streams allowed."""


class UsageHistorySessionsPoint(TypedDict):
    """`UsageHistorySessionsPoint` of the service."""

    time: str
    """Start of the interval (ISO 8601, UTC)."""
    requests: int
    """REST requests that counted against the limit."""
    errors: int
    """Requests that got an error response, including rejected ones."""
    ai_calls: int
    """AI calls."""
    stream_seconds: int
    """Total time of open streams in seconds, accurate to about five seconds per stream."""


class UsageHistorySessions(TypedDict):
    """Only with `detail=true`: usage by signed-in sessions."""

    limits: UsageHistorySessionsLimits
    """Limits that all sessions of the account share, whatever its tier."""
    points: List[UsageHistorySessionsPoint]
    """The part of `points` that comes from sessions. The rest comes from keys."""


class UsageHistory(_UsageHistoryRequired, total=False):
    """Usage over time."""

    sessions: UsageHistorySessions
    """Only with `detail=true`: usage by signed-in sessions."""


class VoidRequest(TypedDict):
    """The reason for which a signal is voided."""

    reason: str
    """Why the signal is voided, plain text. Everyone can read it, and it stays in the log for good."""


class VoidedRecord(TypedDict):
    """An operator voided a signal: it counts as if it had not been published."""

    n: int
    """Number of the record, starting at 0."""
    prev: str
    """Hash of the previous record; 64 zeros in the first one."""
    rules: int
    """Version of the rules."""
    at: str
    """Time at which the record was written (ISO 8601, UTC)."""
    type: Literal["voided"]
    """Kind of the record: `voided`."""
    signal: str
    """Id of the signal."""
    publisher: str
    """Id of the publisher."""
    symbol: str
    """Instrument code in upper case."""
    reason: str
    """Why the operator voided the signal."""


class VolumeCondition(TypedDict):
    """State: the volume of the forming bar is above a threshold."""

    type: Literal["volume"]
    """Kind of the condition."""
    interval: Literal["1m", "5m", "15m", "1h", "4h", "1d"]
    """Length of the bars."""
    above: float
    """Traded volume of the forming bar is above this."""


class _WebhookAddressRequired(TypedDict):
    """Fields that every `WebhookAddress` has."""

    channel: Literal["webhook"]
    """Channel."""
    url: str
    """Address of the receiver."""


class WebhookAddress(_WebhookAddressRequired, total=False):
    """A webhook that is signed by the rules of Standard Webhooks."""

    name: str
    """Name for your own reference."""


class _WebhookMessageDataRequired(TypedDict):
    """Fields that every `WebhookMessageData` has."""

    alert_id: str
    """Id of the alert or subscription."""
    symbol: Optional[str]
    """Instrument; `null` if the cause has none."""
    condition: AlertCondition
    price: Optional[float]
    """Price or value that fired it; `null` if there is none."""
    seq: Optional[int]
    """Position of the event in the journal; `null` if it is not known."""
    title: str
    """What happened, in one line."""
    note: Optional[str]
    """Note of the alert."""
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
    """Time of the event (ISO 8601, UTC)."""
    data: WebhookMessageData
    """What happened."""


class WindowFigures(TypedDict):
    """Figures over the signals near calendar events, or over all others."""

    signals: int
    """Published signals."""
    active: int
    """Active signals."""
    closed: int
    """Closed signals."""
    ranked_signals: int
    """Closed signals with a result under rules version 2."""
    wins: int
    """Ranked, R above 0."""
    losses: int
    """Ranked, R below 0."""
    breakeven: int
    """Ranked, R exactly 0."""
    unfilled: int
    """Closed before the entry was filled."""
    unranked: int
    """Other closed signals: of rules version 1, void, or with missing or untrusted prices."""
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
    """Largest decline of the sum of R from a peak, in R."""
    average_holding_seconds: Optional[float]
    """Mean seconds from fill to closing."""
    sharpe: Optional[float]
    """Mean / standard deviation of R, per signal."""
    probabilistic_sharpe: Optional[float]
    """Probability that the true Sharpe ratio is above 0, if results are independent."""
    signals_needed: Optional[int]
    """Ranked signals needed for 95 %; `null` if unknown."""
    first_at: Optional[str]
    """First publication (ISO 8601, UTC)."""
    last_at: Optional[str]
    """Last publication (ISO 8601, UTC)."""


class WindowRecords(TypedDict):
    """Results near high-impact calendar events, and without them."""

    minutes: int
    """Minutes before and after an event."""
    inside: WindowFigures
    """Signals whose entry or exit was inside a window."""
    outside: WindowFigures
    """All other signals."""


AlertCondition = Union[PriceCondition, MoveCondition, BarCloseCondition, IndicatorCondition, VolumeCondition, DeltaCondition, AbsorptionCondition, SpreadCondition, HeadlineCondition, SignalCondition, CalendarCondition, StaleCondition, MarketCondition, CombinedCondition]
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
"""Server-sent events. `data` is a message of a channel, as on `/ws`; replies and notices have the event type `notice`."""


Evidence = Union[QuoteEvidence, TradeEvidence, BarEvidence]
"""The market event that decided a fill or a closing."""


EvidenceLine = Union[EvidenceQuote, EvidenceTrade, EvidenceBar]
"""A line of the tape: a quote, a trade, or a minute known only as a bar."""


IndicatorAnswer = Union[IndicatorPage, IndicatorSet]
"""Values of one indicator, or of several."""


IngestLine = Union[QuoteLine, TradeLine]
"""A pushed quote or trade."""


LogRecord = Union[OpenedRecord, PublishedRecord, FilledRecord, ExitedRecord, AmendedRecord, CloseRequestedRecord, ClosedRecord, VoidedRecord, PublisherKeyRecord, TapeSeal]
"""A record of the signal log."""


Signal = Union[ActiveSignal, ClosedSignal]
"""An active or closed signal."""


SignalDetail = Union[ActiveSignalDetail, ClosedSignalDetail]
"""A signal in detail."""


SignalsCsv = str
"""Signals, one per line, after a header line."""


SimpleCondition = Union[PriceCondition, MoveCondition, BarCloseCondition, IndicatorCondition, VolumeCondition, DeltaCondition, AbsorptionCondition, SpreadCondition, HeadlineCondition, SignalCondition, CalendarCondition, StaleCondition, MarketCondition]
"""One condition of an alert."""


UdfHistory = Union[UdfHistoryValue, UdfHistory1]
"""Bars as columns; the newest one may still be forming."""


UdfSearchResult = List[UdfSearchResultItem]
"""Instruments that match, the best first."""


UdfTime = int
"""Unix time in seconds."""


ErrorCode = Literal[
    "missing_key",
    "invalid_key",
    "missing_scope",
    "ingest_disabled",
    "rate_limited",
    "too_many_failures",
    "too_many_requests",
    "too_many_connections",
    "invalid_parameter",
    "repeated_parameter",
    "malformed_path",
    "malformed_body",
    "symbol_not_found",
    "not_found",
    "signal_not_found",
    "publisher_not_found",
    "news_not_found",
    "no_evidence",
    "export_rows_exhausted",
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
    "precondition_failed",
    "range_not_satisfiable",
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
    "ai_calls_exhausted",
    "model_not_found",
    "model_unavailable",
    "session_required",
    "invalid_session",
    "wrong_credentials",
    "wrong_password",
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
    "document_not_found",
    "document_conflict",
    "too_many_documents",
    "key_revoked",
    "too_many_keys",
    "key_creations_exhausted",
    "too_many_attempts",
    "method_not_allowed",
    "idempotency_conflict",
    "payload_too_large",
    "uri_too_long",
    "unsupported_encoding",
    "upgrade_required",
    "internal",
    "service_full",
    "no_quote",
    "no_trades",
    "no_conversion",
    "no_active_ingest",
    "store_unavailable",
    "shutting_down",
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
]
"""Error codes of the service's catalogue."""
