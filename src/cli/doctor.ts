import { readConfig, readEnvironment } from '../core/config/config.ts'
import { askServers } from '../doctor/ask.ts'
import { type Check, check } from '../doctor/check.ts'
import { withSession } from './session.ts'

interface Report {
  ok: boolean
  checks: Check[]
}

/** Queries the servers that run on DATA_DIR. Without any, examines the installation with this shell's settings. */
export async function runDoctor(): Promise<{ result: Report; status: number }> {
  const found = await check('settings', () => {
    readConfig()
    return 'can be read'
  })
  const checks = found.ok ? await examineAll() : [found]
  const ok = checks.every(one => one.ok)
  return { result: { ok, checks }, status: ok ? 0 : 1 }
}

export const printChecks = ({ ok, checks }: Report): string =>
  [
    ...checks.map(one => `${one.ok ? 'ok  ' : 'FAIL'}  ${one.name.padEnd(11)}  ${one.message}`),
    ok ? 'No problems found.' : 'Problems found. The lines above say how to fix them.',
  ].join('\n')

async function examineAll(): Promise<Check[]> {
  const { dataDir } = readConfig()
  const servers = await askServers(dataDir)
  if (servers.length === 0) return [noServer, ...(await examineHere())]
  const [first, ...others] = servers.map(({ title, checks }) => [
    { name: 'server', ok: true, message: `${title} is running; the checks below use its settings` },
    ...checks,
  ])
  // Omits checks with the same result as the first server's.
  const known = new Set(first!.map(({ message }) => message))
  return [...first!, ...others.flat().filter(({ message }) => !known.has(message))]
}

const noServer: Check = {
  name: 'server',
  ok: true,
  message: 'none is running on this DATA_DIR; the checks below use the settings of this shell',
}

async function examineHere(): Promise<Check[]> {
  const { examine } = await import('../doctor/examine.ts')
  return examine({
    config: readConfig(),
    environment: readEnvironment(),
    isServing: false,
    withDatabase: work => withSession(({ db, version }) => work(db, version)),
  })
}
