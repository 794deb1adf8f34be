import manifest from '../package.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { requireFinished } from './backup/unfinished.ts'
import { type ChannelDeps, startChannels } from './channels/registry.ts'
import { followDatabaseClock } from './core/clock.ts'
import { type Config, readConfig, readEnvironment } from './core/config/config.ts'
import { describeReaders } from './core/config/data-dir.ts'
import { loadSecretKey, verifySecretKey } from './core/config/secret-key.ts'
import { SettingError, SetupError } from './core/config/setup-error.ts'
import { createVault } from './core/crypto.ts'
import { checkDatabase } from './core/db/check-database.ts'
import { connect, type Db } from './core/db/db.ts'
import { migrate } from './core/db/migrate.ts'
import { measurePool } from './core/db/pools.ts'
import { type Database, openDatabase } from './core/db/postgres.ts'
import { describeOpenFiles } from './core/http/open-files.ts'
import { createLog, type Log } from './core/telemetry/log.ts'
import { startTracing } from './core/telemetry/tracing.ts'
import { errorOf } from './core/thrown.ts'
import type { DemoDeps } from './demo/demo.ts'
import { answerDoctor } from './doctor/answer.ts'
import { findMisspelledSettings } from './doctor/misspelled-settings.ts'
import { receiveNotifications, sendNotifications } from './events/bridge.ts'
import { withHooks } from './events/log.ts'
import { createFirstProject, describeStart } from './first-start.ts'
import { openHttpEntry } from './http-entry.ts'
import { collectWhenIdle } from './idle-gc.ts'
import { measureInstallation } from './installation-metrics.ts'
import { startJobs } from './jobs.ts'
import { hasFailed, renewInstallationBucket } from './media/media.ts'
import { watchReadiness } from './readiness.ts'
import { notifySystemd } from './systemd.ts'
import { updateTagFolds } from './tags/tags.ts'
import { createDispatcher } from './webhooks/dispatch.ts'
import { startDelivering } from './webhooks/worker.ts'

/** Steps of a stop, in reverse order. */
const undo: (() => unknown)[] = []

async function start(): Promise<void> {
  const given = readConfig()
  const isDemo = wantsDemo(given)
  const log = openLog(given)
  stopTimeoutMs += given.stopDelay ?? 0
  const entry = await openHttpEntry(given)
  const config = { ...given, port: entry.port, publicUrl: given.publicUrl.replace(/:0$/, `:${entry.port}`) }
  requireFinished(config.dataDir)
  const database = await openDatabase(config, log)
  undo.push(() => database.close())
  const db = openPool('api', database, config.databasePool)
  undo.push(await startTracing({ ...config, version: manifest.version }, db, log))
  await checkDatabase(db, config)
  stopLater(await followDatabaseClock(db, log))
  await migrate(db, log)
  await updateTagFolds(db)
  const secretKey = loadSecretKey(config)
  await verifySecretKey(db, secretKey)
  const isFront = config.roles.has('http')
  const deps = { config, db, log, vault: createVault(secretKey) }
  await renewInstallationBucket(deps)
  await startMessaging(deps, database)
  const first = isFront ? await createFirstProject(db, config) : null
  const stopping = new AbortController()
  const app = isFront ? await buildApp({ ...deps, stopping: stopping.signal }) : null
  if (app) undo.push(() => app.close())
  await app?.ready()
  warnOfSettings(config, log)
  startDeliveries(deps, database)
  const demo = isDemo ? await fillWithDemo(deps) : ''
  connectNotifiers(config, db, log)
  if (config.roles.has('jobs')) stopLater(startJobs(deps))
  const readiness = watchReadiness(deps)
  stopLater(readiness)
  entry.serve(app, readiness.findReason, () => (hasFailed() ? ['storage_failed'] : []))
  undo.push(collectWhenIdle(), measureInstallation(config, db))
  undo.push(await answerDoctor(config, database.target))
  undo.push(() => entry.close(() => stopping.abort()))
  process.stdout.write((await describeStart(db, config, first)) + demo)
  stopLater(await notifySystemd(readiness, log))
}

