import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'
import { receiveUpload } from './upload.ts'

const onLinux = process.platform === 'linux'

interface Refusal {
  error: string
  detail: string
}

/** The service in a process of its own, after running `shell`. */
async function startProcess(shell: string) {
  const home = await mkdtemp(join(tmpdir(), 'refile-limit-'))
  const script = join(import.meta.dirname, '../../../testing', 'misbehaving-service.ts')
  const child = spawn('sh', ['-c', `${shell}; exec "${process.execPath}" "${script}" "${home}"`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await rm(home, { recursive: true, force: true })
  })
  const line = await new Promise<string>(resolve => child.stdout.once('data', data => resolve(String(data))))
  const { url, apiKey } = JSON.parse(line) as { url: string; apiKey: string }
  const submit = async (bytes: number) => {
    const form = new FormData()
    form.set('targetFormat', 'webp')
    form.set('file', new Blob([new Uint8Array(bytes)]), 'a.jpg')
    const headers = { 'x-service-api-key': apiKey }
    const answer = await fetch(`${url}/convert`, { method: 'POST', body: form, headers })
    const { error, detail } = await json<Partial<Refusal>>(answer)
    return { status: answer.status, error, detail }
  }
  return { url, pid: child.pid ?? 0, submit }
}

test.runIf(onLinux)('an unwritable upload folder is not blamed on the sender', async () => {
  const service = await testService(misbehaving)
  // Nobody can create files there, not even root.
  service.services.incoming = '/sys'
  const answer = await service.submit('a.jpg', 'fine', 'webp')
  expect(answer.status).toBe(500)
  expect(await json<Refusal>(answer)).toEqual({
    error: 'server.internal_error',
    detail: expect.stringMatching(/could not write to its data folder \((EACCES|EPERM)\)/),
  })
})

if (onLinux)
  testFull("a file over the system's size limit is reported as a full disk", async () => {
    // The limit is in blocks of 512 bytes, or of 1024 in some shells.
    const { submit } = await startProcess('ulimit -f 8192')
    expect(await submit(20 * 2 ** 20)).toMatchObject({ status: 507, error: 'server.disk_full' })
    expect((await submit(1000)).status).toBe(202)
  })

if (onLinux)
  testFull('too many open files are not blamed on the sender', async () => {
    const { url, pid, submit } = await startProcess(':')
    await (await fetch(`${url}/health/live`)).text()
    const limit = (files: number) => execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${files}:`])
    // Open files stay open, including the connection of the next request; nothing else can be opened.
    const open = new Set((await readdir(`/proc/${pid}/fd`)).map(Number))
    let lowestFree = 0
    while (open.has(lowestFree)) lowestFree++
    limit(lowestFree)
    expect(await submit(1000)).toMatchObject({
      status: 500,
      error: 'server.internal_error',
      detail: expect.stringContaining('(EMFILE)'),
    })
    limit(1024)
    expect((await submit(1000)).status).toBe(202)
  })

test('files are hashed while they are received, each by itself', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'refile-hashed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const form = new FormData()
  form.set('sourceFormat', 'files')
  for (const text of ['abc', 'a'.repeat(1_000_000)]) form.append('file', new Blob([text]), 'a.txt')
  const body = new Response(form)
  const request = Object.assign(Readable.from(Readable.fromWeb(body.body! as never), { objectMode: false }), {
    headers: { 'content-type': body.headers.get('content-type')! },
  }) as unknown as IncomingMessage
  const { files } = await receiveUpload(request, folder, 2_000_000, { isHashed: true })
  // The examples of FIPS 180-2.
  expect(files.map(({ sha256 }) => sha256)).toEqual([
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
  ])
})
