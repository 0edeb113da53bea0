/** Messages about ISO images. */
export const iso = {
  'iso.too_many_folders':
    'The archive has more than {limit} files and folders, counting folders that appear in paths only. That is more than can be converted.',
  'iso.symlinks_hidden':
    'The image has {count, plural, one {# symbolic link} other {# symbolic links}}, which Linux and macOS show and Windows does not.',
  'iso.large_files':
    '{count, plural, one {# file has} other {# files have}} 4 GiB or more, which Windows may not be able to read from an image. Convert to ZIP or 7z instead.',
  'iso.hard_links_left_out':
    '{count, plural, one {# hard link leads} other {# hard links lead}} to no file of the archive and {count, plural, one {was left out} other {were left out}}.',
} as const
