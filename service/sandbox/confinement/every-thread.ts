import { readdirSync } from 'node:fs'
import type { Libc } from './libc.ts'

/**
 * Makes one system call in every thread of this process. Landlock only applies to the calling thread and those it starts
 * later, and V8's and libuv's threads already run by then. Each thread gets the signal that the C library itself uses to
 * make all threads change their user (nptl(7), "NPTL and signals"), which programs cannot block; a handler in machine
 * code makes the call. libcap's libpsx works in the same way.
 */

const SIGSETXID = 33
/** The same signal in musl. */
const SIGSYNCCALL = 34
const SA_RESTORER = 0x04000000
const SA_RESTART = 0x10000000

interface Machine {
  numbers: { mmap: number; mprotect: number; munmap: number; sigaction: number; tgkill: number }
  /** The handler, its return address, and the offset at which the address of the request goes. */
  code: Buffer
  restorer: number
  requestAt: number
}

const machines: Partial<Record<NodeJS.Architecture, Machine>> = {
  x64: {
    numbers: { mmap: 9, mprotect: 10, munmap: 11, sigaction: 13, tgkill: 234 },
    code: Buffer.from(
      [
        '49b80000000000000000', // mov r8, request
        '498b00', // mov rax, [r8]
        '498b7808', // mov rdi, [r8 + 8]
        '498b7010', // mov rsi, [r8 + 16]
        '498b5018', // mov rdx, [r8 + 24]
        '0f05', // syscall
        '493b4020', // cmp rax, [r8 + 32]
        '7505', // jne done
        'f049ff4028', // lock inc qword [r8 + 40]
        'c3', // done: ret
        'b80f000000', // restorer: mov eax, 15 (rt_sigreturn)
        '0f05', // syscall
      ].join(''),
      'hex',
    ),
    restorer: 39,
    requestAt: 2,
  },
  arm64: {
    numbers: { mmap: 222, mprotect: 226, munmap: 215, sigaction: 134, tgkill: 131 },
    // Instructions are little-endian 32-bit words.
    code: Buffer.from(
      Uint32Array.of(
        0x58000249, // ldr x9, request
        0xf9400128, // ldr x8, [x9]
        0xf9400520, // ldr x0, [x9, #8]
        0xf9400921, // ldr x1, [x9, #16]
        0xf9400d22, // ldr x2, [x9, #24]
        0xd4000001, // svc #0
        0xf940112a, // ldr x10, [x9, #32]
        0xeb0a001f, // cmp x0, x10
        0x540000c1, // b.ne done
        0x9100a129, // add x9, x9, #40
        0xc85ffd2a, // again: ldaxr x10, [x9]
        0x9100054a, // add x10, x10, #1
        0xc80bfd2a, // stlxr w11, x10, [x9]
        0x35ffffab, // cbnz w11, again
        0xd65f03c0, // done: ret
        0xd2801168, // restorer: mov x8, #139 (rt_sigreturn)
        0xd4000001, // svc #0
        0xd503201f, // nop
        0, // request:
        0,
      ).buffer,
    ),
    restorer: 60,
    requestAt: 72,
  },
}

/**
 * Offset in the request of the count of threads that got the expected answer; the words before it are number, arguments and
 * answer.
 */
const COUNT = 40
const REQUEST_BYTES = 48
const PAGE_BYTES = 65_536

const WAIT_MICROSECONDS = 50
/** How long to wait for the threads to answer. */
const DEADLINE_MS = 2000
/** New threads may appear while the others answer. */
const ROUNDS = 10

/** Ids of the threads of this process. */
const threads = () => readdirSync('/proc/self/task').map(Number)

/**
 * Makes every thread call the system call `number`.
 * @param args addresses or whole numbers
 * @param expected the expected answer, below 0 for an error
 * @returns whether every thread got that answer
 */
export function inEveryThread(
  libc: Libc,
  number: number,
  args: readonly [bigint | number, bigint | number, bigint | number],
  expected = 0,
): boolean {
  const machine = process.platform === 'linux' ? machines[process.arch] : undefined
  if (!machine) return false
  const { numbers, code, restorer, requestAt } = machine

  const pages = map(libc, numbers.mmap)
  if (pages === undefined) return false
  const request = pages + BigInt(PAGE_BYTES)
  const words = [number, ...args, expected, 0]
  libc.memcpy(request, Buffer.from(BigInt64Array.from(words, BigInt).buffer))
  const handler = Buffer.from(code)
  handler.writeBigUInt64LE(request, requestAt)
  libc.memcpy(pages, handler)
  const READ_AND_EXECUTE = 5
  if (libc.call(numbers.mprotect, pages, PAGE_BYTES, READ_AND_EXECUTE) !== 0) return false

  const counted = () => {
    const bytes = Buffer.alloc(REQUEST_BYTES)
    libc.read(bytes, request)
    return Number(bytes.readBigInt64LE(COUNT))
  }
  const signal = libc.isGlibc ? SIGSETXID : SIGSYNCCALL
  // The kernel's `struct sigaction`: handler, flags, restorer, mask.
  const action = BigInt64Array.of(pages, BigInt(SA_RESTART | SA_RESTORER), pages + BigInt(restorer), 0n)
  const before = new Uint8Array(action.byteLength)
  const setAction = (next: Uint8Array, old: Uint8Array | null) =>
    libc.call(numbers.sigaction, signal, next, old, 8) === 0
  if (!setAction(new Uint8Array(action.buffer), before)) return false

  const done = new Set<number>()
  const deadline = performance.now() + DEADLINE_MS
  for (let round = 0; round < ROUNDS; round++) {
    const fresh = threads().filter(id => !done.has(id))
    if (fresh.length === 0) {
      setAction(before, null)
      libc.call(numbers.munmap, pages, 2 * PAGE_BYTES)
      return true
    }
    const wanted = counted() + fresh.length
    let sent = wanted
    for (const id of fresh) {
      done.add(id)
      // A thread that has ended meanwhile does not answer.
      if (libc.call(numbers.tgkill, process.pid, id, signal) !== 0) sent--
    }
    while (counted() < sent && performance.now() < deadline) libc.usleep(WAIT_MICROSECONDS)
    if (counted() < sent) break
  }
  // A thread may still be about to enter the handler, so the handler stays in memory.
  return false
}

/** Maps two adjacent areas of memory, for the code and for the request. */
function map(libc: Libc, mmap: number): bigint | undefined {
  const READ_AND_WRITE = 3
  const PRIVATE_ANONYMOUS = 0x22
  const address = libc.call(mmap, null, 2 * PAGE_BYTES, READ_AND_WRITE, PRIVATE_ANONYMOUS, -1, 0)
  return address === -1 ? undefined : BigInt(address)
}
