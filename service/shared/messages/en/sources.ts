/** Why a file of this machine is not accepted. */
export const sources = {
  'source.not_absolute': 'Give the absolute path of a file on this machine.',
  'source.not_found': 'There is no longer a file at this path.',
  'source.not_a_file': 'Only files can be converted, and this is a folder or a device.',
  'source.not_readable': 'Refile may not read this file. Permit it, or copy the file elsewhere.',
  'source.own_data': 'This file is one of Refile’s own. Copy it elsewhere to convert it.',
} as const
