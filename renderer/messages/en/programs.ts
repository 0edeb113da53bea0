/** Programs that convert through the API, and how to write one. */
export const programs = {
  'programs.intro': 'What programs convert through the API on this computer, now and in the last day.',
  'programs.emptyTitle': 'No program has converted anything lately',
  'programs.emptyText': 'Conversions that programs start with an API key are listed here for a day.',
  'programs.emptyAction': 'Set up the API',
  'programs.counts':
    '{succeeded, plural, one {# done} other {# done}}, {failed, plural, one {# failed} other {# failed}}, {canceled, plural, one {# canceled} other {# canceled}} in the last 24 hours',
  'programs.open': '{running, number} running, {queued, number} queued',
  'programs.idle': 'Nothing in progress',
  'programs.now': 'In progress for {name}',
  'programs.cancelAll': 'Cancel all',
  'programs.cancelAllNamed': 'Cancel all jobs of {name}',
  'programs.lastDay': 'Last 24 hours',
  'programs.lastDayOf': 'Last 24 hours of {name}',
  'api.accessNote':
    'Programs on this computer reach Refile here. Other computers cannot, unless REFILE_HOST allows it.',
  'api.port': 'Port',
  'api.example': 'Try it from a terminal',
  'api.exampleNote': 'Replace {placeholder} with one of your keys.',
  'api.reference': 'Open the API reference',
  'api.programs': 'What programs convert now',
} as const
