import { randomBytes } from 'node:crypto'
import { makeCast } from '../cast.ts'
import { createClient } from '../client.ts'
import { addressOf, createDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { makeFolder, startServer, stopServer } from '../run/program.ts'

/** A server process with the projects Acme and Rival, which a test may kill. */
export async function startKillableServer(context: { after(run: () => void): void }) {
  const { db, target, drop } = await createDatabase()
  context.after(drop)
  const { acme, rival } = await makeCast(db)
  const settings = {
    DATABASE_URL: addressOf(target),
    DATA_DIR: makeFolder(context),
    SECRET_KEY: randomBytes(32).toString('hex'),
    PUBLIC_URL: 'http://localhost',
    PORT: String(await freePort()),
    RATE_LIMIT_PER_KEY: '1000000',
  }
  const origin = `http://127.0.0.1:${settings.PORT}`
  let server = await startServer(context, settings)
  return {
    db,
    acme,
    api: createClient(`${origin}/api/v1`, acme.key.key),
    outsider: createClient(`${origin}/api/v1`, rival.key.key),
    access: { DESKBELL_URL: origin, DESKBELL_API_KEY: acme.key.key },
    async killAndStart() {
      await stopServer(server, 'SIGKILL')
      server = await startServer(context, settings)
    },
  }
}
