/**
 * Names of files that nobody wants to convert: those that browsers, editors and copying programs use until a file is complete, locks of
 * office programs, and what systems leave in folders.
 */
const passing =
  /^(\.|~\$|thumbs\.db$|desktop\.ini$)|~$|\.(part|partial|tmp|temp|crdownload|download|filepart|opdownload|!qb)$/i

/** Whether a name is that of a file to convert. */
export const isWanted = (name: string): boolean => !passing.test(name)
