import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { testService } from '../../../testing/service.ts'
import { allowedCalls } from './allowed-calls.ts'

const run = promisify(execFile)
const linux = process.platform === 'linux'

/** What native code can try without a compiler: Python makes the system calls directly. */
const attempts = `
import ctypes, json, platform, socket
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *args):
    result = libc.syscall(number, *args)
    return 'done' if result >= 0 else ctypes.get_errno()
def open_socket(family, kind):
    try:
        socket.socket(family, kind).close()
        return 'done'
    except OSError as error:
        return error.errno
def open_pair(family, kind):
    try:
        for end in socket.socketpair(family, kind): end.close()
        return 'done'
    except OSError as error:
        return error.errno
x64 = platform.machine() == 'x86_64'
print(json.dumps({
  'tcp': open_socket(socket.AF_INET, socket.SOCK_STREAM),
  'tcp6': open_socket(socket.AF_INET6, socket.SOCK_STREAM),
  'udp': open_socket(socket.AF_INET, socket.SOCK_DGRAM),
  'unix': open_socket(socket.AF_UNIX, socket.SOCK_STREAM),
  'netlink': open_socket(socket.AF_NETLINK, socket.SOCK_RAW),
  'io_uring': call(425, 8, ctypes.create_string_buffer(120)),
  'ptrace': call(101 if x64 else 117, 0, 0, 0, 0),
  'namespace': call(272 if x64 else 97, 0x10000000),
  'pair of datagrams': open_pair(socket.AF_UNIX, socket.SOCK_DGRAM),
  'pair of messages': open_pair(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_CLOEXEC),
  # Asking for a driver's version, which only a card answers, and setting a file's attributes.
  'card': [call(16 if x64 else 29, 0, number, ctypes.create_string_buffer(256)) for number in (0xc0406400, 0x40086602)],
  'pair': [end.close() for end in socket.socketpair()],
}))
`

const script = (work: string) => `
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { loadLibc } from ${JSON.stringify(join(import.meta.dirname, 'libc.ts'))}
import { closeSystemCalls } from ${JSON.stringify(join(import.meta.dirname, 'system-calls.ts'))}
// Threads of libuv run from here on.
await readFile('/proc/self/stat')
const closed = closeSystemCalls(loadLibc())
${work}
`

const node = async (work: string, ...args: string[]) =>
  JSON.parse((await run(process.execPath, ['--input-type=module', '-e', script(work), ...args])).stdout)

test.runIf(linux)(
  'native code and programs get no socket, no other process and no namespace; pipes work, and cards may be asked',
  async () => {
    const work = `
    const printed = execFileSync('python3', ['-c', process.argv[1]], { input: 'through a pipe' })
    console.log(JSON.stringify({ closed, ...JSON.parse(printed) }))`
    expect(await node(work, attempts)).toEqual({
      closed: true,
      tcp: 13,
      tcp6: 13,
      udp: 13,
      unix: 13,
      netlink: 13,
      io_uring: 13,
      ptrace: 13,
      namespace: 13,
      'pair of datagrams': 13,
      'pair of messages': 13,
      card: [25, 13],
      pair: [null, null],
    })
  },
)

