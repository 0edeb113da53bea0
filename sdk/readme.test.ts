import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { signatureHeaders } from '../service/work/webhooks/signature.ts'
import { testService } from '../testing/service.ts'

test('the examples of the README run', async () => {
  const service = await testService()
  const folder = await mkdtemp(join(tmpdir(), 'refile-readme-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const photo = { create: { width: 20, height: 10, channels: 3 as const, background: 'red' } }
  await sharp(photo).png().toFile(join(folder, 'photo.png'))
  const blocks = (await readFile(join(import.meta.dirname, 'README.md'), 'utf8')).matchAll(
    /```js\n([\s\S]*?)```/g,
  )
  const code = [...blocks].map(([, block = '']) => block)
  expect(code).toHaveLength(4)

  const secret = 'a secret of a receiver'
  const rawBody = JSON.stringify({ event: 'job.succeeded', output: { downloadUrl: 'http://there' } })
  const signed = signatureHeaders({
    eventId: '1',
    secret,
    timestamp: Math.floor(Date.now() / 1000),
    body: rawBody,
  })
  const before = `const secret = '${secret}', rawBody = '${rawBody}', request = { headers: ${JSON.stringify(signed)} };\n`
  const script = [before, ...code, 'console.log(data.conversions.length > 3)']
    .join('\n')
    .replaceAll("'http://127.0.0.1:7421'", `'${service.url}'`)
    .replaceAll("'refile-sdk'", `'${pathToFileURL(join(import.meta.dirname, 'src/index.ts')).href}'`)
  writeFileSync(join(folder, 'example.mjs'), script)
  const env = { PATH: process.env.PATH, REFILE_API_KEY: service.key }
  const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], { cwd: folder, env })
  expect(stdout).toMatch(/Succeeded 100\nhttp:\/\/there\ntrue\n$/)
  expect(await sharp(join(folder, 'photo.webp')).metadata()).toMatchObject({ format: 'webp', width: 20 })
})
