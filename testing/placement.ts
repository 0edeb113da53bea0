import type { Placement } from '../service/work/batches/place.ts'

/** A result that is put into a folder for the first time, under its name or a numbered one. */
export const testPlacement = (
  placement: Pick<Placement, 'from' | 'root' | 'name'> & Partial<Placement>,
): Placement => ({
  folders: [],
  taken: 'number',
  modifiedAt: null,
  id: 'item',
  remembered: null,
  remember: async () => {},
  signal: new AbortController().signal,
  ...placement,
})
