//+------------------------------------------------------------------+
//| TickwirePush: sends the ticks of a MetaTrader 5 terminal to a     |
//| Tickwire service, POST {url}/ingest/ticks, one JSON object per    |
//| line.                                                             |
//|                                                                   |
//| OnTick is not used, because it is called for one symbol only and  |
//| skips ticks while the program is busy. The terminal stores every  |
//| tick in its own database: a cursor per symbol marks how far it has|
//| been read, and CopyTicks continues there. The database is the     |
//| queue; memory holds at most one batch.                            |
//|                                                                   |
//| Instructions and messages: README.md in this folder.              |
//+------------------------------------------------------------------+
#property copyright   "Tickwire, Apache-2.0"
#property version     "1.00"
#property description "Sends the ticks of this terminal to a Tickwire service."

input string InpUrl           = "http://127.0.0.1:8080"; // Address of the service
input string InpApiKey        = "";                      // API key with the scope ingest
input string InpSymbols       = "";                      // Symbols, comma-separated (empty: symbol of this chart)
input string InpSuffixes      = "";                      // Suffixes to strip, comma-separated (.m,.pro)
input string InpRename        = "";                      // Renamed symbols, comma-separated (GOLD=XAUUSD)
input int    InpIntervalMs    = 250;                     // Interval between batches, ms
input int    InpBatchTicks    = 500;                     // Maximum ticks per request
input int    InpBacklogMin    = 60;                      // Drop ticks older than this, minutes
input int    InpTimeoutMs     = 5000;                    // Response timeout, ms
input bool   InpAutoOffset    = true;                    // Detect the time zone of the server
input int    InpOffsetMinutes = 0;                       // Server time minus UTC, minutes (if not detected)
input int    InpReportMin     = 5;                       // Interval between printed counts, minutes

#define INGEST_PATH      "/ingest/ticks"
#define FIRST_WAIT_MS    1000
#define MAX_WAIT_MS      60000
#define LARGEST_BATCH    5000
// Maximum requests per timer call while there is a backlog.
#define MAX_ROUNDS       20
#define OFFSET_CHECK_MS  60000
#define DROP_CHECK_MS    60000
#define COMPLAINT_MS     60000
#define QUARTER_SEC      900
#define MAX_OFFSET_SEC   50400
// A larger deviation from a multiple of 15 minutes means that a clock is wrong.
#define CLOCK_DOUBT_SEC  120

struct TickSource
  {
   string            name;       // name at the broker
   string            wire;       // name at the service
   int               digits;
   long              msc;        // cursor: time_msc of the last tick read, in server time; 0: not set yet
   int               taken;      // number of ticks read of that millisecond
   long              beforeMsc;  // cursor before the pending batch
   int               beforeTaken;
   long              afterMsc;   // cursor after it
   int               afterTaken;
   MqlTick           ticks[];    // result of CopyTicks
   int               count;      // number of valid entries
   int               at;         // index of the next one
  };

TickSource g_sources[];
string     g_url          = "";
string     g_store        = "";  // prefix of the terminal's global variables
string     g_run          = "";  // makes the keys of this run unique
long       g_batchNumber  = 0;
int        g_batchSize    = 0;

// The pending batch. It is repeated unchanged, with the same key, until there is a response.
char       g_body[];
string     g_key          = "";
int        g_pending      = 0;   // ticks in it; 0: no batch is pending
int        g_failures     = 0;
ulong      g_nextTry      = 0;

long       g_offset       = 0;   // server time minus UTC, seconds
bool       g_offsetKnown  = false;
long       g_offsetSeen   = 0;
ulong      g_offsetCheck  = 0;

long       g_sent         = 0;   // ticks in batches with a response
long       g_accepted     = 0;   // of these, accepted by the service
long       g_rejected     = 0;
long       g_dropped      = 0;   // too old, or in a batch that was rejected permanently
long       g_unusable     = 0;   // without bid or ask
long       g_repeats      = 0;   // repeated requests
ulong      g_nextReport   = 0;
ulong      g_nextDrop     = 0;
ulong      g_nextWarning  = 0;

