import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

/**
 * Builds the dashboard and the widget into web/dist, unless they have already been built from the same
 * sources.
 */

const web = import.meta.dirname
const dist = join(web, 'dist')

/** A part to build: a folder of web/, and the folder of the same name in web/dist. */
interface Part {
  name: string
  title: string
  sources: string[]
  build(vite: typeof import('vite'), outDir: string): Promise<void>
}

const shared = [
  '../package.json',
  '../package-lock.json',
  '../src/core/text/color.ts',
  '../src/core/fonts/inter.css',
  'logger.ts',
]

const dashboard: Part = {
  name: 'dashboard',
  title: 'dashboard',
  sources: [
    'dashboard/**/*.*',
    'vite.config.ts',
    '../src/canned-answers/placeholders.ts',
    '../src/core/text/placeholders.ts',
    '../src/conditions/fields.ts',
    '../src/core/icon.svg',
    ...shared,
  ],
  async build(vite, outDir) {
    await vite.build({ configFile: join(web, 'vite.config.ts'), logLevel: 'warn', build: { outDir } })
    const { buildServiceWorker } = await import('./vite.config.ts')
    await vite.build(buildServiceWorker(outDir))
    await pack(join(outDir, 'assets'))
  },
}

const widget: Part = {
  name: 'widget',
  title: 'website widget',
  sources: ['widget/**/*.*', 'widget/LICENSE', ...shared],
  async build(vite, outDir) {
    const { buildFrame, buildLoader } = await import('./widget/vite.config.ts')
    for (const config of [buildFrame(outDir), buildLoader(outDir)]) await vite.build(config)
    await pack(outDir)
    await pack(join(outDir, 'assets'))
    await writePackage(outDir)
  },
}

/**
 * The package for `npm install` from this server, so that nobody has to trust a registry with code for their
 * site.
 */
async function writePackage(outDir: string): Promise<void> {
  const { printTarball } = await import('./widget/tarball.ts')
  const folder = join(web, 'widget/package')
  const paths = [
    ...globSync('*.*', { cwd: folder }).map(name => join(folder, name)),
    join(web, 'widget/LICENSE'),
  ]
  const files = paths.map(path => [basename(path), readFileSync(path)] as const)
  writeFileSync(join(outDir, 'package.tgz'), printTarball(Object.fromEntries(files)))
}

const parts = [dashboard, widget]

function stampSources(sources: string[]): string {
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

export async function buildWeb(say: (words: string) => void): Promise<void> {
  for (const part of parts) await buildPart(part, say)
}

/**
 * Builds into a temporary folder, and then renames it: a killed build or two at once leave no partial result.
 */
async function buildPart(part: Part, say: (words: string) => void): Promise<void> {
  const { name, title } = part
  const place = join(dist, name)
  const stamp = stampSources(part.sources)
  if (readStamp(place) === stamp) return
  const begun = Date.now()
  const vite = await import('vite').catch(() => null)
  if (!vite)
    return say(`The ${title} is ${existsSync(place) ? 'older than its sources' : 'not built'}: ${cure}`)
  say(`Building the ${title} (at the first start and after an update) …`)
  removeDrafts(name)
  const draft = join(dist, `${draftPrefix(name)}${process.pid}`)
  mkdirSync(draft, { recursive: true })
  try {
    const outDir = join(draft, 'new')
    await part.build(vite, outDir)
    writeFileSync(join(outDir, 'stamp'), stamp)
    moveIntoPlace(draft, place, stamp)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  say(`Built in ${Math.ceil((Date.now() - begun) / 1000)} s.`)
}

const draftPrefix = (name: string): string => `${name}.new-`

const cure = 'it takes the packages for developers; install them with npm ci --include=dev and start again'

const packers = { br: promisify(brotliCompress), gz: promisify(gzip) }

/** Compresses each text file in advance, so that the server only sends it. */
async function pack(folder: string): Promise<void> {
  for (const name of globSync('*.{js,css,svg}', { cwd: folder })) {
    const bytes = readFileSync(join(folder, name))
    for (const [ending, packer] of Object.entries(packers)) {
      writeFileSync(join(folder, `${name}.${ending}`), await packer(bytes))
    }
  }
}

function moveIntoPlace(draft: string, place: string, stamp: string): void {
  if (existsSync(place)) renameSync(place, join(draft, 'old'))
  try {
    renameSync(join(draft, 'new'), place)
  } catch (error) {
    // Another build finished first.
    if (readStamp(place) !== stamp) throw error
  }
}

function removeDrafts(name: string): void {
  const prefix = draftPrefix(name)
  for (const draft of globSync(`${prefix}*`, { cwd: dist })) {
    if (!isAlive(Number(draft.slice(prefix.length))))
      rmSync(join(dist, draft), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

if (import.meta.main) await buildWeb(words => process.stderr.write(`${words}\n`))
