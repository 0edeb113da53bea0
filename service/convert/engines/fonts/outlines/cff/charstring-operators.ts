/** Operators of glyph programs by their names in Adobe Technical Note 5177, "The Type 2 Charstring Format", and OpenType's CFF2. */
export const operators = {
  hstem: 1,
  vstem: 3,
  vmoveto: 4,
  rlineto: 5,
  hlineto: 6,
  vlineto: 7,
  rrcurveto: 8,
  callsubr: 10,
  return: 11,
  escape: 12,
  endchar: 14,
  vsindex: 15,
  blend: 16,
  hstemhm: 18,
  hintmask: 19,
  cntrmask: 20,
  rmoveto: 21,
  hmoveto: 22,
  vstemhm: 23,
  rcurveline: 24,
  rlinecurve: 25,
  vvcurveto: 26,
  hhcurveto: 27,
  callgsubr: 29,
  vhcurveto: 30,
  hvcurveto: 31,
} as const

/** Operators that follow `escape`; of the arithmetic ones, programs that make fonts only write `div`, for fractions. */
export const escapedOperators = {
  dotsection: 0,
  div: 12,
  hflex: 34,
  flex: 35,
  hflex1: 36,
  flex1: 37,
} as const
