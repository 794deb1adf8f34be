/** The time that a test file took. */
export interface Time {
  file: string
  /** Seconds of CPU time of its process and of ended child processes. */
  processor: number
  /** Seconds from start to end. */
  wall: number
  /** Milliseconds of CPU time that a fixed piece of work took at its end. */
  sample: number
}

/** Seconds of CPU time that a file may take on a quiet machine. */
const maxSeconds = 20

/** Milliseconds of CPU time for the fixed piece of work on a quiet machine. */
const quietMs = 8

/** Parses the report, to which each process appends one line of JSON per file. */
export const readTimes = (report: string): Time[] =>
  report
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Time)

/**
 * How much slower this machine is than a quiet one, by the median of all samples of the run. Other virtual
 * machines on the host can slow it down for minutes.
 */
export function measureSlowness(times: Time[]): number {
  const samples = times.map(time => time.sample).sort((one, other) => one - other)
  return Math.max(1, samples[Math.floor(samples.length / 2)]! / quietMs)
}

/** A sentence for each file that took too much CPU time. */
export function listTooSlow(times: Time[]): string[] {
  const bound = maxSeconds * measureSlowness(times)
  return times
    .filter(time => time.processor > bound)
    .map(
      ({ file, processor }) =>
        `${file} took ${processor.toFixed(1)} s of processor time, but a file may take ${bound.toFixed(1)} s on this machine: see "Keep the tests fast" in CONTRIBUTING.md`,
    )
}

/** The ten files that took the most CPU time. */
export function listSlowest(times: Time[]): string {
  const lines = times
    .toSorted((one, other) => other.processor - one.processor)
    .slice(0, 10)
    .map(
      ({ file, processor, wall }) =>
        `${processor.toFixed(1).padStart(7)} ${wall.toFixed(1).padStart(7)}  ${file}`,
    )
  return ['The slowest files:', 'processor    wall', ...lines, ''].join('\n')
}
