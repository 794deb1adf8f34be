import { addAnswer } from '../canned-answers/canned-answers.ts'
import type { NewCannedAnswer } from '../canned-answers/schema.ts'
import { addField, listFields } from '../custom-fields/custom-fields.ts'
import type { NewField } from '../custom-fields/schema.ts'
import { putArticle, putCategory } from '../knowledge/knowledge.ts'
import { saveView } from '../views/saved.ts'
import type { NewView } from '../views/schema.ts'
import type { NewWebhook } from '../webhooks/schema.ts'
import { changeWebhook, registerWebhook } from '../webhooks/webhooks.ts'
import { as, type DemoState, readScript, recordMade } from './demo-state.ts'

/** Adds settings, canned answers and articles to the demo project. */

interface Script {
  tags: Record<string, string>
  fields: NewField[]
  answers: (NewCannedAnswer & { department?: string })[]
  views: NewView[]
  webhook: NewWebhook
  widget: Record<string, unknown>
}

interface Shelf {
  title: string
  icon: string
  description: string
  articles: { title: string; author: string; tags?: string[]; text: string }[]
}

async function addFields(stage: DemoState, fields: NewField[]): Promise<void> {
  const known = await listFields(stage.tx, stage.project.id)
  for (const field of fields) {
    if (known.some(({ record, key }) => record === field.record && key === field.key)) continue
    recordMade(stage, 'custom_fields', (await addField(stage.tx, as(stage, 'lena'), field)).id)
  }
}

/** Skips shortcuts that the project already has. */
async function addAnswers(stage: DemoState, answers: Script['answers']): Promise<void> {
  const { tx, project, departments } = stage
  const rows = await tx<{ shortcut: string }[]>`
    select shortcut from canned_answers where project_id = ${project.id} and owner_id is null`
  for (const { department, ...answer } of answers) {
    if (rows.some(({ shortcut }) => shortcut === answer.shortcut)) continue
    const department_id = department ? departments.get(department)! : null
    const made = await addAnswer(tx, as(stage, 'lena'), { ...answer, scope: 'shared', department_id })
    recordMade(stage, 'canned_answers', made.id)
  }
}

async function addWebhook(stage: DemoState, webhook: NewWebhook): Promise<void> {
  const { tx, vault, project } = stage
  const { id } = await registerWebhook(tx, vault, project.id, webhook)
  await changeWebhook(tx, project.id, id, { is_active: false }, null)
  recordMade(stage, 'webhooks', id)
}

/** Skips a widget whose settings were changed. */
async function showWidget(stage: DemoState, settings: Script['widget']): Promise<void> {
  const { tx, project } = stage
  const { count } = await tx`
    insert into widgets (project_id, settings) values (${project.id}, ${settings}) on conflict do nothing`
  if (count) recordMade(stage, 'widgets', project.id)
}

async function colourTags({ tx, project }: DemoState, colours: Script['tags']): Promise<void> {
  for (const [name, color] of Object.entries(colours))
    await tx`update tags set color = coalesce(color, ${color}) where project_id = ${project.id} and name = ${name}`
}

async function fillShelf(stage: DemoState, shelf: Shelf, place: number): Promise<void> {
  const { tx, project, people } = stage
  const { title, icon, description, articles } = shelf
  const words = { path: [title], locale: 'en', description, icon, position: place }
  const category_id = await putCategory(tx, project.id, words)
  recordMade(stage, 'categories', category_id)
  for (const [position, { text, author, tags = [], ...article }] of articles.entries()) {
    const { id } = await putArticle(tx, project.id, {
      ...article,
      slug: `demo-${place + 1}-${position + 1}`,
      locale: 'en',
      markdown: text,
      author_id: people.get(author)!.id,
      category_id,
      position,
      tags,
      status: 'published',
    })
    recordMade(stage, 'articles', id)
  }
}

export async function createDeskSettings(stage: DemoState): Promise<void> {
  const { tags, fields, answers, views, webhook, widget } = readScript<Script>('desk')
  await addFields(stage, fields)
  await addAnswers(stage, answers)
  for (const view of views)
    recordMade(
      stage,
      'saved_views',
      (await saveView(stage.tx, as(stage, 'lena'), { ...view, is_shared: true })).id,
    )
  await addWebhook(stage, webhook)
  await showWidget(stage, widget)
  await colourTags(stage, tags)
  for (const [place, shelf] of readScript<Shelf[]>('articles').entries()) await fillShelf(stage, shelf, place)
}
