import { openCaller } from '../calls.ts'
import { median, round } from '../figures.ts'
import { type Cluster, makeProject, type Row } from './stage.ts'

/** Measures how soon a waiting call at one process gets an event that another process writes. */
export async function tellAcross(cluster: Cluster, limit: number): Promise<Row> {
  const [here, there] = cluster.web.map(({ server }) => server.url) as [string, string]
  const { key } = await makeProject(cluster)
  const [reader, writer] = [openCaller(here, key), openCaller(there, key)]
  const took: number[] = []
  for (let cursor = 0; cursor < 20; cursor++) {
    const waiting = reader.get(`/updates?after=${cursor}&timeout=30`)
    // Once this call is answered, the server has processed the previous one.
    await reader.read('/updates?timeout=0')
    const begun = performance.now()
    await writer.call('POST', '/tickets', { contact: { email: 'ann@example.com' } })
    await waiting
    took.push(performance.now() - begun)
  }
  reader.close()
  writer.close()
  const [middle, slowest] = [median(took), Math.max(...took)]
  return [
    'from a write at one process to a waiting call at the other',
    `within ${limit} ms`,
    `median ${round(middle)} ms, slowest ${round(slowest)} ms`,
    slowest <= limit,
  ]
}
