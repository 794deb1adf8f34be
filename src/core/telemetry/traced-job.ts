import { codeOfFailure, traceWork } from './trace.ts'

/** Runs part of a job, and traces it if there was something to do. */
export async function runTraced(name: string, run: () => Promise<number>): Promise<number> {
  const startedAt = performance.now()
  const describe = (done: number, error?: string) => ({
    name: `job: ${name}`,
    startedAt,
    attributes: { 'deskbell.job.done': done },
    error: error ?? null,
  })
  try {
    const done = await run()
    if (done > 0) traceWork(() => describe(done))
    return done
  } catch (error) {
    traceWork(() => describe(0, codeOfFailure(error)))
    throw error
  }
}
