/**
 * A CMap from character codes to Unicode (ISO 32000-1, 9.10.3).
 * @param codes the first and the last code, in hexadecimal
 * @param blocks sections of bfchar and bfrange
 */
export const toUnicodeMap = (
  codes: readonly [first: string, last: string],
  blocks: readonly string[],
): string =>
  `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<${codes[0]}> <${codes[1]}>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
