/** Tags that WOFF2 stores as a number: https://www.w3.org/TR/WOFF2/#table_dir_format */
export const knownTags: readonly string[] = (
  'cmap|head|hhea|hmtx|maxp|name|OS/2|post|cvt |fpgm|glyf|loca|prep|CFF |VORG|EBDT|EBLC|gasp|hdmx|kern|LTSH|PCLT|' +
  'VDMX|vhea|vmtx|BASE|GDEF|GPOS|GSUB|EBSC|JSTF|MATH|CBDT|CBLC|COLR|CPAL|SVG |sbix|acnt|avar|bdat|bloc|bsln|cvar|' +
  'fdsc|feat|fmtx|fvar|gvar|hsty|just|lcar|mort|morx|opbd|prop|trak|Zapf|Silf|Glat|Gloc|Feat|Sill'
).split('|')

/** Number of a tag that is not in the list and follows itself. */
export const OTHER_TAG = 63

/** "wOF2" */
export const SIGNATURE = 0x774f_4632
export const HEADER_BYTES = 48

/** Numbers of the transformations of a table: of the one that leaves it unchanged, and of the one that does not. */
export const transformationsOf = (tag: string): { none: number; real?: number } =>
  tag === 'glyf' || tag === 'loca'
    ? { none: 3, real: 0 }
    : tag === 'hmtx'
      ? { none: 0, real: 1 }
      : { none: 0 }
