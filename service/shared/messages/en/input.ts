/** What is wrong with the input of a job, before any engine sees it. */
export const input = {
  'input.changed': 'The file was changed, moved or deleted after it was added. Add it again.',
  'input.unreadable': 'The file could not be read.',
  'input.left_out': '{name} could not be read and was left out.',
  'input.longer_than_charged':
    'There is more in the file than its header says, so its price was too low; the conversion was stopped and refunded. Save the file again in the program that made it, then convert it again.',
  'input.too_many_pages':
    'The file has {count, plural, one {# page} other {# pages}}; this conversion takes at most {limit}. Split the file first.',
  'input.too_many_slides':
    'The file has {count, plural, one {# slide} other {# slides}}; this conversion takes at most {limit}. Split the file first.',
  'input.too_many_frames':
    'The file has {count, plural, one {# frame} other {# frames}}; this conversion takes at most {limit}. Split the file first.',
  'input.too_long':
    'The recording is {minutes, plural, one {# minute} other {# minutes}} long; this conversion takes at most {limit}. Split it first.',
} as const
