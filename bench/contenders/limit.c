/*
 * The limit: what the kernel alone takes to send ticks to many WebSockets from one core. At each wakeup it reads what the feeder
 * has sent, frames it once, and writes the ticks of a reader's symbols to it with one call. There are no keys and no other work.
 * The upgrade is answered without an accept key, which the readers of the benchmark do not check.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_EVENTS 512
#define MAX_FDS 65536
#define INBOX_BYTES 65536
#define MAX_SYMBOLS 64
#define MAX_NAME 16
/* A tick starts with {"symbol":" */
#define SYMBOL_AT 11
/* A reader that has not read this much is disconnected. */
#define MAX_BACKLOG (64u << 20)

enum state { HEAD, SUBSCRIBING, READER, FEEDER };

struct bytes {
  char *at;
  size_t length, room;
};

struct connection {
  int fd;
  enum state state;
  /* A bit for each symbol that a reader gets. */
  uint64_t symbols;
  /* Received and not handled yet; only while upgrading, and of the feeder. */
  struct bytes in;
  /* Not taken by the socket yet. */
  struct bytes out;
};

static int epoll_fd;
static struct connection *connections[MAX_FDS];
static int most_fd;
/* A frame in `pending`, and the bit of its symbol. */
struct tick {
  size_t from, length;
  uint64_t symbol;
};

/* Frames of the ticks that arrived in this wakeup, and where each is (struct tick). */
static struct bytes pending, ticks;
static char names[MAX_SYMBOLS][MAX_NAME];
static int known;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void append(struct bytes *to, const void *from, size_t length) {
  if (to->length + length > to->room) {
    to->room = (to->length + length) * 2;
    to->at = realloc(to->at, to->room);
    if (!to->at) fail("realloc");
  }
  memcpy(to->at + to->length, from, length);
  to->length += length;
}

static void consume(struct bytes *from, size_t length) {
  from->length -= length;
  memmove(from->at, from->at + length, from->length);
}

static void drop(struct connection *c) {
  connections[c->fd] = NULL;
  close(c->fd);
  free(c->in.at);
  free(c->out.at);
  free(c);
}

static void watch(struct connection *c, int operation, unsigned events) {
  struct epoll_event event = {.events = events, .data.fd = c->fd};
  if (epoll_ctl(epoll_fd, operation, c->fd, &event) < 0) fail("epoll_ctl");
}

