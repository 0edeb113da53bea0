/**
 * The system calls that a worker and its programs may make: those that Node, the engines and their programs were seen to make, and
 * their variants in other C libraries and on other processors. Every other call is refused, including those that kernels will get.
 */

/** A condition on the lower half of an argument, which is all that the kernel compares in these. */
export interface Condition {
  /** The place of the argument, from 0. */
  argument: number
  /** Bits that count; all by default. */
  mask?: number
  values: number[]
  /** Bits of all further values. */
  kind?: { mask: number; value: number }
}

/** `name:x64:arm64`, with the numbers of asm/unistd_64.h and asm-generic/unistd.h; a dash where a processor does not have the call. */
const always: readonly string[] = [
  // Files below what Landlock grants.
  `open:2:- openat:257:56 openat2:437:437 creat:85:- close:3:57 close_range:436:436 access:21:- faccessat:269:48
    faccessat2:439:439 stat:4:- lstat:6:- fstat:5:80 newfstatat:262:79 statx:332:291 statfs:137:43 fstatfs:138:44
    readlink:89:- readlinkat:267:78 getcwd:79:17 chdir:80:49 fchdir:81:50 mkdir:83:- mkdirat:258:34 rmdir:84:- unlink:87:-
    unlinkat:263:35 rename:82:- renameat:264:38 renameat2:316:276 getdents:78:- getdents64:217:61 ftruncate:77:46
    fallocate:285:47 umask:95:166`,
  // Contents of open files.
  `read:0:63 write:1:64 pread64:17:67 pwrite64:18:68 readv:19:65 writev:20:66 preadv:295:69 pwritev:296:70 preadv2:327:286
    pwritev2:328:287 lseek:8:62 fsync:74:82 fdatasync:75:83 sync_file_range:277:84 sendfile:40:71 splice:275:76 tee:276:77
    vmsplice:278:75 copy_file_range:326:285 readahead:187:213 fadvise64:221:223 flock:73:32 fgetxattr:193:10
    flistxattr:196:13`,
  // Pipes and the channel to the service, which is a connected pair.
  `pipe:22:- pipe2:293:59 dup:32:23 dup2:33:- dup3:292:24 sendto:44:206 recvfrom:45:207 sendmsg:46:211 recvmsg:47:212
    sendmmsg:307:269 recvmmsg:299:243 shutdown:48:210 getsockname:51:204 getpeername:52:205 getsockopt:55:209
    setsockopt:54:208`,
  // Waiting.
  `poll:7:- ppoll:271:73 select:23:- pselect6:270:72 epoll_create:213:- epoll_create1:291:20 epoll_ctl:233:21
    epoll_wait:232:- epoll_pwait:281:22 epoll_pwait2:441:441 eventfd:284:- eventfd2:290:19 signalfd:282:- signalfd4:289:74
    timerfd_create:283:85 timerfd_settime:286:86 timerfd_gettime:287:87 pause:34:- restart_syscall:219:128 nanosleep:35:101
    clock_nanosleep:230:115 sched_yield:24:124`,
  // Memory of this process.
  `brk:12:214 mmap:9:222 munmap:11:215 mremap:25:216 mprotect:10:226 madvise:28:233 mincore:27:232 msync:26:227
    mlock:149:228 mlock2:325:284 munlock:150:229 mlockall:151:230 munlockall:152:231 membarrier:324:283 mbind:237:235
    get_mempolicy:239:236 set_mempolicy:238:237 pkey_alloc:330:289 pkey_free:331:290 pkey_mprotect:329:288
    map_shadow_stack:453:453 mseal:462:462 arch_prctl:158:-`,
  // Threads, programs and their end.
  `fork:57:- vfork:58:- execve:59:221 exit:60:93 exit_group:231:94 wait4:61:260 waitid:247:95 set_tid_address:218:96
    set_robust_list:273:99 rseq:334:293 futex:202:98 futex_waitv:449:449 futex_wake:454:454 futex_wait:455:455
    futex_requeue:456:456`,
  // Signals, which Landlock keeps within the worker.
  `rt_sigaction:13:134 rt_sigprocmask:14:135 rt_sigreturn:15:139 rt_sigsuspend:130:133 rt_sigpending:127:136
    rt_sigtimedwait:128:137 sigaltstack:131:132 kill:62:129 tkill:200:130 tgkill:234:131 alarm:37:- getitimer:36:102
    setitimer:38:103 timer_create:222:107 timer_settime:223:110 timer_gettime:224:108 timer_getoverrun:225:109
    timer_delete:226:111`,
  // Rings that libuv has opened before (io_uring), as in Electron; none can be opened any more.
  'io_uring_enter:426:426',
  // What the process asks about itself and the system.
  `getpid:39:172 gettid:186:178 getppid:110:173 getpgrp:111:- getpgid:121:155 getsid:124:156 getuid:102:174 geteuid:107:175
    getgid:104:176 getegid:108:177 getresuid:118:148 getresgid:120:150 getgroups:115:158 getrlimit:97:163 getrusage:98:165
    times:100:153 getpriority:140:141 sched_getparam:143:121 sched_getscheduler:145:120 sched_getattr:315:275
    sched_getaffinity:204:123 sched_get_priority_max:146:125 sched_get_priority_min:147:126 sched_rr_get_interval:148:127
    capget:125:90 getcpu:309:168 uname:63:160 sysinfo:99:179 time:201:- gettimeofday:96:169 clock_gettime:228:113
    clock_getres:229:114 getrandom:318:278`,
  // Limits that a program sets itself besides.
  `landlock_create_ruleset:444:444 landlock_add_rule:445:445 landlock_restrict_self:446:446`,
]

