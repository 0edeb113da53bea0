/** Maps from the codes of a composite font to its characters; ISO 32000-1, 9.7.5.3, and Adobe Technical Note 5014. */

export interface CodeMap {
  /** Numbers of the characters (CIDs) that a string shows; 0 for codes that the map does not have. */
  cidsOf(text: Buffer): number[]
}

/** Codes of one length, from one to another. */
interface Range {
  length: number
  from: number
  to: number
  cid: number
}

/** Maximum number of ranges that are examined. */
const RANGE_LIMIT = 70_000

/**
 * Reads a map that is embedded in a file.
 * @returns undefined if it is based on another map
 */
export function readCodeMap(source: string): CodeMap | undefined {
  if (/\busecmap\b/.test(source)) return undefined
  const spaces = [...entries(source, 'codespacerange', /<([\da-f]+)>\s*<([\da-f]+)>/gi)]
  const ranges = [
    ...entries(source, 'cidrange', /<([\da-f]+)>\s*<([\da-f]+)>\s*(\d+)/gi),
    ...entries(source, 'cidchar', /<([\da-f]+)>()\s*(\d+)/gi),
  ]
  const isWithin = (code: number, { length, from, to }: Range) =>
    Array.from({ length }, (_, byte) => byte * 8).every(shift => {
      const [value, least, most] = [code, from, to].map(each => (each >>> shift) & 255)
      return value! >= least! && value! <= most!
    })
  const known = new Map<number, number>()
  const cidOf = (code: number, length: number) => {
    const range = ranges.find(each => each.length === length && code >= each.from && code <= each.to)
    return range ? range.cid + code - range.from : 0
  }
  return {
    cidsOf(text) {
      const cids: number[] = []
      for (let at = 0; at < text.length; ) {
        const space = spaces.find(
          each => at + each.length <= text.length && isWithin(text.readUIntBE(at, each.length), each),
        )
        const length = space?.length ?? 1
        const code = text.readUIntBE(at, length)
        const key = length * 2 ** 32 + code
        const cid = known.get(key) ?? (space ? cidOf(code, length) : 0)
        known.set(key, cid)
        cids.push(cid)
        at += length
      }
      return cids
    },
  }
}

function* entries(source: string, kind: string, pattern: RegExp): Generator<Range> {
  let left = RANGE_LIMIT
  for (const [, block = ''] of source.matchAll(new RegExp(`begin${kind}([\\s\\S]*?)end${kind}`, 'g')))
    for (const [, first = '', last = '', cid = '0'] of block.matchAll(pattern)) {
      if (first.length > 8 || first.length === 0 || --left < 0) continue
      const from = Number.parseInt(first, 16)
      const to = last ? Number.parseInt(last, 16) : from
      yield { length: Math.ceil(first.length / 2), from, to, cid: Number(cid) }
    }
}
