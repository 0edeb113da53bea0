/** Messages about previews of files and conversions. */
export const preview = {
  'preview.too_long': 'A preview of this file would take too long. It can still be converted.',
  'preview.input_gone': 'The file that was converted is no longer here.',
  'preview.gone': 'This preview is no longer here. Ask for it again.',
} as const
