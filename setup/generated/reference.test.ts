import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { isFull } from '../../testing/fixtures/full.ts'
import { misbehaving } from '../../testing/misbehaving.ts'
import { sharedService } from '../../testing/service.ts'
import { beginnings, examples, type OpenApi, programOf, referenceFile, referenceOf } from './reference.ts'

const service = sharedService()
/** Its jobs last until they are cancelled. */
const sleepy = sharedService(misbehaving)

const description = async () => (await (await service().call('/openapi.json')).json()) as OpenApi

test('the reference is up to date (npm run reference), and has an example of every operation', async () => {
  const written = readFileSync(referenceFile, 'utf8')
  expect(written).toBe(referenceOf(await description()))
  for (const operation of Object.keys(examples))
    for (const language of Object.keys(beginnings) as (keyof typeof beginnings)[])
      expect(written).toContain(`\`\`\`${language}\n${programOf(language, operation)}\n\`\`\``)
})

test('an operation without an example is refused, and so is an example without one', async () => {
  const api = await description()
  expect(() => referenceOf({ paths: { ...api.paths, '/convert/more': api.paths['/convert']! } })).toThrow(
    'POST /convert/more',
  )
  const { '/convert/schema': _, ...paths } = api.paths
  expect(() => referenceOf({ paths })).toThrow('GET /convert/schema')
})

/** How the programs of a language are run: what puts values into its variables, separates programs, and how it prints JSON. */
const runners = {
  sh: {
    run: ['bash', '-eu'],
    start: (url: string, key: string) => `URL=${url}; KEY='X-Service-Api-Key: ${key}'`,
    each: (id: string, program: string) => `printf '\\n\\036'; ID=${id}; ${program}`,
  },
  js: {
    run: [process.execPath, '--input-type=module', '-'],
    start: (url: string, key: string) => `import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
console.log = value => process.stdout.write(typeof value === 'object' ? JSON.stringify(value) : String(value))
let url = '${url}', headers = { 'X-Service-Api-Key': '${key}' }, id`,
    each: (id: string, program: string) => `process.stdout.write('\\n\\x1e'); id = '${id}'; {\n${program}\n}`,
  },
  python: {
    run: ['python3', '-'],
    start: (url: string, key: string) => `import json, requests, sys
print = lambda value: sys.stdout.write(value + '\\n' if isinstance(value, str) else json.dumps(value))
url = '${url}'; headers = {'X-Service-Api-Key': '${key}'}`,
    each: (id: string, program: string) => `sys.stdout.write('\\n\\x1e'); id = '${id}'\n${program}`,
  },
} as const

if (isFull)
  test.each(Object.keys(runners) as (keyof typeof runners)[])(
    'the examples in %s do what they say',
    async language => {
      const folder = mkdtempSync(join(tmpdir(), 'refile-reference-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const { call, submit, finished, url, key } = service()
      const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      writeFileSync(join(folder, 'photo.png'), picture)
      const { id } = (await (await submit('photo.png', new Uint8Array(picture), 'webp')).json()) as {
        id: string
      }
      await finished(id)
      const waiting = (await (await sleepy().submit('a.png', 'sleep', 'webp')).json()) as { id: string }

      const { run, start, each } = runners[language]
      const { 'POST /convert/job/{id}/cancel': cancel, ...others } = examples
      const programs = (operations: object, id: string) =>
        Object.keys(operations).map(operation => each(id, programOf(language, operation)))
      const scripts = [
        [start(url, key), ...programs(others, id)],
        [
          start(sleepy().url, sleepy().key),
          ...programs({ 'POST /convert/job/{id}/cancel': cancel }, waiting.id),
        ],
      ]
      const [program, ...args] = run
      const printed = await Promise.all(
        scripts.map(async lines => {
          const running = promisify(execFile)(program, args, { cwd: folder, maxBuffer: 1e8 })
          running.child.stdin?.end(lines.join('\n'))
          const { stdout } = await running
          return stdout.split('\n\u001e').slice(1)
        }),
      )
      const answers = new Map(Object.keys(others).map((operation, index) => [operation, printed[0]![index]!]))
      const answerOf = (operation: string) => JSON.parse(answers.get(operation) ?? '')

      expect(answerOf('POST /convert')).toMatchObject({ status: 'Queued', creditCost: 1 })
      expect(answerOf('GET /convert/job/{id}')).toMatchObject({ id, status: 'Succeeded' })
      expect(answerOf('GET /convert/jobs').jobs).toContainEqual(expect.objectContaining({ id }))
      expect(answers.get('GET /convert/job/{id}/events')).toMatch(
        /^event: job\ndata: .*"status":"Succeeded"/m,
      )
      expect(await sharp(readFileSync(join(folder, 'photo.webp'))).metadata()).toMatchObject({
        format: 'webp',
        width: 40,
      })
      expect(printed[1]![0]!.trim()).toBe('202')
      expect((await sleepy().finished(waiting.id)).status).toBe('Canceled')
      expect(answers.get('DELETE /convert/job/{id}')).toContain('204')
      expect((await call(`/convert/job/${id}`)).status).toBe(404)
      for (const [operation, { path }] of Object.entries(examples)) {
        if (!operation.startsWith('GET') || /\$ID|^\/convert\/jobs/.test(path)) continue
        const expected = await (await call(path)).json()
        expect(expected).not.toHaveProperty('error')
        // The balance changes with each job.
        if (!operation.endsWith('/me')) expect(answerOf(operation), operation).toEqual(expected)
        else expect(Object.keys(answerOf(operation))).toEqual(Object.keys(expected as object))
      }
    },
  )
