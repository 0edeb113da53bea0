/** Messages about QuickDraw pictures. */
export const pict = {
  'pict.not_a_picture': 'The file is not a PICT picture.',
  'pict.no_size': 'The picture has no size. It may be damaged.',
  'pict.empty': 'The picture is empty: nothing is drawn in it.',
  'pict.breaks_off': 'The file ends before its picture does. The part that is there was drawn.',
  'pict.too_many_steps': 'The picture has too many drawing steps.',
  'pict.too_much_work':
    'The picture draws over itself so often that it cannot be converted in reasonable time.',
  'pict.too_large_pattern': 'The picture holds a pattern that is too large.',
  'pict.too_large_image': 'The picture holds an image of more than {megapixels} megapixels.',
  'pict.too_intricate_region': 'The picture contains a region too complex to draw.',
  'pict.damaged_region': 'The picture holds a damaged region.',
  'pict.damaged_image': 'An image inside the picture is damaged and cannot be read.',
  'pict.damaged_image_description': 'The picture holds a QuickTime image whose description is damaged.',
  'pict.image_without_size': 'The picture holds an image without a size.',
  'pict.image_of_unknown_depth': 'The picture holds an image of a depth that does not exist.',
  'pict.image_with_short_rows': 'The rows of an image in the picture are shorter than it is wide.',
  'pict.unsupported_compression':
    'The picture holds an image in the QuickTime compression “{codec}”, which cannot be read.',
  'pict.images_left_out':
    '{images, plural, one {An image in the picture could not be read and was left out.} other {# images in the picture could not be read and were left out.}}',
} as const
