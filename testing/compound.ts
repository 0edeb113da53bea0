/** Compound files ([MS-CFB]), written for tests. */

const SECTOR = 512
/** Bytes from which on a stream is in sectors of its own. */
export const CUTOFF = 4096
const NONE = 0xffff_ffff
const END = 0xffff_fffe
const STORAGE = 1
const STREAM = 2
const ROOT = 5

interface Node {
  name: string
  kind: number
  index: number
  start: number
  bytes: number
  children: Node[]
}

/** A compound file of these streams, each of at least 4,096 bytes; names such as `Macros/dir` put them into storages. */
export function compound(streams: Readonly<Record<string, Buffer>>): Buffer {
  const sectorsOf = (bytes: number) => Math.ceil(bytes / SECTOR)
  const root: Node = { name: 'Root Entry', kind: ROOT, index: 0, start: END, bytes: 0, children: [] }
  const nodes = [root]
  const contents: Buffer[] = []
  for (const [path, content] of Object.entries(streams)) {
    if (content.length < CUTOFF) throw new Error('a stream is too short')
    const names = path.split('/')
    let parent = root
    for (const [depth, name] of names.entries()) {
      const isStream = depth === names.length - 1
      let node = parent.children.find(child => child.name === name)
      if (!node) {
        const [kind, bytes] = isStream ? [STREAM, content.length] : [STORAGE, 0]
        node = { name, kind, index: nodes.length, start: 0, bytes, children: [] }
        nodes.push(node)
        parent.children.push(node)
      }
      parent = node
    }
    contents.push(content)
  }
  const directorySectors = sectorsOf(nodes.length * 128)
  let next = directorySectors
  for (const node of nodes.filter(({ kind }) => kind === STREAM)) {
    node.start = next
    next += sectorsOf(node.bytes)
  }
  let fatSectors = 1
  while (fatSectors * (SECTOR / 4) < next + fatSectors) fatSectors++
  const fat = Buffer.alloc(fatSectors * SECTOR, 0xff)
  const chain = (start: number, count: number) => {
    for (let i = 0; i < count; i++) fat.writeUInt32LE(i === count - 1 ? END : start + i + 1, (start + i) * 4)
  }
  chain(0, directorySectors)
  for (const { kind, start, bytes } of nodes) if (kind === STREAM) chain(start, sectorsOf(bytes))
  for (let i = 0; i < fatSectors; i++) fat.writeUInt32LE(0xffff_fffd, (next + i) * 4)
  const padded = contents.map(content => Buffer.concat([content], sectorsOf(content.length) * SECTOR))
  return Buffer.concat([headerOf(fatSectors, next), directoryOf(nodes, directorySectors), ...padded, fat])
}

function headerOf(fatSectors: number, firstFatSector: number): Buffer {
  const header = Buffer.alloc(SECTOR)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(fatSectors, 44)
  header.writeUInt32LE(CUTOFF, 56)
  header.writeUInt32LE(END, 60)
  header.writeUInt32LE(END, 68)
  header.fill(0xff, 76)
  for (let i = 0; i < fatSectors; i++) header.writeUInt32LE(firstFatSector + i, 76 + i * 4)
  return header
}

function directoryOf(nodes: readonly Node[], sectors: number): Buffer {
  const directory = Buffer.alloc(sectors * SECTOR)
  /** The next entry of the same storage, by the entry before it. */
  const rights = new Map<Node, Node>()
  const firsts = new Map<Node, Node>()
  for (const node of nodes) {
    // A chain of right siblings, in the order of the format: shorter names first.
    const sorted = node.children.toSorted(
      (a, b) => a.name.length - b.name.length || (a.name.toUpperCase() < b.name.toUpperCase() ? -1 : 1),
    )
    if (sorted[0]) firsts.set(node, sorted[0])
    for (const [at, child] of sorted.entries()) if (sorted[at + 1]) rights.set(child, sorted[at + 1]!)
  }
  for (const node of nodes) {
    const at = node.index * 128
    directory.write(node.name, at, 'utf16le')
    directory.writeUInt16LE(node.name.length * 2 + 2, at + 64)
    directory[at + 66] = node.kind
    directory[at + 67] = 1
    directory.writeUInt32LE(NONE, at + 68)
    directory.writeUInt32LE(rights.get(node)?.index ?? NONE, at + 72)
    directory.writeUInt32LE(firsts.get(node)?.index ?? NONE, at + 76)
    directory.writeUInt32LE(node.start, at + 116)
    directory.writeUInt32LE(node.bytes, at + 120)
  }
  return directory
}

/** A message of Outlook ([MS-OXMSG]) with these texts. */
export function outlookMessage({ subject, body }: { subject: string; body: string }): Buffer {
  const text = (value: string) => Buffer.from(value.padEnd(CUTOFF / 2), 'utf16le')
  return compound({
    '__properties_version1.0': Buffer.alloc(CUTOFF),
    '__substg1.0_0037001F': text(subject),
    '__substg1.0_1000001F': text(body),
  })
}