/* Sends what waits and then `more`, with one call. What the socket does not take waits until it can. */
static void transmit(struct connection *c, const char *more, size_t length) {
  struct iovec parts[2] = {{c->out.at, c->out.length}, {(void *)more, length}};
  int first = c->out.length == 0;
  ssize_t sent = writev(c->fd, parts + first, 2 - first);
  if (sent < 0) {
    if (errno != EAGAIN && errno != EINTR) return; /* Closed: noticed when it is read. */
    sent = 0;
  }
  size_t waiting = c->out.length;
  size_t taken = (size_t)sent;
  size_t of_waiting = taken < waiting ? taken : waiting;
  if (of_waiting > 0) consume(&c->out, of_waiting);
  if (taken - of_waiting < length) append(&c->out, more + (taken - of_waiting), length - (taken - of_waiting));
  if (waiting == 0 && c->out.length > 0) watch(c, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
  if (waiting > 0 && c->out.length == 0) watch(c, EPOLL_CTL_MOD, EPOLLIN);
  if (c->out.length > MAX_BACKLOG) drop(c);
}

/* A text frame without a mask, as servers send them. */
static void append_frame(struct bytes *to, const char *text, size_t length) {
  unsigned char head[4] = {0x81, (unsigned char)length};
  size_t size = 2;
  if (length >= 126) {
    head[1] = 126;
    head[2] = (unsigned char)(length >> 8);
    head[3] = (unsigned char)length;
    size = 4;
  }
  append(to, head, size);
  append(to, text, length);
}

/* Unmasks the first frame of a client in place. Its whole length, or 0 if it is incomplete. Clients here send less than 64 KB. */
static size_t read_frame(struct bytes *in, char **payload, size_t *length) {
  unsigned char *at = (unsigned char *)in->at;
  if (in->length < 2) return 0;
  size_t head = 2;
  *length = at[1] & 127;
  if (*length == 126) {
    if (in->length < 4) return 0;
    *length = (size_t)at[2] << 8 | at[3];
    head = 4;
  }
  if (in->length < head + 4 + *length) return 0;
  unsigned char *mask = at + head;
  *payload = in->at + head + 4;
  if (mask[0] | mask[1] | mask[2] | mask[3])
    for (size_t index = 0; index < *length; index++) (*payload)[index] ^= (char)mask[index % 4];
  return head + 4 + *length;
}

/* The bit of the symbol whose name starts here and ends with a quote. */
static uint64_t symbol_bit(const char *name, const char *end) {
  const char *quote = memchr(name, '"', (size_t)(end - name));
  size_t length = quote ? (size_t)(quote - name) : 0;
  if (length == 0 || length >= MAX_NAME) return 0;
  for (int index = 0; index < known; index++)
    if (names[index][length] == 0 && !memcmp(names[index], name, length)) return 1ull << index;
  if (known == MAX_SYMBOLS) return 0;
  memcpy(names[known], name, length);
  return 1ull << known++;
}

/* The bits of {"action":"subscribe","symbols":["EURUSD","XAUUSD"]}. */
static uint64_t subscribed(const char *text, size_t length) {
  static const char list[] = "\"symbols\":[";
  const char *end = text + length;
  const char *at = memmem(text, length, list, sizeof list - 1);
  uint64_t bits = 0;
  if (!at) return 0;
  for (at += sizeof list - 1; at < end && *at == '"';) {
    bits |= symbol_bit(at + 1, end);
    at = memchr(at + 1, '"', (size_t)(end - at - 1));
    if (!at || at + 1 >= end || at[1] != ',') break;
    at += 2;
  }
  return bits;
}

/* Each line of a frame is a tick. */
static void take_ticks(struct connection *c) {
  char *payload;
  size_t length, whole;
  while ((whole = read_frame(&c->in, &payload, &length)) > 0) {
    char *end = payload + length;
    for (char *line = payload; line < end;) {
      char *newline = memchr(line, '\n', (size_t)(end - line));
      char *line_end = newline ? newline : end;
      struct tick tick = {.from = pending.length};
      if (line_end - line > SYMBOL_AT) tick.symbol = symbol_bit(line + SYMBOL_AT, line_end);
      append_frame(&pending, line, (size_t)(line_end - line));
      tick.length = pending.length - tick.from;
      append(&ticks, &tick, sizeof tick);
      line = line_end + 1;
    }
    consume(&c->in, whole);
  }
}

static void handle(struct connection *c) {
  if (c->state == HEAD) {
    char *end = memmem(c->in.at, c->in.length, "\r\n\r\n", 4);
    if (!end) return;
    static const char answer[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
    c->state = c->in.length > 9 && !memcmp(c->in.at, "GET /feed", 9) ? FEEDER : SUBSCRIBING;
    consume(&c->in, (size_t)(end + 4 - c->in.at));
    transmit(c, answer, sizeof answer - 1);
  }
  if (c->state == SUBSCRIBING) {
    char *payload;
    size_t length, whole = read_frame(&c->in, &payload, &length);
    if (whole == 0) return;
    c->symbols = subscribed(payload, length);
    consume(&c->in, whole);
    static const char text[] = "{\"event\":\"subscribed\",\"symbols\":[]}";
    struct bytes frame = {0};
    append_frame(&frame, text, sizeof text - 1);
    c->state = READER;
    transmit(c, frame.at, frame.length);
    free(frame.at);
  }
  if (c->state == FEEDER) take_ticks(c);
  if (c->state == READER) c->in.length = 0;
}

/* Writes the pending ticks of its symbols to every reader. */
static void deliver(void) {
  static struct bytes own;
  const struct tick *first = (const struct tick *)ticks.at, *end = (const struct tick *)(ticks.at + ticks.length);
  for (int fd = 0; fd <= most_fd; fd++) {
    struct connection *c = connections[fd];
    if (!c || c->state != READER) continue;
    own.length = 0;
    for (const struct tick *tick = first; tick < end; tick++)
      if (c->symbols & tick->symbol) append(&own, pending.at + tick->from, tick->length);
    if (own.length > 0) transmit(c, own.at, own.length);
  }
  pending.length = ticks.length = 0;
}

static void receive(struct connection *c) {
  static char inbox[INBOX_BYTES];
  for (;;) {
    ssize_t count = recv(c->fd, inbox, sizeof inbox, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) {
      drop(c);
      return;
    }
    append(&c->in, inbox, (size_t)count);
    handle(c);
    if ((size_t)count < sizeof inbox) return;
  }
}

static void accept_all(int listener) {
  for (;;) {
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return;
    if (fd >= MAX_FDS) {
      close(fd);
      continue;
    }
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct connection *c = calloc(1, sizeof *c);
    if (!c) fail("calloc");
    c->fd = fd;
    connections[fd] = c;
    if (fd > most_fd) most_fd = fd;
    watch(c, EPOLL_CTL_ADD, EPOLLIN);
  }
}

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 1024) < 0) fail("listen");
  if (getsockname(listener, (struct sockaddr *)&address, &size) < 0) fail("getsockname");
  epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event accepting = {.events = EPOLLIN, .data.fd = listener};
  if (epoll_fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, listener, &accepting) < 0) fail("epoll");
  printf("serving at http://127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    struct epoll_event events[MAX_EVENTS];
    int count = epoll_wait(epoll_fd, events, MAX_EVENTS, -1);
    for (int index = 0; index < count; index++) {
      int fd = events[index].data.fd;
      if (fd == listener) accept_all(listener);
      else {
        if ((events[index].events & EPOLLOUT) && connections[fd]) transmit(connections[fd], NULL, 0);
        if ((events[index].events & ~(unsigned)EPOLLOUT) && connections[fd]) receive(connections[fd]);
      }
    }
    if (pending.length > 0) deliver();
  }
}
