/** A project of Visual Basic for tests: [MS-OVBA]. */

/** Bytes a stream needs at least, and those of a chunk of the compression. */
const STREAM_BYTES = 4096
const CHUNK_BYTES = 4096

/** An id, a size, and so many bytes: [MS-OVBA] 2.3.4.2. */
function record(id: number, content: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(content)
  const head = Buffer.alloc(6)
  head.writeUInt16LE(id)
  head.writeUInt32LE(bytes.length, 2)
  return Buffer.concat([head, bytes])
}

const number = (value: number, bytes: 2 | 4) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntLE(value, 0, bytes)
  return buffer
}

/** A name once in the code page, and once in UTF-16 under an id of its own. */
const named = (id: number, wideId: number, name: string) =>
  Buffer.concat([record(id, name), record(wideId, Buffer.from(name, 'utf16le'))])

/** Whole chunks as they are, the last one as letters that stand for themselves: [MS-OVBA] 2.4.1. */
function compressed(bytes: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.of(1)]
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES)
    if (chunk.length === CHUNK_BYTES) parts.push(number(0x3fff, 2), chunk)
    else {
      const tokens: Buffer[] = []
      for (let from = 0; from < chunk.length; from += 8)
        tokens.push(Buffer.of(0), chunk.subarray(from, from + 8))
      const body = Buffer.concat(tokens)
      parts.push(number(0xb000 | (body.length - 1), 2), body)
    }
  }
  return Buffer.concat(parts)
}

/** Source whose length fills chunks. */
const filled = (source: string) =>
  Buffer.from(source.padEnd(Math.ceil(source.length / CHUNK_BYTES) * CHUNK_BYTES))

/**
 * The streams of a project, as compound files hold them: `vbaProject.bin` of newer documents, `Macros` of older ones.
 * @param commands of the macro, which runs when a document is opened: once as `Document_Open` of the document, once as `AutoOpen`
 */
export function vbaStreams(commands: readonly string[]): Record<string, Buffer> {
  const body = [...commands, 'End Sub', ''].join('\r\n')
  const modules = [
    {
      name: 'ThisDocument',
      kind: 0x22,
      source: `Attribute VB_Name = "ThisDocument"\r\nAttribute VB_Base = "1Normal.ThisDocument"\r\nAttribute VB_GlobalNameSpace = False\r\nAttribute VB_Creatable = False\r\nAttribute VB_PredeclaredId = True\r\nAttribute VB_Exposed = True\r\nPrivate Sub Document_Open()\r\n${body}`,
    },
    { name: 'NewMacros', kind: 0x21, source: `Attribute VB_Name = "NewMacros"\r\nSub AutoOpen()\r\n${body}` },
  ]
  const directory = [
    record(0x01, number(1, 4)),
    record(0x02, number(0x409, 4)),
    record(0x14, number(0x409, 4)),
    record(0x03, number(1252, 2)),
    record(0x04, 'Project'),
    named(0x05, 0x40, 'd'.repeat(1500)),
    named(0x06, 0x3d, ''),
    record(0x07, number(0, 4)),
    record(0x08, number(0, 4)),
    // Its version, whose two numbers are not counted in the size.
    Buffer.concat([record(0x09, number(1, 4)), number(1, 2)]),
    named(0x0c, 0x3c, ''),
    record(0x0f, number(modules.length, 2)),
    record(0x13, number(0xffff, 2)),
    ...modules.flatMap(({ name, kind }) => [
      named(0x19, 0x47, name),
      named(0x1a, 0x32, name),
      named(0x1c, 0x48, ''),
      record(0x31, number(0, 4)),
      record(0x1e, number(0, 4)),
      record(0x2c, number(0xffff, 2)),
      record(kind),
      record(0x2b),
    ]),
    record(0x10),
  ]
  const project = [
    'ID="{917DED54-440B-4FD1-A5C1-74ACF261E600}"',
    'Document=ThisDocument/&H00000000',
    'Module=NewMacros',
    'Name="Project"',
    'HelpContextID="0"',
    'VersionCompatible32="393222000"',
    '',
    '[Host Extender Info]',
    '&H00000001={3832D640-CF90-11CF-8E43-00A0C911005A};VBE;&H00000000',
    '',
    '',
  ].join('\r\n')
  const cache = Buffer.alloc(STREAM_BYTES)
  Buffer.from('cc61ffff000000', 'hex').copy(cache)
  return {
    'VBA/dir': compressed(Buffer.concat(directory)),
    'VBA/_VBA_PROJECT': cache,
    ...Object.fromEntries(modules.map(({ name, source }) => [`VBA/${name}`, compressed(filled(source))])),
    PROJECT: Buffer.from(project.padEnd(STREAM_BYTES, '\r\n')),
  }
}
