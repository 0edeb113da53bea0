/** Fonts: WOFF2 compared with Google's `woff2_compress`, OTF to TTF compared with fontTools' cu2qu. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { toCff } from '../service/convert/engines/fonts/outlines/to-cff.ts'
import { toTrueType } from '../service/convert/engines/fonts/outlines/to-truetype.ts'
import { readFonts } from '../service/convert/engines/fonts/sfnt/read.ts'
import { writeSfnt } from '../service/convert/engines/fonts/sfnt/sfnt.ts'
import { writeWoff2 } from '../service/convert/engines/fonts/sfnt/woff2/write.ts'
import { best, report } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'refile-bench-fonts-'))
const fonts = resolve(import.meta.dirname, '../resources/fonts')
const ROUNDS = 3

/** fontTools' conversion of cubic to quadratic outlines, excluding its start-up. */
const cu2qu = `
import sys, time
from fontTools.ttLib import TTFont
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
def convert():
    font = TTFont(sys.argv[1])
    glyphs = font.getGlyphSet()
    for name in font.getGlyphOrder():
        pen = TTGlyphPen(glyphs)
        glyphs[name].draw(Cu2QuPen(pen, font["head"].unitsPerEm / 1000, reverse_direction=True))
        pen.glyph()
times = []
for _ in range(${ROUNDS}):
    started = time.perf_counter()
    convert()
    times.append(time.perf_counter() - started)
print(min(times) * 1000)
`

for (const name of ['DejaVuSans.ttf', 'Arimo-Regular.ttf']) {
  const source = join(fonts, name)
  const copy = join(folder, name)
  writeFileSync(copy, readFileSync(source))
  const theirs = await best(ROUNDS, async () => execFileSync('woff2_compress', [copy], { stdio: 'ignore' }))
  const theirBytes = statSync(copy.replace(/ttf$/, 'woff2')).size
  let bytes = 0
  const ours = await best(ROUNDS, async () => {
    bytes = writeWoff2(readFonts(readFileSync(source))[0]!).length
  })
  const ratio = ours / theirs
  report(`${name} to WOFF2: time / woff2_compress`, ratio.toFixed(2), '≤ 1.1', ratio <= 1.1)
  const size = bytes / theirBytes
  report(`${name} to WOFF2: size / woff2_compress`, size.toFixed(3), '≤ 1.005', size <= 1.005)

  const cubic = join(folder, name.replace(/ttf$/, 'otf'))
  writeFileSync(cubic, writeSfnt(toCff(readFonts(readFileSync(source))[0]!)))
  const quadratic = await best(ROUNDS, async () => writeSfnt(toTrueType(readFonts(readFileSync(cubic))[0]!)))
  const reference = Number(execFileSync('/usr/bin/python3', ['-c', cu2qu, cubic], { encoding: 'utf8' }))
  const share = quadratic / reference
  report(`${name} as OTF to TTF: time / fontTools cu2qu`, share.toFixed(3), '≤ 0.1', share <= 0.1)
}
rmSync(folder, { recursive: true })
