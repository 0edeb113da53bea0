import type { Secrets } from '../../store/interfaces/secrets.ts'

/** The purpose that the token is sealed for, so that nothing else that was sealed is accepted as a token. */
const PURPOSE = 'download'

/** What a token allows. */
export interface DownloadGrant {
  jobId: string
  accountId: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * Issues a token that downloads the output of one job, without a key, until it expires. It is encrypted and
 * authenticated.
 */
export function issueDownloadToken(secrets: Secrets, { jobId, accountId, expiresAt }: DownloadGrant): string {
  const sealed = secrets.encrypt({ purpose: PURPOSE, jobId, accountId, expiresAt })
  return Buffer.from(sealed, 'base64').toString('base64url')
}

/** What a token allows; undefined if it was not issued here, was changed, is for another job, or has expired. */
export function readDownloadToken(
  secrets: Secrets,
  token: string,
  jobId: string,
  now: number,
): DownloadGrant | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length === 0 || bytes.toString('base64url') !== token) return undefined
  try {
    const grant: Partial<DownloadGrant> & { purpose?: string } = secrets.decrypt(bytes.toString('base64'))
    const { accountId, expiresAt } = grant
    if (grant.purpose !== PURPOSE || grant.jobId !== jobId) return undefined
    if (accountId === undefined || expiresAt === undefined || expiresAt <= now) return undefined
    return { jobId, accountId, expiresAt }
  } catch {
    return undefined
  }
}