/** Tries calls on a file through a descriptor that may only read, on its path, on another process and on the system. */
const trespasses = `
import ctypes, json, os, platform, sys
libc = ctypes.CDLL(None, use_errno=True)
path, other = sys.argv[1].encode(), int(sys.argv[2])
fd = os.open(path, os.O_RDONLY)
x64 = platform.machine() == 'x86_64'
numbers = {
  'ioprio_set': (251, 30), 'keyctl': (250, 219), 'add_key': (248, 217), 'request_key': (249, 218), 'bpf': (321, 280),
  'perf_event_open': (298, 241), 'userfaultfd': (323, 282), 'io_uring_setup': (425, 425),
  'io_uring_register': (427, 427), 'kexec_load': (246, 104), 'kexec_file_load': (320, 294), 'finit_module': (313, 273),
  'execveat': (322, 281), 'clone': (56, 220), 'clone3': (435, 435), 'pidfd_open': (434, 434), 'pidfd_getfd': (438, 438),
  'open_tree': (428, 428), 'move_mount': (429, 429), 'fsopen': (430, 430), 'fsmount': (432, 432), 'mount_setattr': (442, 442),
  'process_madvise': (440, 440), 'sched_setattr': (314, 274), 'memfd_secret': (447, 447), 'rt_tgsigqueueinfo': (297, 240),
  'fchmodat2': (452, 452), 'capset': (126, 91), 'seccomp': (317, 277),
}
space = ctypes.create_string_buffer(256)
BELOW, NEWUSER, FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR = -100, 0x10000000, 0x40086602, 0x401c5820
calls = [
  ('setpriority', 0, other, 5), ('setpriority', 0, 0, 5), ('sched_setaffinity', other, 8, b'\\x01' + bytes(7)), ('sched_setscheduler', other, 3, bytes(8)),
  ('sched_setparam', other, bytes(8)), ('sched_setattr', other, bytes(48), 0), ('ioprio_set', 1, other, 0x4000), ('prlimit', other, 7, None, space),
  ('fchmod', fd, 0o777), ('fchown', fd, 1, 1), ('fsetxattr', fd, b'user.a', b'a', 1, 0), ('fremovexattr', fd, b'user.a'),
  ('futimens', fd, None), ('ioctl', fd, FS_IOC_SETFLAGS, space), ('ioctl', fd, FS_IOC_FSSETXATTR, space), ('fcntl', fd, 8, other),
  ('utimensat', BELOW, path, None, 0), ('utime', path, None), ('utimes', path, None), ('lutimes', path, None), ('futimesat', BELOW, path, None),
  ('chmod', path, 0o777), ('fchmodat2', BELOW, path, 0o777, 0), ('lchown', path, 1, 1), ('setxattr', path, b'user.a', b'a', 1, 0), ('removexattr', path, b'user.a'),
  ('getxattr', path, b'user.a', space, 256), ('truncate', path, 0), ('link', path, path + b'2'), ('mknod', path + b'3', 0o10600, 0), ('chroot', b'/'),
  ('clone', NEWUSER | 17, 0, 0, 0, 0), ('clone', 0x8000 | 17, 0, 0, 0, 0), ('unshare', NEWUSER), ('setns', fd, 0), ('personality', 0),
  ('shmget', 1, 1, 0o1600), ('shmat', 0, None, 0), ('semget', 1, 1, 0o1600), ('msgget', 1, 0o1600), ('mq_open', b'/a', 0o102, 0o600, None),
  ('memfd_create', b'a', 0), ('memfd_secret', 0), ('execveat', -1, b'', None, None, 0x1000),
  ('ptrace', 16, other, 0, 0), ('process_vm_readv', other, space, 1, space, 1, 0), ('process_vm_writev', other, space, 1, space, 1, 0),
  ('process_madvise', -1, space, 1, 4, 0), ('pidfd_open', other, 0), ('pidfd_getfd', -1, 0, 0), ('rt_tgsigqueueinfo', other, other, 0, space),
  ('keyctl', 0, -3, 0), ('add_key', b'user', b'a', b'a', 1, -2), ('request_key', b'user', b'a', None, -2), ('bpf', 0, space, 64), ('perf_event_open', space, 0, -1, -1, 0),
  ('userfaultfd', 1), ('io_uring_setup', 8, space), ('io_uring_register', -1, 0, None, 0),
  ('kexec_load', 0, 0, None, 0), ('kexec_file_load', -1, -1, 0, None, 0), ('init_module', space, 0, b''), ('finit_module', -1, b'', 0), ('delete_module', b'none', 0),
  ('mount', b'none', b'/none', b'tmpfs', 0, None), ('umount2', b'/none', 0), ('pivot_root', b'/none', b'/none'), ('open_tree', BELOW, b'/none', 0),
  ('move_mount', -1, b'', -1, b'', 0), ('fsopen', b'none', 0), ('fsmount', -1, 0, 0), ('mount_setattr', -1, b'', 0, space, 32),
  ('setuid', 0), ('setgid', 0), ('setgroups', 0, None), ('capset', space, space), ('seccomp', 1, 0, None), ('prctl', 36, 0, 0, 0, 0), ('prctl', 1, 0, 0, 0, 0), ('prctl', 0x59616d61, -1, 0, 0, 0),
  ('sethostname', b'', -1), ('adjtimex', space), ('swapon', b'/none', 0), ('acct', b'/none'), ('klogctl', 10, None, 0), ('quotactl', -1, None, 0, None),
  ('inotify_init', ), ('fanotify_init', 0, 0), ('setsid', ), ('setpgid', 0, 0), ('bind', -1, space, 16), ('connect', -1, space, 16), ('listen', -1, 1), ('clone3', space, 88),
]
answers = []
for name, *args in calls:
    ctypes.set_errno(0)
    if name in numbers: result = libc.syscall(numbers[name][0 if x64 else 1], *args)
    else: result = getattr(libc, name)(*args)
    if name == 'clone' and result == 0: os._exit(0)
    answers.append(name + ' ' + (str(ctypes.get_errno()) if result == -1 or name == 'mq_open' and ctypes.get_errno() else 'done'))
print(json.dumps(answers))
`

