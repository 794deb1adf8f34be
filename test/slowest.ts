/** What a file of tests took. */
export interface Time {
  file: string
  /** Seconds of processor time: its own process, and the programs that it started and that ended. */
  processor: number
  /** Seconds from its beginning to its end. */
  wall: number
  /** Milliseconds of processor time that a fixed piece of work took at its end. */
  sample: number
}

/** Seconds of a quiet processor that a file may take. */
const maxSeconds = 20

/** Milliseconds in which a quiet processor does the fixed piece of work. */
const quietMs = 8

/** The report that each process appends to: a line of JSON for each file. */
export const readTimes = (report: string): Time[] =>
  report
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Time)

/**
 * How many times as long this machine takes for the same work as a quiet one, by the median of all samples of the run:
 * its neighbours slow it down for minutes at a time.
 */
export function measureSlowness(times: Time[]): number {
  const samples = times.map(time => time.sample).sort((one, other) => one - other)
  return Math.max(1, samples[Math.floor(samples.length / 2)]! / quietMs)
}

/** A sentence for each file that takes more processor time than a file may. */
export function listTooSlow(times: Time[]): string[] {
  const bound = maxSeconds * measureSlowness(times)
  return times
    .filter(time => time.processor > bound)
    .map(
      ({ file, processor }) =>
        `${file} took ${processor.toFixed(1)} s of processor time, but a file may take ${bound.toFixed(1)} s on this machine: see "Keep the tests fast" in CONTRIBUTING.md`,
    )
}

/** The ten files that took the most processor time. */
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
