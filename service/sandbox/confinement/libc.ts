import { createRequire } from 'node:module'

/** An argument of a system call: a number, or bytes that are passed by address. */
export type Argument = number | bigint | Uint8Array | null

export interface Libc {
  /** @returns the system's answer; -1 for every error */
  call(number: number, ...args: Argument[]): number
  prctl(option: number, value: number): number
  /** The address of bytes outside V8's heap, such as those of `Buffer.alloc`. */
  address(of: Uint8Array): bigint
  memcpy(to: bigint, from: Uint8Array): void
  /** Copies from memory into `to`. */
  read(to: Uint8Array, from: bigint): void
  usleep(microseconds: number): void
  /** Whether it is glibc; otherwise it is musl, or not Linux. */
  isGlibc: boolean
}

/** The C library of this process. @throws if koffi has no build for this system */
export function loadLibc(): Libc {
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi')
  const libc = koffi.load(null)
  const systemCall = libc.func('long syscall(long number, ...)')
  const prctl = libc.func('int prctl(int option, ulong value, ulong, ulong, ulong)')
  const write = libc.func('void *memcpy(uintptr_t to, const void *from, size_t bytes)')
  const read = libc.func('void *memcpy(void *to, uintptr_t from, size_t bytes)')
  const usleep = libc.func('int usleep(uint microseconds)')
  return {
    call: (number, ...args) => Number(systemCall(number, ...args.flatMap(typed))),
    prctl: (option, value) => prctl(option, value, 0, 0, 0),
    address: of => koffi.address(of),
    memcpy: (to, from) => write(to, from, from.length),
    read: (to, from) => read(to, from, to.length),
    usleep: microseconds => usleep(microseconds),
    isGlibc: has(() => libc.func('const char *gnu_get_libc_version()')),
  }
}

/** Variadic arguments are passed with their types. */
const typed = (argument: Argument): [string, Argument] => [
  argument === null || argument instanceof Uint8Array ? 'void *' : 'long',
  argument,
]

function has(find: () => unknown): boolean {
  try {
    find()
    return true
  } catch {
    return false
  }
}
