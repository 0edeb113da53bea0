/** The history. */
export const history = {
  'history.title': 'History',
  'history.emptyTitle': 'Nothing converted yet',
  'history.emptyText': 'Every conversion is listed here, also those that programs start with an API key.',
  'history.older': 'Show older jobs',
  'history.end': 'That is everything.',
} as const
