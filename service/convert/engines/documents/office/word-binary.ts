/** Reads the text of a .doc file as far as it is needed to choose fonts: [MS-DOC] 2.4.1, retrieving text. */
import type { CompoundFile } from '../formats/compound.ts'
import { addBinaryFamilies, addUtf16Scripts, type FontNeeds } from './needs.ts'

/** nFib of Word 97; earlier versions do not use Unicode. */
const WORD_97 = 0xc1
const VERSION_OFFSET = 2
const FLAGS_OFFSET = 10
const USES_TABLE_1 = 0x0200
/** Offset in the FIB of the position of the piece table. */
const CLX_OFFSET = 0x01a2
const PIECES = 2
const PROPERTIES = 1
const PIECE_BYTES = 8
/** Set if a piece stores one byte per character, in the Western European encoding. */
const IS_SINGLE_BYTE = 0x4000_0000

/** Adds the fonts and scripts of a Word document. @throws DamagedFile when it is damaged */
export function addWordNeeds(needs: FontNeeds, file: CompoundFile, document: Buffer): void {
  if (document.readUInt16LE(VERSION_OFFSET) < WORD_97) return
  const table = file.stream(document.readUInt16LE(FLAGS_OFFSET) & USES_TABLE_1 ? '1Table' : '0Table')
  if (!table) return
  addBinaryFamilies(needs, table)
  const start = document.readUInt32LE(CLX_OFFSET)
  const pieces = pieceTable(table.subarray(start, start + document.readUInt32LE(CLX_OFFSET + 4)))
  const count = Math.max(0, Math.floor((pieces.length - 4) / (4 + PIECE_BYTES)))
  for (let piece = 0; piece < count; piece++) {
    const characters = pieces.readUInt32LE(piece * 4 + 4) - pieces.readUInt32LE(piece * 4)
    const offset = pieces.readUInt32LE((count + 1) * 4 + piece * PIECE_BYTES + 2)
    if (offset & IS_SINGLE_BYTE || characters <= 0) continue
    addUtf16Scripts(needs, document.subarray(offset, offset + characters * 2))
  }
}

/** The piece table within a Clx, which may have properties before it. */
function pieceTable(clx: Buffer): Buffer {
  let at = 0
  while (clx[at] === PROPERTIES) at += 3 + clx.readUInt16LE(at + 1)
  return clx[at] === PIECES ? clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1)) : Buffer.alloc(0)
}
