/** Milliseconds of processor time that this process has used so far. Unlike the time of day, it does not pass while other processes run. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
