/** A font program with cubic outlines, CFF or Type 1, as far as PDF/A is concerned. */
export interface OutlineProgram {
  /** 0 where there is none. */
  glyphNamed(name: string): number
  glyphOfCid(cid: number): number
  /** Glyphs by code in the font's own encoding; empty if it has the standard encoding. */
  encoding: readonly (number | undefined)[]
  /** In thousandths of the font's size; undefined if unknown. */
  widthOf(glyph: number): number | undefined
}