/** Runs before the first project is created, because its key is shown only once and a port of MAIL_LISTEN may be in use. */
async function startMessaging(deps: ChannelDeps, database: Database): Promise<void> {
  if (!deps.config.roles.has('channels')) return
  const own = { ...deps, db: openPool('channels', database, channelsPool) }
  for (const started of await startChannels(own)) stopLater(started)
}

function startDeliveries(deps: ChannelDeps, database: Database): void {
  if (!deps.config.roles.has('deliver')) return
  stopLater(startDelivering({ ...deps, dispatcher, db: openPool('deliveries', database, deliveryPool) }))
}

function openLog({ logLevel }: Config): Log {
  const log = createLog(logLevel)
  process.on('unhandledRejection', error =>
    log.error({ err: error }, 'A promise was rejected without a handler'),
  )
  return log
}

function wantsDemo({ roles }: Config): boolean {
  const isWanted = process.argv.includes('--demo')
  if (isWanted && !roles.has('http'))
    throw new SetupError(
      '--demo fills the first project, which a process with the role http creates. Start that process with it.',
    )
  return isWanted
}

/** Loads the demo only when it is needed, because it loads the image library. */
async function fillWithDemo(deps: DemoDeps): Promise<string> {
  const { fillFirst } = await import('./demo/demo.ts')
  return fillFirst(deps)
}

/** Within a process, notifications are function calls. Between processes, they are sent through the database. */
function connectNotifiers({ databaseUrl }: Config, db: Db, log: Log): void {
  if (!databaseUrl) return
  undo.push(sendNotifications(db, log), receiveNotifications(db, log))
}

/** Warns about settings that do not prevent a start, such as a low limit of open files, which few installations ever reach. */
function warnOfSettings(config: Config, log: Log): void {
  for (const sentence of findMisspelledSettings(readEnvironment())) log.warn(sentence)
  const opened = describeReaders(config.dataDir)
  if (opened) log.warn(opened)
  if (!config.roles.has('http')) return
  try {
    log.debug({ files: describeOpenFiles(config) }, 'Checked the limit of open files')
  } catch (error) {
    log.warn(errorOf(error).message)
  }
}

const stopLater = (work: { stop(): Promise<void> }) => undo.push(() => work.stop())

/** Deliveries have their own connections. When they waited behind requests, their backlog reached 9 s at 800 writes a second. */
const deliveryPool = 4

/** Mail has its own connections too, so that a large import does not hold up requests. */
const channelsPool = 4

/** In a process that delivers, what it writes is sent without a claim. */
const dispatcher = createDispatcher()

function openPool(name: string, { target }: Database, max: number): Db {
  // In processes of every role, events are written together with their deliveries.
  const db = withHooks(connect(target, { max }), { fanOut: dispatcher.fanOut })
  undo.push(() => db.end({ timeout: 5 }))
  measurePool(name, db)
  return db
}

/** EX_CONFIG of sysexits.h. */
const wrongSetting = 78

let stopping: number | null = null

/** Milliseconds, in addition to STOP_DELAY. */
let stopTimeoutMs = 25_000

/** Under npm, one Ctrl-C can cause three signals: from the terminal, from npm and from the launcher. */
async function stop(): Promise<void> {
  if (stopping !== null) return Date.now() - stopping > 1_000 ? process.exit(1) : undefined
  stopping = Date.now()
  setTimeout(() => process.exit(1), stopTimeoutMs).unref()
  if (await unwind()) process.stdout.write('Deskbell has stopped.\n')
  process.exit(0)
}

/** Runs all steps. Returns false if one of them failed. */
async function unwind(): Promise<boolean> {
  let isClean = true
  for (const step of undo.reverse()) {
    await Promise.resolve(step()).catch(error => {
      isClean = false
      process.stderr.write(`${error}\n`)
    })
  }
  return isClean
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())

try {
  await start()
} catch (error) {
  if (stopping === null) {
    process.stderr.write(`${error instanceof SetupError ? error.message : errorOf(error).stack}\n`)
    await unwind()
    process.exit(error instanceof SettingError ? wrongSetting : 1)
  }
}
