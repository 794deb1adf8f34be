import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

/** Builds the dashboard into web/dist/dashboard, unless what lies there was made of the same sources. */

const web = import.meta.dirname
const dist = join(web, 'dist')
const place = join(dist, 'dashboard')
const draftPrefix = 'dashboard.new-'
const sources = [
  'dashboard/**/*.*',
  'vite.config.ts',
  '../package-lock.json',
  '../src/core/color.ts',
  '../src/canned-answers/placeholders.ts',
]

function stampSources(): string {
  const hash = createHash('sha256')
  for (const name of globSync(sources, { cwd: web }).sort()) {
    hash.update(`${name}\0`).update(readFileSync(join(web, name)))
  }
  return hash.digest('hex')
}

function readStamp(folder: string): string | null {
  const file = join(folder, 'stamp')
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** Aside, and then the whole folder into place: a killed build or two at once leave nothing half-done. */
export async function buildDashboard(say: (words: string) => void): Promise<void> {
  const stamp = stampSources()
  if (readStamp(place) === stamp) return
  const begun = Date.now()
  const vite = await import('vite').catch(() => null)
  if (!vite)
    return say(`The dashboard is ${existsSync(place) ? 'older than its sources' : 'not built'}: ${cure}`)
  say('Building the dashboard (at the first start and after an update) …')
  removeDrafts()
  const draft = join(dist, `${draftPrefix}${process.pid}`)
  mkdirSync(draft, { recursive: true })
  try {
    const outDir = join(draft, 'new')
    await vite.build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn', build: { outDir } })
    await pack(join(outDir, 'assets'))
    writeFileSync(join(outDir, 'stamp'), stamp)
    moveIntoPlace(draft, stamp)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  say(`Built in ${Math.ceil((Date.now() - begun) / 1000)} s.`)
}

const cure = 'it takes the packages for developers; install them with npm ci --include=dev and start again'

const packers = { br: promisify(brotliCompress), gz: promisify(gzip) }

/** Beside every text, the same packed: the server only sends. */
async function pack(folder: string): Promise<void> {
  for (const name of globSync('*.{js,css,svg}', { cwd: folder })) {
    const bytes = readFileSync(join(folder, name))
    for (const [ending, packer] of Object.entries(packers)) {
      writeFileSync(join(folder, `${name}.${ending}`), await packer(bytes))
    }
  }
}

function moveIntoPlace(draft: string, stamp: string): void {
  if (existsSync(place)) renameSync(place, join(draft, 'old'))
  try {
    renameSync(join(draft, 'new'), place)
  } catch (error) {
    // Another build was quicker.
    if (readStamp(place) !== stamp) throw error
  }
}

function removeDrafts(): void {
  for (const name of globSync(`${draftPrefix}*`, { cwd: dist })) {
    if (!isAlive(Number(name.slice(draftPrefix.length))))
      rmSync(join(dist, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

if (import.meta.main) await buildDashboard(words => process.stderr.write(`${words}\n`))
