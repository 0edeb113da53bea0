/**
 * Processor time in seconds that work takes in this process, with its threads. Unlike a clock it does not count what else runs
 * on the machine, so that a bound on it can be close.
 */
export async function processorSeconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
