import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Schema, Validator } from '@cfworker/json-schema'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openApp } from '../../../testing/app.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { httpsServer } from '../../../testing/https.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, type TestService, testService } from '../../../testing/service.ts'
import { createOutbound } from '../../shared/net/outbound.ts'
import type { WebhookDelivery } from '../app/types.ts'

const SECRET = 'a secret of the receiver'

interface Received {
  headers: IncomingHttpHeaders
  raw: string
  body: Record<string, unknown> & { output?: Record<string, unknown>; error?: Record<string, unknown> }
}

/** A service, and a webhook receiver that the service sees as a host on the internet. */
async function withReceiver(options: Parameters<typeof testService>[0] = {}) {
  const received: Received[] = []
  const server = await httpsServer(async (request, reply) => {
    const raw = await text(request)
    received.push({ headers: request.headers, raw, body: JSON.parse(raw) })
    reply.end()
  })
  const outbound = createOutbound({ offline: false, transport: server.transport })
  const service = await testService({ ...misbehaving, outbound, ...options })
  const fields = { webhookUrl: server.origin.replace('files', 'hooks'), webhookSecret: SECRET }
  const next = () =>
    vi.waitFor(
      () => {
        const [first] = received.splice(0, 1)
        expect(first).toBeDefined()
        return first!
      },
      { timeout: 20_000 },
    )
  return { service, fields, next, received }
}

/** What its description says of the body of a webhook. */
async function problemsOf(service: TestService, name: string, body: object) {
  const { components } = await json<{ components: object }>(fetch(`${service.url}/openapi.json`))
  const schema = { $ref: `#/components/schemas/${name}`, components }
  return new Validator(schema as Schema, '2020-12').validate(body).errors
}

const submit = async (service: TestService, content: string, fields: Record<string, string>) =>
  (await json<{ id: string }>(service.submit('photo.jpg', content, 'webp', fields))).id

test('a successful job is reported as the contract says, with a link that downloads without a key', async () => {
  const { service, fields, next } = await withReceiver()
  const id = await submit(service, 'fine', fields)
  const { body, headers, raw } = await next()
  const status = await service.finished(id)
  expect(body).toEqual({
    event: 'job.succeeded',
    eventId: expect.stringMatching(/^[\da-f-]{36}$/),
    jobId: id,
    jobType: 'convert',
    site: 'refile',
    status: 'Succeeded',
    deliveryAttempt: 1,
    output: {
      ...status.output,
      downloadUrl: expect.stringContaining(`${service.url}/api/convert/job/${id}/download?token=`),
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
    },
    metrics: {
      inputBytes: 4,
      outputBytes: status.metrics.outputBytes,
      creditCost: 1,
      processingTimeMs: expect.any(Number),
    },
    completedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  expect(await problemsOf(service, 'JobSucceeded', body)).toEqual([])
  expect(await problemsOf(service, 'JobFailed', body)).not.toEqual([])
  // The output was stored shortly before the job was marked as done.
  const kept = Date.parse(String(body.output?.expiresAt)) - Date.parse(String(body.completedAt))
  expect(Math.abs(kept - 3_600_000)).toBeLessThan(60_000)
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-service-event-id': body.eventId,
    'x-service-delivery-attempt': '1',
  })
  const verifier = new Webhook(SECRET, { format: 'raw' })
  expect(verifier.verify(raw, headers as Record<string, string>)).toEqual(body)

  const link = String(body.output?.downloadUrl)
  for (let time = 0; time < 2; time++) {
    const download = await fetch(link)
    expect(download.status).toBe(200)
    expect(await download.bytes()).toEqual(await (await service.call(`/convert/job/${id}/download`)).bytes())
  }
  const other = await submit(service, 'fine', {})
  await service.finished(other)
  for (const wrong of [`${link}x`, link.replace(id, other), link.replace(/token=.*/, 'token=')]) {
    const refusal = await fetch(wrong)
    expect(refusal.status).toBe(401)
    expect(await json(refusal)).toMatchObject({ error: 'api_key.invalid_or_ip_not_allowed' })
  }
  const real = Date.now
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  // A clock that is set back expires nothing early and delays nothing.
  clock.mockImplementation(() => real() - 2 * 3600_000)
  expect((await fetch(link)).status).toBe(200)
  const early = await submit(service, 'fine', fields)
  expect((await next()).body).toMatchObject({ jobId: early, status: 'Succeeded' })
  // A clock that is set forward expires whatever is due by then.
  clock.mockImplementation(() => real() + 2 * 3600_000)
  expect((await fetch(link)).status).toBe(401)
  expect((await service.call(`/convert/job/${id}/download`)).status).toBe(410)
  expect(await service.finished(id)).toMatchObject({ status: 'Succeeded', output: null })
  const late = await submit(service, 'fine', fields)
  expect((await next()).body).toMatchObject({ jobId: late, status: 'Succeeded' })
  clock.mockRestore()
  await service.call(`/convert/job/${id}`, { method: 'DELETE' })
  const gone = await fetch(link)
  expect(gone.status).toBe(410)
  expect(await json(gone)).toMatchObject({ error: 'jobs.expired' })
})

