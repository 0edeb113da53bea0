/**
 * Messages stored with jobs and webhooks: sentences from versions without message keys, and reasons why something was
 * lost.
 */
export const stored = {
  'stored.text': '{text}',
  'stored.options_lost':
    'The file secrets.key was missing from the data folder, and without it the options of this conversion could not be read. Submit the file again.',
  'stored.webhook_lost':
    'The file secrets.key was missing from the data folder, and without it the address of this webhook could not be read.',
  'stored.database_restored':
    'The database was damaged. Refile uses its copy of {date}; what happened since is not in it. {kept, select, none {Nothing of the damaged one was left.} other {The damaged one is kept in the data folder as {kept}.}}',
  'stored.database_new':
    'The database was damaged or missing, and there was no intact copy, so Refile began with a new one. {kept, select, none {Nothing of the old one was left.} other {The old one is kept in the data folder as {kept}.}}',
} as const