//+------------------------------------------------------------------+
int OnInit()
  {
   if(MQLInfoInteger(MQL_TESTER)!=0)
     {
      Print("Tickwire: does not run in the strategy tester, which has no network and no real ticks");
      return(INIT_FAILED);
     }
   if(InpApiKey=="" || InpUrl=="")
     {
      Print("Tickwire: InpUrl and InpApiKey (a key with the scope ingest) are required");
      return(INIT_PARAMETERS_INCORRECT);
     }
   if(InpIntervalMs<20 || InpBatchTicks<1 || InpBatchTicks>LARGEST_BATCH || InpBacklogMin<1 || InpTimeoutMs<100)
     {
      PrintFormat("Tickwire: interval from 20 ms, batch from 1 to %d ticks, backlog from 1 minute, timeout from 100 ms",
                  LARGEST_BATCH);
      return(INIT_PARAMETERS_INCORRECT);
     }
   g_url=InpUrl;
   while(StringLen(g_url)>0 && StringGetCharacter(g_url,StringLen(g_url)-1)=='/')
      g_url=StringSubstr(g_url,0,StringLen(g_url)-1);
   // A different server has a different clock.
   g_store="tickwire."+Hash(g_url+" "+AccountInfoString(ACCOUNT_SERVER))+".";
   g_url+=INGEST_PATH;
   g_run=StringFormat("mt5-%I64d-%I64d-%I64d",AccountInfoInteger(ACCOUNT_LOGIN),ChartID(),(long)TimeLocal());
   g_batchSize=InpBatchTicks;
   // OnInit runs again after a change of inputs, and variables keep their values.
   g_pending=0;
   g_failures=0;
   g_nextTry=0;
   g_nextDrop=0;
   g_offsetKnown=false;
   g_offsetCheck=0;
   if(!OpenSources())
      return(INIT_PARAMETERS_INCORRECT);
   if(!EventSetMillisecondTimer(InpIntervalMs))
     {
      PrintFormat("Tickwire: cannot start the timer (error %d)",GetLastError());
      return(INIT_FAILED);
     }
   g_nextReport=GetTickCount64()+(ulong)InpReportMin*60000;
   PrintFormat("Tickwire: %d symbols to %s",ArraySize(g_sources),g_url);
   return(INIT_SUCCEEDED);
  }

//+------------------------------------------------------------------+
void OnDeinit(const int reason)
  {
   EventKillTimer();
   GlobalVariablesFlush();
   Report();
  }

//+------------------------------------------------------------------+
void OnTick()
  {
   // The timer handles all symbols.
  }

//+------------------------------------------------------------------+
void OnTimer()
  {
   if(!RefreshOffset())
      return;
   DropTooOld();
   for(int round=0; round<MAX_ROUNDS && !IsStopped(); round++)
     {
      if(g_pending==0 && BuildBatch()==0)
         break;
      const bool isFull=(g_pending>=g_batchSize);
      if(!SendBatch())
         break;
      // Not a full batch: there are no more ticks now.
      if(!isFull)
         break;
     }
   if(InpReportMin>0 && GetTickCount64()>=g_nextReport)
     {
      g_nextReport=GetTickCount64()+(ulong)InpReportMin*60000;
      Report();
     }
  }

//+------------------------------------------------------------------+
//| The symbols of the input without duplicates, selected in Market   |
//| Watch                                                             |
//+------------------------------------------------------------------+
bool OpenSources()
  {
   string names[];
   const string list=(InpSymbols=="") ? _Symbol : InpSymbols;
   const int parts=StringSplit(list,',',names);
   ArrayResize(g_sources,0);
   for(int i=0; i<parts; i++)
     {
      string name=names[i];
      StringTrimLeft(name);
      StringTrimRight(name);
      if(name=="")
         continue;
      if(!SymbolSelect(name,true))
        {
         PrintFormat("Tickwire: the broker has no symbol %s",name);
         return(false);
        }
      const string wire=WireName(name);
      for(int j=0; j<ArraySize(g_sources); j++)
         if(g_sources[j].wire==wire)
           {
            PrintFormat("Tickwire: %s and %s would both be sent as %s",g_sources[j].name,name,wire);
            return(false);
           }
      const int n=ArraySize(g_sources);
      ArrayResize(g_sources,n+1);
      g_sources[n].name=name;
      g_sources[n].wire=wire;
      g_sources[n].digits=(int)SymbolInfoInteger(name,SYMBOL_DIGITS);
      g_sources[n].msc=0;
      g_sources[n].taken=0;
      g_sources[n].count=0;
      g_sources[n].at=0;
      PrintFormat("Tickwire: %s is sent as %s",name,wire);
     }
   return(ArraySize(g_sources)>0);
  }

