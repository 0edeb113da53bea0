/** Messages about Photoshop documents. */
export const psd = {
  'psd.not_a_document': 'The file is not a Photoshop document.',
  'psd.unsupported_version': 'Photoshop documents of version {version} cannot be read.',
  'psd.unsupported_mode':
    'The Photoshop document uses a colour mode or a depth that cannot be read. Save it as 8-bit RGB.',
  'psd.damaged_header': 'The header of the Photoshop document is damaged.',
  'psd.contradicting_header': 'The header of the Photoshop document contradicts itself.',
  'psd.missing_channels': 'The Photoshop document lacks some of its colour channels.',
  'psd.damaged_pixels':
    'The pixels of the Photoshop document are damaged or incomplete. Check that it opens elsewhere.',
  'psd.nothing_drawn':
    'The document holds neither a merged picture nor layers with pixels. Save it with “maximise compatibility” on.',
  'psd.unmerged_mode':
    'The document was saved without a merged picture, and its layers cannot be merged in this mode. Save it with “maximise compatibility” on.',
  'psd.merged_without_effects':
    'The document was saved without a merged picture. Adjustment layers, fills and effects were left out.',
} as const
