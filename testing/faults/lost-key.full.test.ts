import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { openApp } from '../app.ts'
import { misbehaving } from '../misbehaving.ts'
import { json, testService } from '../service.ts'

test('a different secrets.key stops the start and is kept; without one, the service starts and only loses what was sealed', async () => {
  const home = await mkdtemp(join(tmpdir(), 'refile-lost-key-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const path = join(home, 'secrets.key')
  const said: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void said.push(line) })
  const outbound = () => Promise.reject(new Error('nobody is there'))
  const options = { ...misbehaving, home, outbound, log }
  const hook = {
    options: '{"resize":{"enabled":true,"preset":"720p"}}',
    webhookUrl: 'https://example.com/',
    webhookSecret: 'a secret of some length',
  }
  const first = await testService(options)
  const { id: done } = await json<{ id: string }>(first.submit('a.jpg', 'fine', 'webp', hook))
  expect(await first.finished(done)).toMatchObject({ status: 'Succeeded' })
  const { id: open } = await json<{ id: string }>(first.submit('b.jpg', 'sleep', 'webp', hook))
  await first.close()

  const [right, other] = [await readFile(path), randomBytes(32)]
  for (const [content, sentence] of [
    [other, 'not the one that its database was written with. Put back'],
    [Buffer.from('short'), 'is damaged. Put back'],
  ] as const) {
    await writeFile(path, content)
    await expect(testService(options)).rejects.toThrow(sentence)
    expect(await readFile(path)).toEqual(content)
  }
  await writeFile(path, right)
  await (await testService(options)).close()

  await rm(path)
  said.length = 0
  // Twice: the second start finds the new key and nothing sealed with another one.
  for (const isFirst of [true, false]) {
    const service = await testService(options)
    expect(said.filter(line => line.includes('a new one was made'))).toHaveLength(1)
    const call = (way: string) => service.call(way, { key: first.key })
    expect(await json(call(`/convert/job/${open}`))).toMatchObject({
      status: 'Failed',
      error: { code: 'jobs.interrupted', detail: expect.stringContaining('secrets.key') },
    })
    expect(await (await call(`/convert/job/${done}/download`)).text()).toContain('fine done')
    const { services } = service
    const { id: accountId } = await services.accounts.owner()
    expect(await services.stores.webhooks.list(accountId, 10)).toMatchObject([
      { state: 'failed', url: '' },
      { state: 'failed', url: '' },
    ])
    const { call: callApp } = await openApp(service)
    const shown = await json(callApp('/app/webhooks'))
    expect(shown).toMatchObject([
      { state: 'failed', receiver: expect.stringContaining('secrets.key') },
      { state: 'failed', receiver: expect.stringContaining('secrets.key') },
    ])
    expect(await service.balance()).toBe(isFirst ? 499 : 498)
    if (isFirst) {
      const { id } = await json<{ id: string }>(service.submit('c.jpg', 'fine', 'webp'))
      expect(await service.finished(id)).toMatchObject({ status: 'Succeeded' })
    }
    await service.close()
  }
})
