/** Joining files, and the goals of the first screen. */
export const join = {
  'goals.label': 'What should happen to the files',
  'goals.joinHint': 'Pictures, PDFs and office files become one PDF, in an order of your choice.',

  'join.hint': 'The pages come in this order. Drag a file by its handle, or move it with the arrow keys.',
  'join.hintRecording':
    'They follow each other in this order, each as a chapter. Drag a file by its handle, or move it with the arrow keys.',
  'join.looks': 'Show files as',
  'join.lines': 'List',
  'join.pages': 'Pages',
  'join.move': 'Move {name}',
  'join.moved': '{name}: {place, number} of {total, number}',
  'join.button': 'Join {value, plural, one {# file} other {# files}}',
} as const
