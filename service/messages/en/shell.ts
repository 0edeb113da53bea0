/** What the desktop shell says outside of the page: in the tray, in menus and in notifications. */
export const shell = {
  'shell.open': 'Open Refile',
  'shell.quit': 'Quit',
  'shell.idle': 'Nothing is running',
  'shell.progress': '{done, number} of {total, plural, one {# file} other {# files}}',
  'shell.recent': 'Recent',
  'shell.recent_batch': '{total, plural, one {# file} other {# files}} to {target}',
  'shell.finished_title': '{total, plural, one {# file} other {# files}} to {target}',
  'shell.finished': '{succeeded, plural, one {The file was} other {All # files were}} converted.',
  'shell.finished_some_failed':
    '{succeeded, plural, =0 {No file was} one {# file was} other {# files were}} converted, {failed, plural, one {# file} other {# files}} failed.',
  'shell.paused_title': 'A conversion waits for you',
  'shell.show_in_folder': 'Show in folder',
  'shell.file_gone': 'That file is not there any more.',
  'shell.not_saved': 'This result was not saved to a folder. Download it instead.',
} as const
