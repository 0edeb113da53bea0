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
} as const
