import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { misbehaving } from '../test/misbehaving.ts'
import { json, testService } from '../test/service.ts'

interface Refusal {
  error: string
  detail: string
}

test.runIf(process.platform === 'linux')(
  'a folder that takes no files is not the fault of the sender',
  async () => {
    const service = await testService(misbehaving)
    // Nobody can create files there, the superuser included.
    service.services.incoming = '/sys'
    const answer = await service.submit('a.jpg', 'fine', 'webp')
    expect(answer.status).toBe(500)
    expect(await json<Refusal>(answer)).toEqual({
      error: 'server.internal_error',
      detail: expect.stringMatching(/could not write to its data folder \((EACCES|EPERM)\)/),
    })
  },
)

test.runIf(process.platform === 'linux')(
  'a file beyond the size the system allows is a full disk',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'refile-limit-'))
    const script = join(import.meta.dirname, '..', 'test', 'misbehaving-service.ts')
    // The limit is in blocks of 512 bytes, or of 1024 in some shells.
    const child = spawn('sh', ['-c', `ulimit -f 8192; exec "${process.execPath}" "${script}" "${home}"`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await rm(home, { recursive: true, force: true })
    })
    const line = await new Promise<string>(resolve =>
      child.stdout.once('data', data => resolve(String(data))),
    )
    const { url, apiKey } = JSON.parse(line) as { url: string; apiKey: string }
    const submit = (bytes: number) => {
      const form = new FormData()
      form.set('targetFormat', 'webp')
      form.set('file', new Blob([new Uint8Array(bytes)]), 'a.jpg')
      return fetch(`${url}/convert`, { method: 'POST', body: form, headers: { 'x-service-api-key': apiKey } })
    }
    const answer = await submit(20 * 2 ** 20)
    expect({ status: answer.status, error: (await json<Refusal>(answer)).error }).toEqual({
      status: 507,
      error: 'server.disk_full',
    })
    expect((await submit(1000)).status).toBe(202)
  },
)
