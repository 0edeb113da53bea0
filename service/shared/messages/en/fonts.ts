/** Messages about fonts. */
export const fonts = {
  'font.not_a_font': 'The file is not an OpenType or TrueType font, nor a web font made of one.',
  'font.damaged': 'The font is damaged or incomplete and cannot be read. Check that it opens elsewhere.',
  'font.too_large_unpacked': 'The tables of the font take more than {megabytes} MB once unpacked.',
  'font.too_many_faces': 'The collection has {count} fonts, more than the {limit} that can be converted.',
  'font.too_complex': 'The outlines of the font are more complex than can be converted.',
  'font.coordinates_too_large': 'The outlines of the font have coordinates outside the range of TrueType.',
  'font.extended_glyphs':
    'The glyphs of the font use an extension of OpenType that cannot be converted. They can be kept as TTF, WOFF or WOFF2.',
  'font.no_outlines':
    'The font has pictures of its glyphs but no outlines that could be converted, and was kept as it is.',
  'font.graphite_unused':
    'The font joins and places letters by Graphite rules, which programs ignore in OTF. Keep it as TTF, WOFF or WOFF2 for them.',
  'font.variations_left_out':
    'The font is variable, but the new file is its default style only. Convert it to WOFF or WOFF2 to keep its other weights and styles.',
  'font.scripts_missing':
    'No font on this computer shows these scripts properly: {scripts}. Download one in the settings, under Conversions, and convert again.',
} as const
