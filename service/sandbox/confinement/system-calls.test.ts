import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { testService } from '../../test/service.ts'

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
  'native code and programs get no socket, no other process and no namespace; pipes work',
  async () => {
    const work = `
    const said = execFileSync('python3', ['-c', process.argv[1]], { input: 'through a pipe' })
    console.log(JSON.stringify({ closed, ...JSON.parse(said) }))`
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
      pair: [null, null],
    })
  },
)

test.runIf(linux)('every thread is restricted, including those that were already running', async () => {
  const threads = await node(`
    const status = id => readFileSync('/proc/self/task/' + id + '/status', 'utf8')
    const bound = readdirSync('/proc/self/task').map(status).map(text => /NoNewPrivs:\\t1/.test(text) && /Seccomp:\\t2/.test(text))
    console.log(JSON.stringify(bound))`)
  expect(threads.length).toBeGreaterThan(4)
  expect(new Set(threads)).toEqual(new Set([true]))
})

test.runIf(linux)('ffmpeg cannot fetch anything, even when told to', async () => {
  let requests = 0
  const server = createServer((_, reply) => {
    requests++
    reply.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const fetching = `
    let said = ''
    try { execFileSync('ffmpeg', ['-v', 'error', '-i', '${url}', '-f', 'null', '-'], { stdio: 'pipe' }) }
    catch (error) { said = String(error.stderr) }
    console.log(JSON.stringify(said))`
  expect(await node(fetching)).toContain('Permission denied')
  expect(requests).toBe(0)
})

test.runIf(linux)('workers are restricted, and /health says so', async () => {
  const service = await testService()
  const health = await (await service.call('/health')).json()
  expect(health).toMatchObject({ sandbox: { systemCalls: true } })
  for (const pid of service.services.pool.pids) {
    const { stdout } = await run('cat', [`/proc/${pid}/status`])
    expect(stdout).toMatch(/Seccomp:\t2/)
  }
})
