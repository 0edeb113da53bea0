/** What is wrong with the input of a job, before any engine sees it. */
export const input = {
  'input.changed': 'The file was changed, moved or deleted after it was added. Add it again.',
  'input.unreadable': 'The file could not be read.',
  'input.subtitle_index':
    'An IDX file holds no subtitles. Those of a DVD are in the SUB file of the same name: convert that one.',
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

  // Messages about files that are to become smaller.
  'same.kept': 'The file could not be made smaller without losing quality, so it was kept as it is.',
  'same.kept_pixels':
    'The file could not be made smaller without losing quality, so it was kept, and only camera data were removed.',
  'same.over_size':
    'The file has {kilobytes} KB and could not be made smaller; {most} KB were asked for. Choose a larger size or a part of it.',

  // Why a file of this machine is not accepted.
  'source.not_absolute': 'Give the absolute path of a file on this machine.',
  'source.not_found': 'There is no longer a file at this path.',
  'source.not_a_file': 'Only files can be converted, and this is a folder or a device.',
  'source.not_readable': 'Refile may not read this file. Permit it, or copy the file elsewhere.',
  'source.own_data': 'This file is one of Refile’s own. Copy it elsewhere to convert it.',

  // Messages about previews of files and conversions.
  'preview.too_long': 'A preview of this file would take too long. It can still be converted.',
  'preview.input_gone': 'The file that was converted is no longer here.',
  'preview.gone': 'This preview is no longer here. Ask for it again.',
} as const
