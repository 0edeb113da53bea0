import { api } from '../../../api/client.ts'
import { useDestination } from '../../../destination/store.ts'
import { useUsual } from '../../../forms/usual.ts'

/** Reads what the account has set for conversions; without the service the usual stays. */
export async function loadSettings(): Promise<void> {
  const found = await api.settings().catch(() => null)
  if (!found) return
  useUsual.setState({ metadata: found.metadata })
  useDestination.getState().restore(found.destination)
}
