import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { generateSource } from 'oazapfts'
import { expect, test } from 'vitest'
import { testFull } from '../../../testing/describe-full.ts'
import { testFiles } from '../../../testing/files.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, sharedService } from '../../../testing/service.ts'
import { requestErrors } from '../../shared/errors.ts'

const service = sharedService(misbehaving)
const files = testFiles('openapi')

interface Document {
  components: {
    schemas: Record<string, object>
    responses: Record<
      string,
      { headers?: object; content: Record<string, { examples: Record<string, { value: object }> }> }
    >
  }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
}
interface Operation {
  operationId: string
  requestBody?: Body
  responses: Record<string, Body>
}
type Body = { content?: Record<string, { schema: object; example?: unknown }>; $ref?: string }
const describe = () => json<Document>(fetch(`${service().url}/openapi.json`))

testFull('the description of the API passes a linter without a warning', async () => {
  const linter = new Spectral()
  linter.setRuleset({ extends: [[oas, 'recommended']] } as RulesetDefinition)
  expect(await linter.run({ ...(await describe()) })).toEqual([])
})

test('shapes have names, and stand once', async () => {
  const { components, paths } = await describe()
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(['Error', 'Job', 'Conversion', 'Estimate']),
  )
  const job = { $ref: '#/components/schemas/Job' }
  expect(paths['/convert/job/{id}']?.get?.responses['200']?.content).toEqual({
    'application/json': { schema: job, example: expect.objectContaining({ status: 'Succeeded' }) },
  })
  expect(JSON.stringify(paths, (key, value) => (key === 'example' ? undefined : value))).not.toContain(
    'creditCost',
  )
  expect(components.schemas.Conversions).toMatchObject({
    properties: { conversions: { items: { $ref: '#/components/schemas/Conversion' } } },
  })
})

test('every answer that succeeds and is no file has an example, which is one of its schema, and so have webhooks', async () => {
  const { components, paths, webhooks } = await describe()
  const ajv = new Ajv2020({ strict: false, formats: { uuid: true, uri: true, 'date-time': true } })
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap(path =>
    Object.values(path),
  )
  const bodies = operations.flatMap(({ operationId, responses, requestBody }) => [
    ...Object.entries(responses).flatMap(([status, body]) =>
      /^2/.test(status) ? [[operationId, body] as const] : [],
    ),
    ...(/^job/.test(operationId) && requestBody ? [[operationId, requestBody] as const] : []),
  ])
  const shown = bodies.flatMap(([name, { content = {} }]) =>
    Object.entries(content).map(each => [name, ...each] as const),
  )
  expect(shown.map(([name]) => name)).toEqual(
    expect.arrayContaining(['convert', 'inspect', 'watchJob', 'jobFailed']),
  )
  for (const [name, type, { schema, example }] of shown) {
    if (type === 'application/octet-stream') continue
    expect(
      example,
      `${name} needs a shape in \`named\` of openapi.ts and an answer in answers.json`,
    ).toBeDefined()
    const check = ajv.compile({ ...schema, components })
    expect(check(example) || check.errors, name).toBe(true)
  }
})

test('every error code stands in the description with its sentence, under the statuses that an operation has', async () => {
  const { components, paths } = await describe()
  const told = Object.values(components.responses).flatMap(({ content }) =>
    Object.entries(content['application/json']?.examples ?? {}),
  )
  expect(told.map(([code]) => code).toSorted()).toEqual(Object.keys(requestErrors).toSorted())
  for (const [code, { value }] of told)
    expect(value).toEqual({ error: code, detail: expect.stringMatching(/^[^{}]+[.?]$/) })
  const statuses = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {})
  expect(statuses('/convert', 'post')).toEqual(expect.arrayContaining(['401', '402', '413', '422', '429']))
  expect(statuses('/convert/job/{id}/download', 'get')).toEqual(expect.arrayContaining(['404', '409', '410']))
  expect(components.responses.TooManyRequests?.headers).toHaveProperty('Retry-After')
  const put = await service().call('/convert', { method: 'PUT' })
  expect([put.status, put.headers.has('allow')]).toEqual([405, true])
  expect(paths['/convert']?.post?.responses['405']).toEqual({
    $ref: '#/components/responses/MethodNotAllowed',
  })
})

test('a client of another generator submits, follows and downloads', async () => {
  const source = await generateSource(`${service().url}/openapi.json`)
  const runtime = (specifier: string) => import.meta.resolve(specifier)
  const path = files.path('client.ts')
  writeFileSync(
    path,
    source.replaceAll(/"(@oazapfts\/runtime[^"]*)"/g, (_, name) => `"${runtime(name)}"`),
  )
  const client = await import(pathToFileURL(path).href)
  client.defaults.headers = { 'X-Service-Api-Key': service().key }
  const file = new File(['fine'], 'photo.jpg')
  const { status, data } = await client.convert({ file, targetFormat: 'webp' })
  expect([status, data]).toEqual([202, { id: expect.any(String), status: 'Queued', creditCost: 1 }])
  const job = async () => (await client.getJob(data.id)).data.status
  await expect.poll(job, { timeout: 10_000 }).toBe('Succeeded')
  const direct = await service().call(`/convert/job/${data.id}/download`)
  expect((await client.downloadJob(data.id)).data).toBe(await direct.text())
  expect((await client.convert({ file })).data).toMatchObject({ error: 'convert.missing_target_format' })
})