testFull('a failed job is reported with its error and without costs', async () => {
  const { service, fields, next } = await withReceiver()
  const id = await submit(service, 'fail-with-cause', fields)
  const { body } = await next()
  const status = await service.finished(id)
  expect(body).toMatchObject({
    event: 'job.failed',
    status: 'Failed',
    error: status.error,
    metrics: { inputBytes: 15, creditCost: 0 },
  })
  expect(await problemsOf(service, 'JobFailed', body)).toEqual([])
  expect(body).not.toHaveProperty('output')
  expect(body.metrics).not.toHaveProperty('outputBytes')
})

testFull('the end of a job without a webhook is not reported', async () => {
  const { service, fields, next, received } = await withReceiver()
  const quiet = await submit(service, 'fine', { ...fields, webhookEvents: 'failed' })
  await service.finished(quiet)
  const loud = await submit(service, 'fine', { ...fields, webhookEvents: 'succeeded' })
  expect((await next()).body.jobId).toBe(loud)
  expect(received).toEqual([])
})

test('download links begin with the public address if there is one; an offline service refuses webhooks', async () => {
  const { service, fields, next } = await withReceiver({ publicUrl: 'https://convert.example/refile' })
  await submit(service, 'fine', fields)
  expect((await next()).body.output?.downloadUrl).toMatch(/^https:\/\/convert\.example\/refile\/api\/convert/)
  const offline = await testService({ ...misbehaving, offline: true })
  const refusal = await json(offline.submit('a.jpg', 'fine', 'webp', fields))
  expect(refusal).toMatchObject({ error: 'convert.invalid_webhook' })
})

testFull('the app lists deliveries without their secrets, and can send one again', async () => {
  const { service, fields, next } = await withReceiver()
  const app = await openApp(service)
  await submit(service, 'fine', { ...fields, webhookUrl: `${fields.webhookUrl}/done?key=hidden` })
  const { body } = await next()
  const list = async () => json<WebhookDelivery[]>(app.call('/app/webhooks'))
  const delivered = {
    id: body.eventId,
    receiver: `${fields.webhookUrl}/done`,
    event: 'succeeded',
    state: 'delivered',
    attempts: 1,
    status: 200,
    problem: null,
  }
  await expect.poll(list).toMatchObject([delivered])
  expect(JSON.stringify(await list())).not.toMatch(/hidden|a secret/)
  expect((await app.post(`/app/webhooks/${body.eventId}/replay`, {})).status).toBe(202)
  expect((await next()).body).toMatchObject({ eventId: body.eventId, deliveryAttempt: 1 })
  expect((await app.post(`/app/webhooks/${body.jobId}/replay`, {})).status).toBe(404)
})
