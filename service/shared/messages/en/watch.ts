/** Watched folders. */
export const watch = {
  'watch.inside':
    'Results, or originals that are moved, would fall into the watched folder. Choose a folder outside it.',
  'watch.exists': 'There is already a rule for this folder with this target and destination.',
  'watch.not_found': 'There is no such rule. It may have been removed in another window.',
  'watch.unreadable':
    'The folder, or the one for the results, cannot be used. Refile continues as soon as they can.',
  'watch.elsewhere':
    'Another program watches this folder with the same rule. Refile continues once that program has ended.',
  'watch.interrupted': 'Watching was interrupted, and continues by itself in a few seconds.',
  'watch.not_recycled':
    'An original could not go to the recycle bin, and stays in the folder. Its result is saved. Disks of other computers often have no recycle bin.',
  'watch.cannot_recycle':
    'Originals can go to the recycle bin only where Refile runs for you alone on this machine. Move them to a folder instead.',
  'watch.no_credits': 'The credits do not suffice. Refile continues by itself once there are more.',
  'watch.disk_full': 'The disk is full. Refile continues by itself once there is room.',
  'watch.rules_damaged':
    'The rules for watched folders are damaged, so no folder is watched. Put back a copy of watch/watch.db in the data folder, or delete it and make the rules again; all files are then converted again.',
  'watch.file_unreadable': 'It cannot be read at the moment. Refile tries again by itself.',
  'watch.not_saved': 'Its result cannot be saved at the moment. Refile tries again by itself.',
} as const
