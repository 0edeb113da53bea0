import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LIMITS, newJob } from './contract/fixtures.ts'
import { openEmbeddedStores } from './embedded.ts'
import { Encrypter, newEncrypter } from './sealer.ts'

async function folder(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'refile-sealer-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return home
}

test('the password of a document is nowhere in the data folder, and available again after a restart', async () => {
  const home = await folder()
  const options = { password: 'open sesame, please', dpi: 72 }
  let id = ''
  {
    await using stores = await openEmbeddedStores(home, LIMITS, () => {})
    const account = await stores.accounts.create({ name: 'Owner', credits: 9 })
    const submission = await stores.jobs.submit(newJob(account.id, { options }))
    if (submission.kind === 'queued') id = submission.job.id
  }
  for (const name of ['refile.sqlite', 'refile.sqlite-wal']) {
    const bytes = await readFile(join(home, name)).catch(() => Buffer.alloc(0))
    expect(bytes.includes('open sesame')).toBe(false)
  }
  expect((await stat(join(home, 'secrets.key'))).mode & 0o777).toBe(0o600)
  await using stores = await openEmbeddedStores(home, LIMITS, () => {})
  expect((await stores.jobs.get(id))?.options).toEqual(options)
})

test('what was changed, not sealed or sealed with another key is not opened', async () => {
  const encrypter = await newEncrypter(await folder())
  const sealed = encrypter.encrypt({ a: 1 })
  expect(encrypter.decrypt(sealed)).toEqual({ a: 1 })
  expect(encrypter.encrypt({ a: 1 })).not.toBe(sealed)
  const bytes = Buffer.from(sealed, 'base64')
  bytes[bytes.length - 1]! ^= 1
  expect(() => encrypter.decrypt(bytes.toString('base64'))).toThrow()
  expect(() => new Encrypter().decrypt(sealed)).toThrow()
  expect(() => encrypter.decrypt('{"a":2}')).toThrow()
})

test('a damaged key is not replaced: everything sealed with it would be lost', async () => {
  const home = await folder()
  await writeFile(join(home, 'secrets.key'), 'short')
  await expect(openEmbeddedStores(home, LIMITS, () => {})).rejects.toThrow('secrets.key')
  expect(await readFile(join(home, 'secrets.key'), 'utf8')).toBe('short')
  // The database is unlocked again.
  await writeFile(join(home, 'secrets.key'), Buffer.alloc(32))
  await (await openEmbeddedStores(home, LIMITS, () => {}))[Symbol.asyncDispose]()
})
