/** Why the input of a job cannot be read any more. */
export const input = {
  'input.changed': 'The file was changed, moved or deleted after it was added. Add it again.',
  'input.unreadable': 'The file could not be read.',
} as const
