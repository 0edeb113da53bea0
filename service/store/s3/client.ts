import { S3Client } from '@aws-sdk/client-s3'
import type { BlobPlace } from '../../shared/blob-place.ts'

export type S3Place = BlobPlace & { kind: 's3' }

/** How long to wait for the storage. */
export interface Timeouts {
  connectMs: number
  /** Longest time without a byte in either direction. */
  silenceMs: number
  /** Attempts of a request after a 500 or 503, a broken connection or silence; AWS_MAX_ATTEMPTS by default. */
  attempts?: number
}

const TIMEOUTS: Timeouts = { connectMs: 5_000, silenceMs: 20_000 }
/** Concurrent connections; each of the running jobs may transfer several parts. */
const MAX_SOCKETS = 200
/** Region for storages other than Amazon's, which have none but require one. */
const ANY_REGION = 'us-east-1'

/**
 * A client of the storage. Credentials are found as by every AWS client: AWS_ACCESS_KEY_ID and its siblings, the files in
 * ~/.aws, or the role of the machine or container.
 */
export function createClient({ endpoint, region, pathStyle }: S3Place, timeouts = TIMEOUTS): S3Client {
  const { AWS_REGION = ANY_REGION } = process.env
  const named = region ?? (endpoint === undefined ? undefined : AWS_REGION)
  return new S3Client({
    forcePathStyle: pathStyle,
    followRegionRedirects: true,
    requestHandler: {
      connectionTimeout: timeouts.connectMs,
      socketTimeout: timeouts.silenceMs,
      httpsAgent: { maxSockets: MAX_SOCKETS },
      httpAgent: { maxSockets: MAX_SOCKETS },
    },
    ...(timeouts.attempts === undefined ? {} : { maxAttempts: timeouts.attempts }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(named === undefined ? {} : { region: named }),
  })
}
