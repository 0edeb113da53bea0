/** What a signature of S/MIME is put around (RFC 5652, section 5), in any encoding of ASN.1 that programs write. */

/** A value of ASN.1, and where the next begins. */
interface Value {
  tag: number
  content: Buffer
  children: Value[]
  next: number
}

const SIGNED_DATA = '2a864886f70d010702'
const DEEPEST = 8

/** The mail within a signed one; undefined if it is encrypted, or nothing of the kind. */
export function signedContent(bytes: Uint8Array): Uint8Array | undefined {
  const [type, wrapped] = valueAt(Buffer.from(bytes), 0).children
  if (type?.content.toString('hex') !== SIGNED_DATA) return undefined
  const content = wrapped?.children[0]?.children[2]?.children[1]?.children[0]
  return content && whole(content)
}

/** A string of bytes, which may come in pieces. */
const whole = ({ children, content }: Value): Buffer =>
  children.length > 0 ? Buffer.concat(children.map(whole)) : content

function valueAt(bytes: Buffer, at: number, depth = 0): Value {
  const [tag = 0, short = 0] = bytes.subarray(at, at + 2)
  const isEndless = short === 0x80
  const size = short > 0x80 ? Math.min(short - 0x80, 6, Math.max(0, bytes.length - at - 2)) : 0
  const start = at + 2 + size
  const length = size > 0 ? bytes.readUIntBE(at + 2, size) : short
  const end = isEndless ? bytes.length : Math.min(bytes.length, start + length)
  const children: Value[] = []
  let next = start
  const isOver = () => next >= end || (isEndless && bytes.readUInt16BE(Math.min(next, end - 2)) === 0)
  while ((tag & 0x20) !== 0 && depth < DEEPEST && !isOver()) {
    const child = valueAt(bytes.subarray(0, end), next, depth + 1)
    children.push(child)
    next = child.next
  }
  const last = isEndless ? next : end
  return { tag, children, content: bytes.subarray(start, last), next: isEndless ? last + 2 : last }
}
