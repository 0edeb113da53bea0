import { type AllowedCalls, allowedCalls, type Condition } from './allowed-calls.ts'
import type { Libc } from './libc.ts'

/**
 * A filter of system calls (seccomp, see seccomp(2) and linux/seccomp.h): the native code of engines and the programs they
 * start can make only the calls of allowed-calls.ts. JavaScript's own guard, network.ts, does not apply to them.
 */

/** The name of each processor in linux/audit.h, and its number of seccomp(2). */
const machines: Partial<Record<NodeJS.Architecture, { audit: number; seccomp: number }>> = {
  x64: { audit: 0xc000003e, seccomp: 317 },
  arm64: { audit: 0xc00000b7, seccomp: 277 },
}

// linux/bpf_common.h, linux/seccomp.h, linux/prctl.h
const LOAD_WORD = 0x20
const AND = 0x54
const JUMP = 0x05
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const RETURN = 0x06
const ALLOW = 0x7fff0000
const REFUSE = 0x00050000
const SET_MODE_FILTER = 1
/** Also applies to threads that already run, such as libuv's. */
const FLAG_ALL_THREADS = 1
const PR_SET_NO_NEW_PRIVS = 38
/** Offsets in `struct seccomp_data`. */
const CALL_NUMBER = 0
const ARCHITECTURE = 4
const ARGUMENTS = 16
/** Numbers from here on belong to the x32 ABI, through which the same calls could be reached. */
const X32_CALLS = 0x40000000
/** From here on, numbers belong to calls that kernels got since Linux 6.10: programs take them for missing and use others. */
const NEW_CALLS = 463
/** The same number on both processors. */
const IO_URING_SETUP = 425

const EACCES = 13
const ENOSYS = 38

/** One instruction: `struct sock_filter` of linux/filter.h. */
function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes[2] = ifTrue
  bytes[3] = ifFalse
  bytes.writeUInt32LE(value, 4)
  return bytes
}

const allow = instruction(RETURN, ALLOW)
const refuse = instruction(RETURN, REFUSE | EACCES)
const beMissing = instruction(RETURN, REFUSE | ENOSYS)

/** Refuses the call unless an argument, of which the lower half counts, has one of the values, or the bits of their kind. */
function require({ argument, mask = 0xffffffff, values, kind }: Condition): Buffer[] {
  const test = kind ? [instruction(AND, kind.mask), instruction(JUMP_IF_EQUAL, kind.value, 1, 0)] : []
  return [
    // Processors are little-endian, so that the lower half comes first.
    instruction(LOAD_WORD, ARGUMENTS + 8 * argument),
    instruction(AND, mask),
    ...values.map((value, nth) => instruction(JUMP_IF_EQUAL, value, values.length - nth + test.length, 0)),
    ...test,
    refuse,
  ]
}

/** Answers one call with `answer`, and leaves others to what follows. */
const forCall = (number: number, answer: Buffer[]): Buffer[] => [
  instruction(JUMP_IF_EQUAL, number, 1, 0),
  instruction(JUMP, answer.length),
  ...answer,
]

/** A program that refuses all but the calls given with EACCES, and every call through another processor's ABI. */
function filterOf(audit: number, calls: AllowedCalls): Buffer {
  return Buffer.concat([
    instruction(LOAD_WORD, ARCHITECTURE),
    instruction(JUMP_IF_EQUAL, audit, 1, 0),
    refuse,
    instruction(LOAD_WORD, CALL_NUMBER),
    ...calls.always.flatMap(({ number }) => forCall(number, [allow])),
    ...calls.conditional.flatMap(({ number, conditions }) =>
      forCall(number, [...conditions.flatMap(require), allow]),
    ),
    ...calls.missing.flatMap(({ number }) => forCall(number, [beMissing])),
    instruction(JUMP_IF_AT_LEAST, X32_CALLS, 0, 1),
    refuse,
    instruction(JUMP_IF_AT_LEAST, NEW_CALLS, 0, 1),
    beMissing,
    refuse,
  ])
}

/**
 * Takes away from this process, all its threads and every program it starts every system call that is not in allowed-calls.ts: all
 * sockets (except connected stream pairs, which pipes to child processes consist of), new privileges, other processes' memory,
 * priority and limits, mounts and namespaces, the file operations that Landlock does not cover (modes, owners, times, attributes,
 * watching), process groups of their own, in which they would outlive the worker, memory shared with others, and new io_uring
 * rings, which would offer the same in another way. Rings that libuv has already created, where `denyIoUring` did not prevent it, stay
 * with this process, and are not inherited by programs. A refused call fails with EACCES, one newer than this list with ENOSYS. It cannot be undone.
 * @returns whether the system supports it; only Linux on x64 and arm64 does
 */
export function closeSystemCalls(libc: Libc): boolean {
  const machine = process.platform === 'linux' ? machines[process.arch] : undefined
  const calls = allowedCalls(process.arch)
  if (!machine || !calls) return false
  return install(libc, machine.seccomp, filterOf(machine.audit, calls), FLAG_ALL_THREADS)
}

/**
 * Has no process that this thread starts from now on get an io_uring ring: libuv opens some before a worker can confine itself, and
 * whoever has one can ask the kernel for more than the filter allows. Node does without. This process keeps its own rings.
 * @returns whether the system supports it
 */
export function denyIoUring(libc: Libc): boolean {
  const machine = process.platform === 'linux' ? machines[process.arch] : undefined
  if (!machine) return false
  const filter = Buffer.concat([
    instruction(LOAD_WORD, ARCHITECTURE),
    instruction(JUMP_IF_EQUAL, machine.audit, 1, 0),
    allow,
    instruction(LOAD_WORD, CALL_NUMBER),
    ...forCall(IO_URING_SETUP, [beMissing]),
    allow,
  ])
  return install(libc, machine.seccomp, filter, 0)
}

/** @param flags of seccomp(2) */
function install(libc: Libc, seccomp: number, filter: Buffer, flags: number): boolean {
  // `struct sock_fprog`: the number of instructions, and their address.
  const program = Buffer.alloc(16)
  program.writeUInt16LE(filter.length / 8, 0)
  program.writeBigUInt64LE(libc.address(filter), 8)
  if (libc.prctl(PR_SET_NO_NEW_PRIVS, 1) !== 0) return false
  return libc.call(seccomp, SET_MODE_FILTER, flags, program) === 0
}
