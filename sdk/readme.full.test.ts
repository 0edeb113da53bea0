import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
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
  expect(code).toHaveLength(5)

  const secret = 'a secret of a receiver'
  const rawBody = JSON.stringify({ event: 'job.succeeded', output: { downloadUrl: 'http://there' } })
  const signed = signatureHeaders({
    eventId: '1',
    secret,
    timestamp: Math.floor(Date.now() / 1000),
    body: rawBody,
  })
  const before = `const secret = '${secret}', rawBody = '${rawBody}', request = { headers: ${JSON.stringify(signed)} };\n`
  const script = [before, ...code, 'console.log(conversions.length > 3)']
    .join('\n')
    .replaceAll("'http://127.0.0.1:7421'", `'${service.url}'`)
    .replaceAll("'refile-sdk'", `'${pathToFileURL(join(import.meta.dirname, 'src/index.ts')).href}'`)
  writeFileSync(join(folder, 'example.mjs'), script)
  const env = { PATH: process.env.PATH, REFILE_API_KEY: service.key }
  const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], { cwd: folder, env })
  expect(stdout).toMatch(/Succeeded 100\nmissing\.png: ENOENT\nhttp:\/\/there\ntrue\n$/)
  expect(await sharp(join(folder, 'photo.webp')).metadata()).toMatchObject({ format: 'webp', width: 20 })
})

test.runIf(process.platform !== 'win32')(
  'the loop over many files in docs/api.md converts them all',
  async () => {
    const service = await testService()
    const folder = await mkdtemp(join(tmpdir(), 'refile-many-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const photo = await sharp({ create: { width: 20, height: 10, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    // Two more than may be open, and with a name that a shell could take for something else.
    for (let index = 0; index < 20; index++) writeFileSync(join(folder, `a ${index} $(no).png`), photo)
    writeFileSync(
      join(folder, 'uuidgen'),
      '#!/bin/sh\ncat /dev/urandom | od -An -N16 -tx1 | tr -d " \\n"\n',
      { mode: 0o755 },
    )
    const [, loop = ''] =
      /```sh\n(export URL KEY\n[\s\S]*?)```/.exec(
        await readFile(join(import.meta.dirname, '../docs/api.md'), 'utf8'),
      ) ?? []
    const script = loop.replace('*.heic', '*.png').replace('targetFormat=jpg', 'targetFormat=webp')
    const env = {
      PATH: `${folder}:${process.env.PATH}`,
      URL: service.url,
      KEY: `X-Service-Api-Key: ${service.key}`,
    }
    await promisify(execFile)('sh', ['-c', script], { cwd: folder, env })
    const made = (await readdir(folder)).filter(name => name.endsWith('.webp'))
    expect(made).toHaveLength(20)
    expect(await sharp(join(folder, made[0]!)).metadata()).toMatchObject({ format: 'webp', width: 20 })
  },
)
