/** Messages about SVG drawings. */
export const svg = {
  'svg.no_drawing': 'The file holds no SVG drawing.',
  'svg.too_complex':
    'The drawing is too complex: it has too many parts, they are nested too deep, or its effects would take too long.',
  'svg.pictures_too_large':
    'The pictures inside the drawing have more than {megapixels} megapixels together.',
  'svg.outside_left_out':
    'The drawing refers to files or addresses outside of itself. They were not opened, and what they hold is missing.',
  'svg.picture_unreadable': 'A picture inside the drawing could not be read and is missing.',
  'svg.font_unreadable': 'A font inside the drawing could not be read. Another took its place.',
  'svg.html_left_out': 'The drawing holds parts in HTML, which are missing.',
} as const