const CLONE_UNSAFE =
  0x7e020000 | // CLONE_NEWNS to CLONE_NEWNET: namespaces
  0x8000 | // CLONE_PARENT: a process that the worker's end does not end
  0x802000 // CLONE_PTRACE, CLONE_UNTRACED

/** Calls that are allowed with some arguments. */
const conditional: { call: string; conditions: Condition[] }[] = [
  {
    // Threads and programs, without namespaces; clone3, whose flags cannot be seen, does not exist for the C library.
    call: 'clone:56:220',
    conditions: [{ argument: 0, mask: CLONE_UNSAFE, values: [0] }],
  },
  {
    // Pipes to programs; a pair of datagram sockets could send to any named socket, such as the system log.
    call: 'socketpair:53:199',
    conditions: [
      { argument: 0, values: [1] }, // AF_UNIX
      { argument: 1, mask: 0xf, values: [1] }, // SOCK_STREAM; the other bits are flags
    ],
  },
  {
    // Duplicating, flags, locks and sizes of pipes; not the owner to whom a descriptor sends signals, leases and watches.
    call: 'fcntl:72:25',
    conditions: [{ argument: 1, values: [0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1031, 1032, 1034] }],
  },
  {
    // Terminals (TCGETS, TIOCGWINSZ, TCGETS2), readable bytes, blocking, closing, clones, and all that asks graphics cards (DRM_IOCTL_BASE), which Landlock grants or not; not attributes of files (FS_IOC_SETFLAGS).
    call: 'ioctl:16:29',
    conditions: [
      {
        argument: 1,
        values: [0x5401, 0x5413, 0x802c542a, 0x541b, 0x5421, 0x5450, 0x5451, 0x40049409, 0x4020940d],
        kind: { mask: 0xff00, value: 0x6400 },
      },
    ],
  },
  {
    // Names of threads and of memory, and questions; not the parent, the signal of its end, or who may trace.
    call: 'prctl:157:167',
    conditions: [
      { argument: 0, values: [3, 15, 16, 21, 23, 29, 30, 38, 39, 42, 50, 51, 54, 55, 56, 0x53564d41] },
    ],
  },
  {
    // Limits of the process itself.
    call: 'prlimit64:302:261',
    conditions: [{ argument: 0, values: [0] }],
  },
  {
    // Cores of the calling thread, which x265 chooses.
    call: 'sched_setaffinity:203:122',
    conditions: [{ argument: 0, values: [0] }],
  },
]

/** Calls that do not exist for the C library, which then uses older ones. */
const missing = 'clone3:435:435'

export interface Call {
  name: string
  number: number
}

export interface AllowedCalls {
  always: Call[]
  conditional: (Call & { conditions: Condition[] })[]
  missing: Call[]
}

/** The calls of a processor, by Node's name; undefined if it is none of those in the table. */
export function allowedCalls(processor: NodeJS.Architecture): AllowedCalls | undefined {
  const column = ['x64', 'arm64'].indexOf(processor)
  if (column === -1) return undefined
  const read = (calls: string): Call[] =>
    calls
      .trim()
      .split(/\s+/)
      .map(call => call.split(':'))
      .map(([name = '', ...numbers]) => ({ name, number: Number(numbers[column]) }))
      .filter(({ number }) => !Number.isNaN(number))
  return {
    always: always.flatMap(read),
    conditional: conditional.flatMap(({ call, conditions }) =>
      read(call).map(one => ({ ...one, conditions })),
    ),
    missing: read(missing),
  }
}
