import { expect, test } from 'vitest'
import { Encrypter } from '../../store/sealer.ts'
import { issueDownloadToken, readDownloadToken } from './download-token.ts'

const secrets = new Encrypter()
const grant = { jobId: 'job', accountId: 'account', expiresAt: Date.now() + 60_000 }

test('a token hides what it allows, and allows exactly that', () => {
  const token = issueDownloadToken(secrets, grant)
  expect(token).toMatch(/^[\w-]+$/)
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('account')
  expect(readDownloadToken(secrets, token, 'job', Date.now())).toEqual(grant)
})

test('a token that was changed, is for another job, has expired, or was sealed for another purpose is refused', () => {
  const token = issueDownloadToken(secrets, grant)
  for (let index = 0; index < token.length; index += 7) {
    const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`
    expect(readDownloadToken(secrets, changed, 'job', Date.now())).toBeUndefined()
  }
  expect(readDownloadToken(secrets, token, 'other', Date.now())).toBeUndefined()
  expect(readDownloadToken(new Encrypter(), token, 'job', Date.now())).toBeUndefined()
  const expired = issueDownloadToken(secrets, { ...grant, expiresAt: Date.now() - 1 })
  expect(readDownloadToken(secrets, expired, 'job', Date.now())).toBeUndefined()
  const options = Buffer.from(secrets.encrypt(grant), 'base64').toString('base64url')
  expect(readDownloadToken(secrets, options, 'job', Date.now())).toBeUndefined()
  for (const forged of [
    JSON.stringify({ purpose: 'download', ...grant }),
    '',
    '%',
    'e30',
    'x'.repeat(9000),
  ]) {
    expect(readDownloadToken(secrets, forged, 'job', Date.now())).toBeUndefined()
  }
})