//+------------------------------------------------------------------+
//| The renamed symbol, or the symbol without the first matching      |
//| suffix                                                            |
//+------------------------------------------------------------------+
string WireName(const string name)
  {
   string wire=name;
   string parts[];
   const int renamings=StringSplit(InpRename,',',parts);
   for(int i=0; i<renamings; i++)
     {
      string pair[];
      if(StringSplit(parts[i],'=',pair)!=2)
         continue;
      StringTrimLeft(pair[0]);
      StringTrimRight(pair[0]);
      StringTrimLeft(pair[1]);
      StringTrimRight(pair[1]);
      if(pair[0]==name && pair[1]!="")
         return(pair[1]);
     }
   const int suffixes=StringSplit(InpSuffixes,',',parts);
   for(int i=0; i<suffixes; i++)
     {
      string suffix=parts[i];
      StringTrimLeft(suffix);
      StringTrimRight(suffix);
      const int rest=StringLen(name)-StringLen(suffix);
      if(suffix!="" && rest>0 && StringSubstr(name,rest)==suffix)
        {
         wire=StringSubstr(name,0,rest);
         break;
        }
     }
   StringToUpper(wire);
   return(wire);
  }

//+------------------------------------------------------------------+
//| Start after the last tick that the service received from this     |
//| terminal, unless that is too long ago; otherwise at the newest    |
//+------------------------------------------------------------------+
bool PlaceCursor(const int i)
  {
   MqlTick newest;
   if(!SymbolInfoTick(g_sources[i].name,newest) || newest.time_msc<=0)
      return(false);
   g_sources[i].msc=newest.time_msc;
   g_sources[i].taken=0;
   const string stored=g_store+g_sources[i].name;
   if(!GlobalVariableCheck(stored))
      return(true);
   const long last=(long)GlobalVariableGet(stored);
   if(last<=0 || last>newest.time_msc)
      return(true);
   if(last>=OldestAllowed() || last==newest.time_msc)
     {
      g_sources[i].msc=last;
      g_sources[i].taken=(int)GlobalVariableGet(stored+".n");
      PrintFormat("Tickwire: %s resumes from %s (server time)",g_sources[i].name,TimeText(last));
     }
   else
      if(last<newest.time_msc)
         PrintFormat("Tickwire: %s was last sent at %s (server time): ticks between then and now are not sent",
                     g_sources[i].name,TimeText(last));
   return(true);
  }

//+------------------------------------------------------------------+
long OldestAllowed()
  {
   return((long)TimeTradeServer()*1000-(long)InpBacklogMin*60000);
  }

//+------------------------------------------------------------------+
//| While the service is down, the cursors fall behind. Ticks older   |
//| than allowed are skipped and counted.                             |
//+------------------------------------------------------------------+
void DropTooOld()
  {
   if(GetTickCount64()<g_nextDrop)
      return;
   g_nextDrop=GetTickCount64()+DROP_CHECK_MS;
   const long oldest=OldestAllowed();
   for(int i=0; i<ArraySize(g_sources); i++)
     {
      if(g_sources[i].msc==0 || g_sources[i].msc>=oldest)
         continue;
      MqlTick old[];
      const int n=CopyTicksRange(g_sources[i].name,old,COPY_TICKS_INFO,(ulong)g_sources[i].msc,(ulong)(oldest-1));
      // Not available now: the cursor stays, and the next call retries.
      if(n<0)
         continue;
      const int lost=n-g_sources[i].taken;
      if(lost>0)
        {
         g_dropped+=lost;
         PrintFormat("Tickwire: dropped %d ticks of %s, older than %d minutes (%I64d dropped in total)",
                     lost,g_sources[i].name,InpBacklogMin,g_dropped);
        }
      g_sources[i].msc=oldest;
      g_sources[i].taken=0;
     }
  }

