// The C library calls that the readers need, on Linux. They receive into an existing buffer: a load that allocates an object per
// chunk measures its own garbage collector.
import { dlopen, type Pointer, ptr, read } from 'bun:ffi';

const { symbols: c } = dlopen('libc.so.6', {
  socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
  connect: { args: ['i32', 'ptr', 'u32'], returns: 'i32' },
  setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
  recv: { args: ['i32', 'ptr', 'u64', 'i32'], returns: 'i32' },
  send: { args: ['i32', 'ptr', 'u64', 'i32'], returns: 'i32' },
  read: { args: ['i32', 'ptr', 'u64'], returns: 'i64' },
  close: { args: ['i32'], returns: 'i32' },
  timerfd_create: { args: ['i32', 'i32'], returns: 'i32' },
  timerfd_settime: { args: ['i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
  epoll_create1: { args: ['i32'], returns: 'i32' },
  epoll_ctl: { args: ['i32', 'i32', 'i32', 'ptr'], returns: 'i32' },
  epoll_wait: { args: ['i32', 'ptr', 'i32', 'i32'], returns: 'i32' },
  __errno_location: { args: [], returns: 'ptr' },
});

const AF_INET = 2;
const SOCK_STREAM = 1;
const SOCK_CLOEXEC = 0o2000000;
const LOOPBACK = [127, 0, 0, 1];
const IPPROTO_TCP = 6;
const TCP_NODELAY = 1;
const SOL_SOCKET = 1;
const SO_LINGER = 13;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
const CLOCK_MONOTONIC = 1;
const TFD_NONBLOCK = 0o4000;
const TFD_CLOEXEC = 0o2000000;
const EINTR = 4;
const EAGAIN = 11;

/** Results of `receive` other than a number of bytes. */
export const WOULD_BLOCK = -1;
export const CLOSED = 0;

export class SystemError extends Error {}

const errno = (): number => read.i32(c.__errno_location()!, 0);

function checked(result: number, call: string): number {
  if (result < 0) throw new SystemError(`${call} failed with errno ${errno()}`);
  return result;
}

function option(fd: number, level: number, name: number, ...values: number[]): void {
  const bytes = Int32Array.from(values);
  checked(c.setsockopt(fd, level, name, ptr(bytes), bytes.byteLength), 'setsockopt');
}

/** Connects to a local port. */
export function connectTo(port: number): number {
  const fd = checked(c.socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), 'socket');
  try {
    option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    // Close without lingering: thousands of lingering ports would be missing in the next round.
    option(fd, SOL_SOCKET, SO_LINGER, 1, 0);
    const address = Uint8Array.from([AF_INET, 0, port >> 8, port & 255, ...LOOPBACK, 0, 0, 0, 0, 0, 0, 0, 0]);
    checked(c.connect(fd, ptr(address), address.length), 'connect');
  } catch (error) {
    c.close(fd);
    throw error;
  }
  return fd;
}

/** Number of bytes received, WOULD_BLOCK, or CLOSED if the peer has closed or reset the connection. */
export function receive(fd: number, address: Pointer, length: number): number {
  const count = c.recv(fd, address, length, MSG_DONTWAIT);
  if (count >= 0) return count;
  const error = errno();
  return error === EAGAIN || error === EINTR ? WOULD_BLOCK : CLOSED;
}

/** Whether all bytes were sent. Messages of readers are small, so this fails only if the connection is closed. */
export const sendAll = (fd: number, bytes: Uint8Array): boolean =>
  c.send(fd, ptr(bytes), bytes.length, MSG_NOSIGNAL | MSG_DONTWAIT) === bytes.length;

/** Number of bytes that the socket took. */
export function sendSome(fd: number, bytes: Uint8Array): number {
  const count = c.send(fd, ptr(bytes), bytes.length, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count >= 0) return count;
  const error = errno();
  if (error === EAGAIN || error === EINTR) return 0;
  throw new SystemError(`send failed with errno ${error}`);
}

export const readFd = (fd: number, address: Pointer, length: number): void => {
  c.read(fd, address, length);
};

export const timerCreate = (): number =>
  checked(c.timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC), 'timerfd_create');
/** `times`: interval and first expiry from now, each in seconds and nanoseconds. */
export const timerStart = (fd: number, times: Pointer): number =>
  checked(c.timerfd_settime(fd, 0, times, null), 'timerfd_settime');

export const closeFd = (fd: number): void => {
  c.close(fd);
};

export const epollCreate = (): number => checked(c.epoll_create1(0), 'epoll_create1');
export const epollControl = (epoll: number, operation: number, fd: number, event: Pointer): number =>
  checked(c.epoll_ctl(epoll, operation, fd, event), 'epoll_ctl');
/** Number of ready descriptors; 0 if a signal interrupted the call. */
export const epollWait = (epoll: number, events: Pointer, most: number, timeoutMs: number): number =>
  Math.max(0, c.epoll_wait(epoll, events, most, timeoutMs));
