import assert from 'node:assert/strict'
import fs from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../until.ts'
import { killAll, listProcessTree } from './process-tree.ts'
import { isAlive, makeDataDir, postmasterOf, socketDirOf, startServer, stopServer } from './program.ts'

test('stops Postgres after kill -9 of the server', async context => {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR })
  const postmaster = postmasterOf(DATA_DIR)
  await stopServer(server, 'SIGKILL')
  await until(() => !isAlive(postmaster))
  await until(() => !fs.existsSync(join(DATA_DIR, 'postgres/postmaster.pid')))
})

test('a start right after kill -9 of the server waits for its Postgres, and recovers', async context => {
  const DATA_DIR = makeDataDir(context)
  await stopServer(await startServer(context, { DATA_DIR }), 'SIGKILL')
  const next = await startServer(context, { DATA_DIR })
  assert.doesNotMatch(next.stdout, /first-access/)
  await stopServer(next)
})

test('the next start recovers and cleans up after kill -9 of everything', async context => {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR })
  const sockets = socketDirOf(DATA_DIR)
  killAll(listProcessTree(server, DATA_DIR).all)
  await server.ended
  const next = await startServer(context, { DATA_DIR })
  assert.doesNotMatch(next.stdout, /first-access/)
  assert.equal(fs.existsSync(sockets), false)
  await stopServer(next)
})

test('the next start stops a Postgres whose watching shells were killed too', async context => {
  const DATA_DIR = makeDataDir(context)
  const server = await startServer(context, { DATA_DIR })
  const sockets = socketDirOf(DATA_DIR)
  const { postmaster, keepers } = listProcessTree(server, DATA_DIR)
  killAll([...keepers, server.child.pid!])
  await server.ended
  assert.ok(isAlive(postmaster))
  const next = await startServer(context, { DATA_DIR })
  assert.notEqual(postmasterOf(DATA_DIR), postmaster)
  assert.equal(fs.existsSync(sockets), false)
  await stopServer(next)
})