test.runIf(linux)(
  'what no converter needs is refused, whatever the file, the process and the arguments',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refile-calls-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const path = join(folder, 'letter')
    await writeFile(path, 'private', { mode: 0o600 })
    const before = await stat(path)
    const work = `console.log(execFileSync('python3', ['-c', process.argv[1], process.argv[2], String(process.pid)]).toString())`
    const answers: string[] = await node(work, trespasses, path)
    expect(answers.length).toBeGreaterThan(90)
    expect(answers.filter(answer => !answer.endsWith(' 13'))).toEqual(['clone3 38'])
    expect({ ...(await stat(path)), atimeMs: 0 }).toEqual({ ...before, atimeMs: 0 })
  },
)

/** Makes every call but those given, with arguments that none accepts. */
const everyCall = `
import ctypes, json, sys
libc = ctypes.CDLL(None, use_errno=True)
def call(number):
    ctypes.set_errno(0)
    return ctypes.get_errno() if libc.syscall(ctypes.c_long(number), *[ctypes.c_long(-1)] * 6) == -1 else 'done'
allowed = set(json.loads(sys.argv[1]))
print(json.dumps({number: call(number) for number in [*range(1024), 0x40000000, 0x40000001, 0x40000208] if number not in allowed}))
`

test.runIf(linux)(
  'every call that is not in the table is refused; newer ones are taken for missing',
  async () => {
    const { always } = allowedCalls(process.arch)!
    // The kernel calls uretprobe and uprobe itself, past every filter, and kills a program that does.
    const skipped = [...always.map(({ number }) => number), ...(process.arch === 'x64' ? [335, 336] : [])]
    const work = `console.log(execFileSync('python3', ['-c', process.argv[1], process.argv[2]]).toString())`
    const answers: Record<string, number> = await node(work, everyCall, JSON.stringify(skipped))
    const missing = (number: number) => number === 435 || (number > 462 && number < 2 ** 30)
    const wrong = Object.entries(answers).filter(
      ([number, answer]) => answer !== (missing(Number(number)) ? 38 : 13),
    )
    expect(wrong).toEqual([])
    expect(Object.keys(answers).length).toBeGreaterThan(800)
  },
)

test.runIf(linux && existsSync('/usr/bin/cc')).each([
  ['x64', 'asm/unistd_64.h', []],
  ['arm64', 'asm-generic/unistd.h', ['RENAMEAT', 'NEW_STAT', 'SET_GET_RLIMIT', 'SYS_CLONE3']],
] as const)("the numbers of %s are those of the kernel's headers", (processor, header, wanted) => {
  const { always, conditional, missing } = allowedCalls(processor)!
  const calls = [...always, ...conditional, ...missing]
  const lines = [
    ...wanted.map(name => `#define __ARCH_WANT_${name}`),
    `#include <${header}>`,
    ...calls.map(({ name }) => `#ifdef __NR_${name}\n= ${name} __NR_${name}\n#endif`),
  ]
  const known = execFileSync('cc', ['-E', '-P', '-'], { input: lines.join('\n') }).toString()
  const numbers = new Map(
    [...known.matchAll(/^= (\w+) (\d+)$/gm)].map(([, name, number]) => [name, Number(number)]),
  )
  expect(numbers.size).toBeGreaterThan(140)
  expect(calls.filter(({ name, number }) => (numbers.get(name) ?? number) !== number)).toEqual([])
})

test.runIf(linux)('every thread is restricted, including those that were already running', async () => {
  const threads = await node(`
    const status = id => readFileSync('/proc/self/task/' + id + '/status', 'utf8')
    const bound = readdirSync('/proc/self/task').map(status).map(text => /NoNewPrivs:\\t1/.test(text) && /Seccomp:\\t2/.test(text))
    console.log(JSON.stringify(bound))`)
  expect(threads.length).toBeGreaterThan(4)
  expect(new Set(threads)).toEqual(new Set([true]))
})

if (linux)
  testFull('ffmpeg cannot fetch anything, even when told to', async () => {
    let requests = 0
    const server = createServer((_, reply) => {
      requests++
      reply.end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const fetching = `
    let printed = ''
    try { execFileSync('ffmpeg', ['-v', 'error', '-i', '${url}', '-f', 'null', '-'], { stdio: 'pipe' }) }
    catch (error) { printed = String(error.stderr) }
    console.log(JSON.stringify(printed))`
    expect(await node(fetching)).toContain('Permission denied')
    expect(requests).toBe(0)
  })

if (linux)
  testFull('workers are restricted, and /health says so', async () => {
    const service = await testService()
    const health = await (await service.call('/health')).json()
    expect(health).toMatchObject({ sandbox: { systemCalls: true } })
    for (const pid of service.services.pool.pids) {
      const { stdout } = await run('cat', [`/proc/${pid}/status`])
      expect(stdout).toMatch(/Seccomp:\t2/)
    }
  })
