/** Messages about batches and the folders that their results are saved to. */
export const batches = {
  'batches.not_found': 'There is no such batch.',
  'batches.item_not_found': 'There is no such file in this batch.',
  'batches.files_gone':
    '{count, plural, one {One of the files is} other {# of the files are}} no longer here. Add what is missing again.',
  'batches.insufficient_credits':
    'The next file costs {required, plural, one {# credit} other {# credits}}, and {available, plural, =0 {none is} one {# is} other {# are}} left. Top up, and the batch resumes.',
  'batches.disk_full': 'The disk is full. Free some space, then resume.',
  'batches.item_failed': 'Something went wrong with this file. The log has the details.',

  'destination.not_absolute': 'Give the absolute path of a folder on this machine for the results.',
  'destination.not_a_folder': 'There is no such folder on this machine. Choose another one for the results.',
  'destination.folder_name': 'A folder cannot have this name. Choose another one.',
  'destination.no_folder_here': 'No folder can be created here. Choose another place.',
  'destination.own_data': 'Refile keeps its own data in this folder. Choose another one for the results.',
  'destination.unknown_placeholder':
    '"{word}" is not a placeholder. Between braces, a name can have name, ext, counter, date, time, source, target, preset, width and height.',
  'destination.name_with_folders': 'The name of the results cannot contain a slash.',
  'destination.beside_unknown':
    'The original folder of {name} is unknown. Choose a folder for the results, or download them.',
  'destination.beside_missing':
    'The folder of the original no longer exists. Download the result, or bring the folder back and save again.',
  'destination.beside_not_writable':
    'Refile may not write to the folder of the original. Download the result, or permit it and save again.',
  'destination.taken':
    'A file named {name} already exists. Save with a number added, or download the result.',
  'destination.name_taken': 'There is already a file or folder called {name}. Choose another name.',
  'destination.not_recycled':
    'The result is saved, but the original could not go to the recycle bin, and stays where it is.',
  'destination.nothing_to_save': 'Every result of this file is saved already.',
  'destination.missing':
    'The folder for the results no longer exists. Bring it back or connect its disk, then resume.',
  'destination.not_writable': 'Refile may not write to the folder for the results. Permit it, then resume.',
  'destination.full': 'The disk with the folder for the results is full. Free some space, then resume.',
  'destination.failed': 'The results cannot be saved to their folder. Check its disk, then resume.',
  'destination.name_refused':
    'The folder for the results cannot have a file of this name. Download it instead.',
  'destination.result_unreadable':
    'The result cannot be read from where Refile keeps it. Save it again later, or convert the file again.',
  'destination.result_gone': 'The result was deleted before it could be saved. Convert the file again.',

  // Messages about presets.
  'presets.not_found': 'There is no such preset.',
  'presets.too_many': 'There can be at most {limit} presets of your own. Delete some first.',
  'presets.no_such_pair': 'The preset turns {source} into {target}, which is no conversion of this version.',
} as const
