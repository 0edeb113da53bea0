/** Messages about archives. */
export const archives = {
  'archive.damaged':
    'The archive is damaged or incomplete and cannot be read. Check that it opens elsewhere.',
  'archive.not_this_format': 'The file is not an archive of its format, or its start is damaged.',
  'archive.needs_password': 'The archive is protected by a password. Give it under Password.',
  'archive.wrong_password':
    'The password does not open the archive. Check it, upper and lower case included.',
  'archive.sparse':
    'A file with holes (sparse) is in the archive, which cannot be read. Pack it again without holes, as tar does without --sparse.',
  'archive.multi_volume':
    'The file is one part of an archive of several parts, and the others are missing. Join or unpack the parts first.',
  'archive.method':
    'The archive is packed with a method that cannot be read. Pack it again with another method.',
  'archive.method_named':
    'The archive is packed with {method}, which cannot be read. Unpack it with the program that made it, and pack it as ZIP.',
  'archive.too_many_entries': 'The archive has more than {limit} entries.',
  'archive.too_large_unpacked': 'The files in the archive take more than {gigabytes} GB once unpacked.',
  'archive.bomb':
    'The files in the archive take more than {ratio} times its size once unpacked; this looks like a decompression bomb.',
  'archive.too_deep':
    'The archive has folders within folders deeper than {limit}, or longer names than can be kept.',
  'archive.unsafe_names':
    '{count, plural, one {A name that led} other {# names that led}} out of the archive or to the root of a disk {count, plural, one {is now} other {are now}} inside it, the first as "{name}".',
  'archive.odd_names':
    'Invisible control characters in {count, plural, one {a name} other {# names}} became "_", the first in "{name}".',
  'archive.duplicates':
    '{count, plural, one {An entry has} other {# entries have}} the name of another and got a number, the first "{name}".',
  'archive.devices':
    '{count, plural, one {A device or pipe was} other {# devices or pipes were}} left out, the first "{name}".',
  'archive.outward_links':
    '{count, plural, one {A symbolic link that leads} other {# symbolic links that lead}} out of the archive {count, plural, one {was kept} other {were kept}} as it stands, the first "{name}".',
  'archive.damaged_members':
    '{count, plural, one {A file is damaged in the archive and was} other {# files are damaged in the archive and were}} left out, the first "{name}". All others are whole.',
  'archive.broken_links':
    '{count, plural, one {A hard link was} other {# hard links were}} left out because its target is missing from the archive, the first "{name}".',
  'archive.names_decoded':
    'Names are not in Unicode and were read as {encoding}, which is a guess. If letters are wrong, choose another one under "Encoding of names".',
  'archive.comments_left_out': 'The comment of the archive or of its files was left out.',
  'archive.links_left_out':
    '{count, plural, one {A symbolic link of the archive was} other {# symbolic links of the archive were}} left out.',
  'archive.engine_missing': '7-Zip, which reads these archives, is missing. Install Refile again.',

  // Messages about ISO images.
  'iso.too_many_folders':
    'The archive has more than {limit} files and folders, counting folders that appear in paths only. That is more than can be converted.',
  'iso.symlinks_hidden':
    'The image has {count, plural, one {# symbolic link} other {# symbolic links}}, which Linux and macOS show and Windows does not.',
  'iso.large_files':
    '{count, plural, one {# file has} other {# files have}} 4 GiB or more, which Windows may not be able to read from an image. Convert to ZIP or 7z instead.',
} as const
