import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Case, cases } from '../bench/records/cases.ts'
import { fill } from '../bench/records/fill.ts'
import { connectApart, type Db } from '../src/core/db/db.ts'
import { makeOperator, makeTicket } from './cast.ts'
import { countReadBy } from './rows-read.ts'
import { startServer } from './server.ts'

const server = await startServer({ delivers: false })
const { api, db: pool, acme } = server
const db = connectApart(pool, { max: 1 })
after(async () => {
  await db.end()
  await server.close()
})

await makeTicket(api)
await makeOperator(pool, acme)
await db`set enable_seqscan = off`
const place = await db.begin(sql => fill(sql as never, acme.id, 1_000))
await db`analyze`

const readBy = ({ run }: Case): Promise<number> => countReadBy(db as Db, () => run(db as Db, place))

const finding = /absent|5xx|404|cancelled|webhook\.test|target_id|request_id|job:|claim|look|at the end/
for (const one of cases.filter(
  ({ name }) => finding.test(name) && !/method|key_id|path|updates after/.test(name),
)) {
  test(`${one.name} does not scan the table`, async () => {
    const read = await readBy(one)
    assert.ok(read < 300, `${read} rows and index entries were read`)
  })
}

test('counting articles without a language reads each article once', async () => {
  await db.unsafe(`
    with made as (select i, gen_random_uuid() as id from generate_series(1, 1000) i
    ), article as (
      insert into articles (project_id, id, slug, status, created_at)
      select '${acme.id}', id, 'one-of-many-' || i, 'published', now() from made
    ), counted as (insert into article_counts (project_id, article_id) select '${acme.id}', id from made)
    insert into article_translations (project_id, article_id, locale, draft_title, draft_markdown, title, excerpt,
      content_markdown, content_html, content_text, is_public, published_at, created_at, updated_at)
    select '${acme.id}', id, 'en', 'A', 'Text', 'A', 'Text', 'Text', 'Text', 'Text', true, now(), now(), now()
    from made`)
  await db`analyze`
  const read = await readBy(cases.find(({ name }) => name === 'articles')!)
  assert.ok(read > 1_000 && read < 2_000, `${read} rows and index entries were read for 1,010 articles`)
})