//+------------------------------------------------------------------+
//| The ticks after the cursor, at most one batch                     |
//+------------------------------------------------------------------+
void LoadTicks(const int i)
  {
   g_sources[i].count=0;
   g_sources[i].at=0;
   if(g_sources[i].msc==0 && !PlaceCursor(i))
      return;
   const long cursor=g_sources[i].msc;
   const int  taken=g_sources[i].taken;
   // CopyTicks starts with the millisecond of the cursor, whose first ticks have been read. Request them in addition, so
   // that a batch always advances.
   ResetLastError();
   const int n=CopyTicks(g_sources[i].name,g_sources[i].ticks,COPY_TICKS_INFO,(ulong)cursor,(uint)(g_batchSize+taken));
   if(n<=0)
      return;
   int skip=0;
   while(skip<n && skip<taken && g_sources[i].ticks[skip].time_msc<=cursor)
      skip++;
   g_sources[i].count=n;
   g_sources[i].at=skip;
  }

//+------------------------------------------------------------------+
//| The oldest unread ticks of all symbols, ordered by time           |
//+------------------------------------------------------------------+
int BuildBatch()
  {
   const int sources=ArraySize(g_sources);
   for(int i=0; i<sources; i++)
     {
      LoadTicks(i);
      g_sources[i].beforeMsc=g_sources[i].msc;
      g_sources[i].beforeTaken=g_sources[i].taken;
     }
   string body="";
   int    n=0;
   while(n<g_batchSize)
     {
      int  best=-1;
      long bestMsc=0;
      for(int i=0; i<sources; i++)
        {
         if(g_sources[i].at>=g_sources[i].count)
            continue;
         const long msc=g_sources[i].ticks[g_sources[i].at].time_msc;
         if(best<0 || msc<bestMsc)
           {
            best=i;
            bestMsc=msc;
           }
        }
      if(best<0)
         break;
      const double bid=g_sources[best].ticks[g_sources[best].at].bid;
      const double ask=g_sources[best].ticks[g_sources[best].at].ask;
      g_sources[best].at++;
      if(bestMsc==g_sources[best].msc)
         g_sources[best].taken++;
      else
        {
         g_sources[best].msc=bestMsc;
         g_sources[best].taken=1;
        }
      if(bid<=0.0 || ask<=0.0)
        {
         g_unusable++;
         continue;
        }
      body+="{\"symbol\":\""+Escaped(g_sources[best].wire)
            +"\",\"time\":"+IntegerToString(bestMsc-g_offset*1000)
            +",\"bid\":"+DoubleToString(bid,g_sources[best].digits)
            +",\"ask\":"+DoubleToString(ask,g_sources[best].digits)+"}\n";
      n++;
     }
   for(int i=0; i<sources; i++)
     {
      g_sources[i].afterMsc=g_sources[i].msc;
      g_sources[i].afterTaken=g_sources[i].taken;
     }
   if(n==0)
      return(0);
   StringToCharArray(body,g_body,0,WHOLE_ARRAY,CP_UTF8);
   // The terminating zero of a string is not part of the body.
   int bytes=ArraySize(g_body);
   while(bytes>0 && g_body[bytes-1]==0)
      bytes--;
   ArrayResize(g_body,bytes);
   NewKey();
   g_pending=n;
   g_failures=0;
   return(n);
  }

//+------------------------------------------------------------------+
void NewKey()
  {
   g_batchNumber++;
   g_key=g_run+"-"+IntegerToString(g_batchNumber);
  }

