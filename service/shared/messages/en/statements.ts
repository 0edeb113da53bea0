/** Messages about bank statements. */
export const statements = {
  'statement.no_transactions':
    'No transactions were found: no lines that begin with a date and have an amount. Is this a bank statement?',
  'statement.does_not_add_up':
    '{checks, plural, one {# check} other {# checks}} of the statement failed. The sheet "Checks" says where.',
} as const
