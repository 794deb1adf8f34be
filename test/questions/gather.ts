import { pino } from 'pino'
import { indexingJob } from '../../src/indexing.ts'
import type { TestServer } from '../server.ts'

/** Does now what the background job does about once a second: reads the words of what a project has written. */
export async function gatherWords({ db }: TestServer, projectId: string): Promise<void> {
  const job = indexingJob(pino({ level: 'silent' }))
  while ((await job.run(db, projectId)) > 0);
}