//+------------------------------------------------------------------+
//| Sends the pending batch once; true if it is finished              |
//+------------------------------------------------------------------+
bool SendBatch()
  {
   if(GetTickCount64()<g_nextTry)
      return(false);
   const string headers="Content-Type: application/x-ndjson\r\nX-API-Key: "+InpApiKey
                        +"\r\nIdempotency-Key: "+g_key+"\r\n";
   char   result[];
   string responseHeaders="";
   if(g_failures>0)
      g_repeats++;
   ResetLastError();
   const int    status=WebRequest("POST",g_url,headers,InpTimeoutMs,g_body,result,responseHeaders);
   const int    error=GetLastError();
   const string response=(ArraySize(result)>0) ? CharArrayToString(result,0,WHOLE_ARRAY,CP_UTF8) : "";
   if(status>=200 && status<300)
     {
      Delivered(response);
      return(true);
     }
   if(status==413 && g_batchSize>1)
     {
      g_batchSize=g_batchSize/2;
      PrintFormat("Tickwire: the batch is too large for the service; reduced to %d ticks",g_batchSize);
      for(int i=0; i<ArraySize(g_sources); i++)
        {
         g_sources[i].msc=g_sources[i].beforeMsc;
         g_sources[i].taken=g_sources[i].beforeTaken;
        }
      g_pending=0;
      return(true);
     }
   if(status==400 || status==413 || status==415 || status==422)
     {
      g_dropped+=g_pending;
      PrintFormat("Tickwire: %d ticks rejected permanently and dropped (%I64d in total). Status %d: %s",
                  g_pending,g_dropped,status,StringSubstr(response,0,300));
      Done();
      return(true);
     }
   // The key was used for other ticks before: use another key for this batch.
   if(status==409)
      NewKey();
   Failed(status,error,response,responseHeaders);
   return(false);
  }

//+------------------------------------------------------------------+
void Delivered(const string response)
  {
   if(g_failures>0)
      PrintFormat("Tickwire: the service responds again after %d attempts",g_failures);
   const long accepted=NumberAfter(response,"\"accepted\":");
   g_sent+=g_pending;
   // Without a readable body, use the status.
   g_accepted+=(accepted>=0) ? accepted : g_pending;
   if(accepted>=0 && accepted<g_pending)
     {
      g_rejected+=g_pending-accepted;
     }
   // The response has line, code and detail. Print at most one per minute; the counts include all.
   if(accepted>=0 && accepted<g_pending && GetTickCount64()>=g_nextWarning)
     {
      g_nextWarning=GetTickCount64()+COMPLAINT_MS;
      PrintFormat("Tickwire: %I64d of %d ticks rejected: %s",g_pending-accepted,g_pending,StringSubstr(response,0,300));
     }
   Done();
  }

//+------------------------------------------------------------------+
//| The pending batch is finished: save the position of the service   |
//+------------------------------------------------------------------+
void Done()
  {
   for(int i=0; i<ArraySize(g_sources); i++)
     {
      if(g_sources[i].afterMsc==0)
         continue;
      const string stored=g_store+g_sources[i].name;
      GlobalVariableSet(stored,(double)g_sources[i].afterMsc);
      GlobalVariableSet(stored+".n",(double)g_sources[i].afterTaken);
     }
   g_pending=0;
   g_failures=0;
   g_nextTry=0;
  }

//+------------------------------------------------------------------+
//| Not delivered: retry the batch later, with the same key           |
//+------------------------------------------------------------------+
void Failed(const int status,const int error,const string response,const string responseHeaders)
  {
   long wait=FIRST_WAIT_MS;
   for(int i=0; i<g_failures && wait<MAX_WAIT_MS; i++)
      wait*=2;
   string lower=responseHeaders;
   StringToLower(lower);
   const long retryAfter=NumberAfter(lower,"retry-after:")*1000;
   if(retryAfter>wait)
      wait=retryAfter;
   if(wait>MAX_WAIT_MS)
      wait=MAX_WAIT_MS;
   g_failures++;
   g_nextTry=GetTickCount64()+(ulong)wait;
   string reason="";
   if(status==-1 && error==4014)
      reason="WebRequest is not allowed: add the address in Tools, Options, Expert Advisors";
   else
      if(status==401 || status==403)
         reason=StringFormat("not allowed (status %d): %s",status,StringSubstr(response,0,200));
      else
         if(status==404 || status==405)
            reason=StringFormat("there is no %s (status %d): is the address right?",g_url,status);
         else
            if(status>=100 && status<600)
               reason=StringFormat("status %d: %s",status,StringSubstr(response,0,200));
            else
               reason=StringFormat("no response (%d, error %d)",status,error);
   PrintFormat("Tickwire: attempt %d failed, %d ticks pending, retry in %I64d ms: %s",g_failures,g_pending,wait,reason);
  }

