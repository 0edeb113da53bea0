import { api } from '../../../api/client.ts'
import { useDestination } from '../../../destination/store.ts'
import { useUsual } from '../../../forms/usual.ts'

/** Reads what the account has set for conversions; without the service the usual stays. */
export async function loadSettings(): Promise<void> {
  const found = await api.settings().catch(() => null)
  if (!found) return
  const { destination, ...usual } = found
  useUsual.setState(usual)
  useDestination.getState().restore(destination)
}
