import { pino } from 'pino'
import { indexingJob } from '../../src/indexing.ts'
import type { TestServer } from '../server.ts'

/** Runs the background job that indexes the words of a project, which otherwise runs about once a second. */
export async function gatherWords({ db }: TestServer, projectId: string): Promise<void> {
  const job = indexingJob(pino({ level: 'silent' }), 0)
  while ((await job.run(db, projectId)) > 0);
}