//+------------------------------------------------------------------+
//| MqlTick.time_msc is in server time, whose time zone MetaTrader    |
//| does not report: use the difference between the server clock and  |
//| UTC, rounded to 15 minutes. A new value must be seen twice, a     |
//| minute apart, before it replaces the current one.                 |
//+------------------------------------------------------------------+
bool RefreshOffset()
  {
   if(!InpAutoOffset)
     {
      g_offset=(long)InpOffsetMinutes*60;
      return(true);
     }
   if(g_offsetKnown && GetTickCount64()<g_offsetCheck)
      return(true);
   // Without a connection the server time is only an estimate.
   if(TerminalInfoInteger(TERMINAL_CONNECTED)==0)
      return(g_offsetKnown);
   const long difference=(long)TimeTradeServer()-(long)TimeGMT();
   const long rounded=(long)MathRound((double)difference/QUARTER_SEC)*QUARTER_SEC;
   g_offsetCheck=GetTickCount64()+OFFSET_CHECK_MS;
   if(rounded>MAX_OFFSET_SEC || rounded<-MAX_OFFSET_SEC)
     {
      PrintFormat("Tickwire: server time is %I64d seconds from UTC, which is not a valid time zone",difference);
      return(g_offsetKnown);
     }
   const long doubt=difference-rounded;
   if(doubt>CLOCK_DOUBT_SEC || doubt<-CLOCK_DOUBT_SEC)
      PrintFormat("Tickwire: server time is %I64d seconds from UTC: check the clock of this computer",difference);
   if(!g_offsetKnown || (rounded!=g_offset && rounded==g_offsetSeen))
     {
      g_offset=rounded;
      g_offsetKnown=true;
      PrintFormat("Tickwire: server time is UTC%s%I64d minutes",(rounded<0) ? "" : "+",rounded/60);
     }
   g_offsetSeen=rounded;
   return(true);
  }

//+------------------------------------------------------------------+
void Report()
  {
   PrintFormat("Tickwire: sent %I64d, accepted %I64d, rejected %I64d, dropped %I64d, without price %I64d, waiting %d, repeated requests %I64d",
               g_sent,g_accepted,g_rejected,g_dropped,g_unusable,g_pending,g_repeats);
  }

//+------------------------------------------------------------------+
//| The integer after a word in a text; -1 if there is none           |
//+------------------------------------------------------------------+
long NumberAfter(const string text,const string word)
  {
   const int found=StringFind(text,word);
   if(found<0)
      return(-1);
   long number=-1;
   for(int i=found+StringLen(word); i<StringLen(text); i++)
     {
      const ushort c=StringGetCharacter(text,i);
      if(c==' ' && number<0)
         continue;
      if(c<'0' || c>'9' || number>100000000)
         break;
      number=((number<0) ? 0 : number*10)+(long)(c-'0');
     }
   return(number);
  }

//+------------------------------------------------------------------+
string Escaped(const string text)
  {
   string safe=text;
   StringReplace(safe,"\\","\\\\");
   StringReplace(safe,"\"","\\\"");
   return(safe);
  }

//+------------------------------------------------------------------+
string TimeText(const long msc)
  {
   return(TimeToString((datetime)(msc/1000),TIME_DATE|TIME_SECONDS));
  }

//+------------------------------------------------------------------+
//| Identifies the cursors of one service and server (FNV-1a)         |
//+------------------------------------------------------------------+
string Hash(const string text)
  {
   uint hash=0x811C9DC5;
   for(int i=0; i<StringLen(text); i++)
     {
      hash^=(uint)StringGetCharacter(text,i);
      hash*=16777619;
     }
   return(StringFormat("%08X",hash));
  }
//+------------------------------------------------------------------+
