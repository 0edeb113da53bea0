import type { Libc } from './libc.ts'

/**
 * A filter of system calls (seccomp, see seccomp(2) and linux/seccomp.h): the native code of engines and the programs they
 * start cannot do what no converter needs. JavaScript's own guard, network.ts, does not apply to them.
 */

/** Numbers of system calls, by Node's name of the processor: asm/unistd_64.h and asm-generic/unistd.h. */
const machines: Partial<
  Record<NodeJS.Architecture, { audit: number; seccomp: number; socketpair: number; refused: number[] }>
> = {
  x64: {
    audit: 0xc000003e,
    seccomp: 317,
    socketpair: 53,
    // biome-ignore format: a list
    refused: [
      41, // socket
      101, // ptrace
      155, 165, 166, // pivot_root, mount, umount2
      175, 246, 313, 320, // init_module, kexec_load, finit_module, kexec_file_load
      248, 249, 250, // add_key, request_key, keyctl
      272, 308, // unshare, setns
      298, 321, 323, // perf_event_open, bpf, userfaultfd
      310, 311, // process_vm_readv, process_vm_writev
      425, 427, // io_uring_setup, io_uring_register
      90, 268, 452, // chmod, fchmodat, fchmodat2
      92, 94, 260, // chown, lchown, fchownat
      188, 189, 463, // setxattr, lsetxattr, setxattrat
      197, 198, 466, 469, // removexattr, lremovexattr, removexattrat, file_setattr
      253, 294, 300, 304, // inotify_init, inotify_init1, fanotify_init, open_by_handle_at
      109, 112, // setpgid, setsid
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    seccomp: 277,
    socketpair: 199,
    // biome-ignore format: a list
    refused: [
      198, // socket
      117, // ptrace
      41, 40, 39, // pivot_root, mount, umount2
      105, 104, 273, 294, // init_module, kexec_load, finit_module, kexec_file_load
      217, 218, 219, // add_key, request_key, keyctl
      97, 268, // unshare, setns
      241, 280, 282, // perf_event_open, bpf, userfaultfd
      270, 271, // process_vm_readv, process_vm_writev
      425, 427, // io_uring_setup, io_uring_register
      53, 452, 54, // fchmodat, fchmodat2, fchownat
      5, 6, 463, // setxattr, lsetxattr, setxattrat
      14, 15, 466, 469, // removexattr, lremovexattr, removexattrat, file_setattr
      26, 262, 265, // inotify_init1, fanotify_init, open_by_handle_at
      154, 157, // setpgid, setsid
    ],
  },
}

// linux/bpf_common.h, linux/seccomp.h, linux/prctl.h
const LOAD_WORD = 0x20
const AND = 0x54
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
/** The lower halves of the first two arguments, on little-endian processors. */
const FIRST_ARGUMENT = 16
const SECOND_ARGUMENT = 24
/** Numbers from here on belong to the x32 ABI, through which the same calls could be reached. */
const X32_CALLS = 0x40000000

// bits/socket.h
const AF_UNIX = 1
const SOCK_STREAM = 1
/** The other bits of a socket's type are flags. */
const SOCK_TYPE_MASK = 0xf

const EACCES = 13

/** One instruction: `struct sock_filter` of linux/filter.h. */
function instruction(code: number, value: number, ifTrue = 0, ifFalse = 0): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes[2] = ifTrue
  bytes[3] = ifFalse
  bytes.writeUInt32LE(value, 4)
  return bytes
}

/**
 * A program that refuses the calls with EACCES, and every call through another processor's ABI. Socket pairs may only be
 * streams: a datagram socket could send to any named socket of this machine, such as the system log.
 */
function filterOf(audit: number, socketpair: number, refused: readonly number[]): Buffer {
  const refuse = instruction(RETURN, REFUSE | EACCES)
  const streamsOnly = [
    instruction(LOAD_WORD, FIRST_ARGUMENT),
    instruction(JUMP_IF_EQUAL, AF_UNIX, 1, 0),
    refuse,
    instruction(LOAD_WORD, SECOND_ARGUMENT),
    instruction(AND, SOCK_TYPE_MASK),
    instruction(JUMP_IF_EQUAL, SOCK_STREAM, 1, 0),
    refuse,
    instruction(RETURN, ALLOW),
  ]
  return Buffer.concat([
    instruction(LOAD_WORD, ARCHITECTURE),
    instruction(JUMP_IF_EQUAL, audit, 1, 0),
    refuse,
    instruction(LOAD_WORD, CALL_NUMBER),
    instruction(JUMP_IF_AT_LEAST, X32_CALLS, 0, 1),
    refuse,
    instruction(JUMP_IF_EQUAL, socketpair, 0, streamsOnly.length),
    ...streamsOnly,
    ...refused.flatMap(number => [instruction(JUMP_IF_EQUAL, number, 0, 1), refuse]),
    instruction(RETURN, ALLOW),
  ])
}

/**
 * Takes away from this process, all its threads and every program it starts: all sockets (except connected stream pairs, which
 * pipes to child processes consist of), new privileges, other processes' memory, mounts and namespaces, the file operations that
 * Landlock does not cover (modes, owners, attributes, watching), process groups of their own, in which they would outlive the
 * worker, and new io_uring rings, which would offer the same in another way. The ring that libuv has already created stays with
 * this process, since Node needs it, and is not inherited by programs. A refused call fails with EACCES. It cannot be undone.
 * @returns whether the system supports it; only Linux on x64 and arm64 does
 */
export function closeSystemCalls(libc: Libc): boolean {
  const machine = process.platform === 'linux' ? machines[process.arch] : undefined
  if (!machine) return false
  const filter = filterOf(machine.audit, machine.socketpair, machine.refused)
  // `struct sock_fprog`: the number of instructions, and their address.
  const program = Buffer.alloc(16)
  program.writeUInt16LE(filter.length / 8, 0)
  program.writeBigUInt64LE(libc.address(filter), 8)
  if (libc.prctl(PR_SET_NO_NEW_PRIVS, 1) !== 0) return false
  return libc.call(machine.seccomp, SET_MODE_FILTER, FLAG_ALL_THREADS, program) === 0
}
