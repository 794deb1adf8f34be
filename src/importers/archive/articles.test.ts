import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { startServer, type TestServer } from '../../../test/server.ts'
import { formOf, formType, png } from '../../../test/upload.ts'
import { writeArchive } from '../../exports/archive.ts'
import { removeImport } from '../../imports/imports.ts'
import { createStorages } from '../../media/media.ts'
import { createProject } from '../../projects/projects.ts'
import { runImport } from '../run-import.ts'
import { importArchive } from './archive.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

async function exportAcme(hasFiles = true): Promise<string> {
  const path = join(server.config.dataDir, `${hasFiles}.zip`)
  const request = { db: server.db, storages: createStorages(server), projectId: server.acme.id, hasFiles }
  await pipeline(await writeArchive({ ...request, progress: async () => {} }), createWriteStream(path))
  return path
}

const importInto = (projectId: string, path: string) =>
  runImport(
    {
      ...{ db: server.db, storages: createStorages(server), log: server.log, projectId, source: 'deskbell' },
      ...{ dryRun: false, signal: new AbortController().signal, tell: () => {} },
    },
    importArchive(path),
    () => {},
  )

const sendPicture = async (): Promise<string> =>
  (
    await desk.admin.post('/knowledge/pictures', undefined, {
      raw: formOf({ filename: 'a.png', content: png(40, 30) }),
      headers: formType,
    })
  ).body.url

const findTexts = async (projectId: string) => {
  const [row] = await server.db<{ draft_markdown: string; content_html: string }[]>`
    select draft_markdown, content_html from article_translations where project_id = ${projectId}`
  return row!
}

const countPictures = async (projectId: string): Promise<{ is_kept: boolean; is_published: boolean }[]> => [
  ...(await server.db<{ is_kept: boolean; is_published: boolean }[]>`
    select f.expires_at is null as is_kept, p.is_published from article_pictures p
    join media f on f.project_id = ${projectId} and f.id = p.media_id and f.is_article_picture
    where p.project_id = ${projectId} order by p.is_published`),
]

test('the pictures of articles are imported, and stay when the import is removed', async () => {
  const url = await sendPicture()
  const { id } = (
    await desk.admin.post('/knowledge/articles', { title: 'Bells', markdown: `![A bell](${url})` })
  ).body
  await desk.admin.post(`/knowledge/articles/${id}/publish`)
  const path = await exportAcme()
  const third = await createProject(server.db, { name: 'Third' })
  for (let run = 0; run < 2; run++) await importInto(third.id, path)
  const kept = [
    { is_kept: true, is_published: false },
    { is_kept: true, is_published: true },
  ]
  assert.deepEqual(await countPictures(third.id), kept)
  const { draft_markdown, content_html } = await findTexts(third.id)
  const [, own] = /\((.*)\)/.exec(draft_markdown)!
  assert.notEqual(own, url)
  assert.equal(content_html, `<p><img width="40" height="30" src="${own}" alt="A bell" /></p>`)
  const shown = await fetch(new URL(own!, server.url))
  assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/png'])
  await removeImport(server.db, third.id, 'deskbell')
  assert.deepEqual(await countPictures(third.id), kept)
})

test('an article whose pictures were not exported is imported without them', async () => {
  const fourth = await createProject(server.db, { name: 'Fourth' })
  const { skipped } = await importInto(fourth.id, await exportAcme(false))
  assert.equal(skipped, 0)
  assert.match((await findTexts(fourth.id)).draft_markdown, /^!\[A bell\]/)
  assert.deepEqual(await countPictures(fourth.id), [])
})

test('a view with conditions that are not valid is left out, and listed', async () => {
  const fifth = await createProject(server.db, { name: 'Fifth' })
  await server.db`
    insert into operators (project_id, id, name, email)
    select ${fifth.id}, uuid_v7(), name, email from operators where project_id = ${server.acme.id}`
  const urgent = { field: 'priority', op: 'any_of', value: ['urgent'] }
  for (const name of ['Good', 'Odd'])
    await desk.admin.post('/views', { name, filters: { conditions: { all: [urgent] } } })
  await server.db`
    update saved_views set filters = '{"conditions": {"field": "colour", "op": "is", "value": 1}}'
    where project_id = ${server.acme.id} and name = 'Odd'`
  const { unmapped } = await importInto(fifth.id, await exportAcme(false))
  const views = await server.db`select name, filters from saved_views where project_id = ${fifth.id}`
  assert.deepEqual([...views], [{ name: 'Good', filters: { conditions: { all: [urgent] } } }])
  const listed = unmapped.filter(({ field }) => field === 'saved_view')
  assert.deepEqual(
    listed.map(({ value, reason }) => [value, reason]),
    [['Odd', 'unknown_conditions']],
  )
})
