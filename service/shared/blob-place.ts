import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where contents of files are stored, if not in the data folder. */
export type BlobPlace =
  /** A folder that several hosts may share. */
  | { kind: 'folder'; path: string }
  /** A bucket of S3 or of a storage that speaks its protocol. */
  | {
      kind: 's3'
      bucket: string
      /** The start of every key: empty, or ending in a slash. */
      prefix: string
      /** Address of the storage; Amazon's by default. */
      endpoint?: string
      region?: string
      /** Whether URLs have the bucket in their path instead of their host. */
      pathStyle: boolean
      /** Seconds for which a download URL of the storage itself is valid; 0 for no such URLs. */
      linkSeconds: number
    }

/** Longest validity of a signed S3 URL. */
const MAX_LINK_SECONDS = 7 * 24 * 3600
const PARAMETERS = new Set(['endpoint', 'region', 'style', 'links'])

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…&style=path|host&links=seconds`, `file:///folder`, or the path of a
 * folder.
 * @returns undefined if it is none of them
 */
export function readBlobPlace(text: string): BlobPlace | undefined {
  if (isAbsolute(text)) return { kind: 'folder', path: text }
  const url = URL.parse(text)
  if (url?.protocol === 'file:') return folderOf(url)
  if (url?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host)) return undefined
  const { searchParams } = url
  const endpoint = searchParams.get('endpoint')
  const region = searchParams.get('region')
  const style = searchParams.get('style') ?? 'host'
  const links = searchParams.get('links') ?? '0'
  const isKnown = [...searchParams.keys()].every(name => PARAMETERS.has(name))
  const isLink = /^\d{1,6}$/.test(links) && Number(links) <= MAX_LINK_SECONDS
  if (!isKnown || !isLink || !['host', 'path'].includes(style) || url.username || url.hash) return undefined
  if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return undefined
  const folders = decodeURIComponent(url.pathname).split('/').filter(Boolean)
  return {
    kind: 's3',
    bucket: url.host,
    prefix: folders.map(folder => `${folder}/`).join(''),
    ...(endpoint === null ? {} : { endpoint }),
    ...(region === null ? {} : { region }),
    pathStyle: style === 'path',
    linkSeconds: Number(links),
  }
}

function folderOf(url: URL): BlobPlace | undefined {
  try {
    return { kind: 'folder', path: fileURLToPath(url) }
  } catch {
    // The URL names another host, or not a valid folder of this system.
    return undefined
  }
}
