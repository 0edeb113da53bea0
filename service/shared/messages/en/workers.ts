/** What can go wrong around a conversion rather than in it. */
export const workers = {
  'workers.not_started':
    'The process that converts files could not be started. Close other programs and convert the file again.',
  'workers.shutting_down': 'Refile is shutting down.',
  'workers.too_much_memory':
    'Converting this file needs more than {gibibytes, number, ::.0} GiB of memory, the limit.',
  'workers.too_many_processes':
    'Converting this file started too many programs and was stopped. The file may have been made to do harm.',
  'workers.no_output': 'The file contains nothing that could be converted.',
  'workers.unusable_step':
    'Step {step} made something else than the one file that the next step takes. Have it make a single page or picture, or leave out the steps after it.',
  'workers.unknown_conversion': 'This version of Refile has no {job}.',
} as const
