import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/app.ts'
import { zipOf } from '../../testing/hostile-archives.ts'
import { json, testService } from '../../testing/service.ts'

/** Secrets of a session, each a unique word. */
const secrets = {
  password: 'PasswordOfADocument4711',
  webhookSecret: 'SecretOfAReceiver4711',
  webhookQuery: 'TokenInAWebhook4711',
  signature: 'SignatureOfAPresignedUrl4711',
  misplaced: 'PasswordInTheWrongPlace4711',
}

/** Every encoding in which a word could be found. */
const spellings = (word: string): Buffer[] => [
  Buffer.from(word),
  Buffer.from(word, 'utf16le'),
  Buffer.from(Buffer.from(word).toString('base64').slice(0, -4)),
  Buffer.from(Buffer.from(word).toString('hex')),
]

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}

test('a whole session leaves no secret in the log, in the data folder or in an answer', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: line => void lines.push(line) })
  const service = await testService({ log, offline: true })
  const app = await openApp(service)
  const answers: string[] = []
  const note = async (answer: Response | Promise<Response>) => {
    const response = await answer
    answers.push(`${response.url} ${JSON.stringify([...response.headers])} ${await response.text()}`)
    return response.status
  }
  const archive = new Uint8Array(zipOf([{ name: 'a.txt', data: Buffer.from('text') }]))
  const convert = (options: unknown, fields: Record<string, string> = {}) =>
    service.submit('a.zip', archive, 'tar', { options: JSON.stringify(options), ...fields })

  // A successful one, with an unneeded password, and what is shown of it.
  const { id } = await json<{ id: string }>(convert({ password: secrets.password }))
  expect(await service.finished(id)).toMatchObject({ status: 'Succeeded' })
  for (const path of [`/convert/job/${id}`, `/convert/job/${id}/events`, `/convert/job/${id}/download`]) {
    await note(service.call(path))
  }
  const staged = await app.stage([['b.png', 'not a picture']])
  await app.createBatch({ fileIds: staged, targetFormat: 'jpg', options: {} })
  for (const name of ['jobs', 'batches', 'webhooks', 'keys', 'files', 'about', 'session', 'credits/ledger']) {
    await note(app.call(`/app/${name}`))
  }

  // Refusals that involve a secret: wrong options, invalid fields, forbidden addresses.
  const refusals = [
    convert({ password: { value: secrets.misplaced } }),
    convert({ password: secrets.password.repeat(500) }),
    convert({ password: secrets.misplaced, x: 1 }),
    convert({}, { options: `{"password":"${secrets.misplaced}"` }),
    convert(
      {},
      { webhookUrl: `http://hooks.example/?t=${secrets.webhookQuery}`, webhookSecret: secrets.webhookSecret },
    ),
    convert(
      {},
      { webhookUrl: `https://u:${secrets.webhookQuery}@10.0.0.1/`, webhookSecret: secrets.webhookSecret },
    ),
    ...[
      'https://files.example/a.zip',
      'http://files.example/a.zip',
      'https://10.0.0.1/a.zip',
      'https://[::1/a.zip',
    ].map(url =>
      service.call('/convert', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          inputUrl: `${url}?X-Amz-Signature=${secrets.signature}`,
          sourceFormat: 'zip',
          targetFormat: 'tar',
        }),
      }),
    ),
    service.call('/convert/entitlements/me', { key: service.key.replace(/.$/, '!') }),
    service.call(`/convert/job/${id}/download?token=${secrets.signature}`, { key: null }),
    service.call(`/nowhere?key=${secrets.signature}`),
  ]
  for (const refusal of refusals) expect(await note(refusal)).toBeGreaterThanOrEqual(400)
  await service.close()

  const { cookie, 'x-service-session': half } = app.session
  // The secret is base64url, so it may contain the key's separator.
  const keySecret = service.key.split('_').slice(2).join('_')
  const found: string[] = []
  const places = new Map<string, Buffer>([
    ['the log', Buffer.from(lines.join(''))],
    // If a requested URL contains a secret, the URL itself comes first.
    ['the answers', Buffer.from(answers.map(answer => answer.slice(answer.indexOf(' '))).join('\n'))],
  ])
  for (const path of await filesBelow(service.home)) places.set(path, await readFile(path))
  const words = { ...secrets, key: keySecret, session: cookie.slice(cookie.indexOf('=') + 1), half }
  for (const [name, word] of Object.entries(words)) {
    expect(word.length, name).toBeGreaterThan(16)
    for (const [place, bytes] of places) {
      if (spellings(word).some(spelling => bytes.includes(spelling))) found.push(`${name} in ${place}`)
    }
  }
  expect(found).toEqual([])
  expect(lines.length).toBeGreaterThan(0)
  expect(answers.length).toBeGreaterThan(15)
})
