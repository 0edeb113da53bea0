import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFull } from '../../../../testing/describe-full.ts'
import { httpsServer } from '../../../../testing/https.ts'
import { misbehaving } from '../../../../testing/misbehaving.ts'
import { PUBLIC_ADDRESS } from '../../../../testing/servers/https.ts'
import { type TestService, testService } from '../../../../testing/service.ts'
import { createOutbound } from '../../../shared/net/outbound.ts'

/** A service, and a server with files at `/a.pdf` and the like; `cdn.example` leads into a private network. */
async function withFiles(settings: { urlInput?: boolean; offline?: boolean } = {}) {
  const asked: (string | undefined)[] = []
  const server = await httpsServer((request, reply) => {
    asked.push(request.url)
    if (request.url === '/none.pdf') reply.writeHead(404).end()
    else reply.end('fine')
  })
  const transport = server.transportWith({
    resolve: async host => [{ address: host === 'cdn.example' ? '10.0.0.7' : PUBLIC_ADDRESS, family: 4 }],
  })
  const outbound = createOutbound({ offline: settings.offline ?? false, transport })
  const service = await testService({ ...misbehaving, outbound, ...settings })
  return { service, asked, at: (path: string) => server.origin + path }
}

async function flatten(service: TestService, downloadFrom: unknown, own?: string) {
  const form = new FormData()
  form.set('downloadFrom', typeof downloadFrom === 'string' ? downloadFrom : JSON.stringify(downloadFrom))
  if (own) form.append('files', new Blob(['fine']), own)
  const headers = { authorization: `Bearer ${service.key}` }
  return fetch(`${service.url}/gotenberg/forms/pdfengines/flatten`, { method: 'POST', body: form, headers })
}

testFull('files come from their addresses, beside those of the form', async () => {
  const { service, asked, at } = await withFiles()
  const answer = await flatten(service, [{ url: at('/a.pdf') }])
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/^fine/)])
  expect(answer.headers.get('content-disposition')).toContain('a.out')
  expect(asked).toEqual(['/a.pdf'])
  const both = await flatten(service, [{ url: at('/a.pdf') }], 'b.pdf')
  expect([both.status, both.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(await readdir(join(service.home, 'incoming'))).toEqual([])
})

test('nothing is fetched from this machine or its network, and nothing stays of what was fetched before', async () => {
  const { service, at } = await withFiles()
  for (const url of [
    at('/a.pdf').replace('https', 'http'),
    'https://127.0.0.1/a.pdf',
    'https://localhost/a.pdf',
    'file:///etc/passwd',
    at('/inside.pdf').replace('files', 'cdn'),
    at('/none.pdf'),
    'x',
  ])
    expect((await flatten(service, [{ url: at('/a.pdf') }, { url }])).status, url).toBeGreaterThanOrEqual(400)
  for (const list of ['x', '{"url":1}', '[{"url":"https://a.example/a.pdf","extraHttpHeaders":{"a":"b"}}]'])
    expect((await flatten(service, list)).status, list).toBe(400)
  expect(await readdir(join(service.home, 'incoming'))).toEqual([])
})

test.each([{ urlInput: false }, { offline: true }])('%j keeps it off', async settings => {
  const { service, asked, at } = await withFiles(settings)
  expect((await flatten(service, [{ url: at('/a.pdf') }])).status).toBeGreaterThanOrEqual(400)
  expect(asked).toEqual([])
})
