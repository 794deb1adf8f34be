import { recordAudit } from '../audit/audit.ts'
import { type Call, type Endpoint, endpoint, type Received } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import type { OperatorRole } from '../core/roles.ts'
import { categoryDashboard } from './dashboard-categories.ts'
import {
  changeArticleDraft,
  createArticleDraft,
  deleteArticleDraft,
  getArticleDraft,
  moveArticleDraft,
  removeTranslation,
  writeTranslation,
} from './edit.ts'
import { listArticleDrafts } from './edit-queries.ts'
import * as schema from './edit-schema.ts'
import { importArticles } from './import.ts'
import { sizePictures } from './pictures.ts'
import { renderArticle } from './render.ts'
import { requireKnowledge } from './show.ts'
import { NoSources } from './sources.ts'

/** Receives an uploaded file as a temporary file, until it is released. */
export interface FileDeps {
  receiveFile(call: Call<unknown, undefined>): Promise<Received<string>>
  fileParts: NonNullable<Endpoint['parts']>
}

const tag = 'Knowledge base'
const minRole: OperatorRole = 'admin'
const articlePath = '/knowledge/articles/{article_id}'
const translationPath = `${articlePath}/translations/{locale}`

/** Checks the plan before any lookup. */
const gated = (definition: Endpoint): Endpoint => ({
  ...definition,
  errors: ['PLAN_FEATURE_UNAVAILABLE', ...definition.errors],
  async run(call) {
    await requireKnowledge(call.db, call.project.id)
    return definition.run(call)
  },
})

const move = (verb: string, to: 'draft' | 'published' | 'archived', summary: string): Endpoint =>
  endpoint({
    method: 'POST',
    path: `${articlePath}/${verb}`,
    tag,
    summary,
    minRole,
    responses: { 200: schema.articleDraft },
    errors: ['ARTICLE_NOT_FOUND'],
    run: call => moveArticleDraft(call.db, call, call.params.article_id!, to),
  })

const articles: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/knowledge/articles',
    tag,
    summary: 'List all articles, including drafts',
    responses: { 200: schema.articleDraftList },
    errors: [],
    run: async ({ db, project }) => ({ items: await listArticleDrafts(db, project.id) }),
  }),
  endpoint({
    method: 'POST',
    path: '/knowledge/articles',
    tag,
    summary: 'Create an article',
    minRole,
    body: schema.newArticleDraft,
    responses: { 201: schema.articleDraft },
    errors: ['VALIDATION_ERROR'],
    run: call => createArticleDraft(call.db, call, call.body),
  }),
  endpoint({
    method: 'GET',
    path: articlePath,
    tag,
    summary: 'Read an article with its drafts',
    responses: { 200: schema.articleDraft },
    errors: ['ARTICLE_NOT_FOUND'],
    run: ({ db, project, params }) => getArticleDraft(db, project.id, params.article_id!),
  }),
  endpoint({
    method: 'PATCH',
    path: articlePath,
    tag,
    summary: 'Change the properties that all languages of an article share',
    minRole,
    body: schema.articleDraftChange,
    responses: { 200: schema.articleDraft },
    errors: ['ARTICLE_NOT_FOUND', 'SETTINGS_CHANGED', 'VALIDATION_ERROR'],
    isConditional: true,
    run: ({ body, version, ...call }) =>
      changeArticleDraft(call.db, call, call.params.article_id!, body, version),
  }),
  endpoint({
    method: 'PATCH',
    path: translationPath,
    tag,
    summary: 'Change the text of an article in one language',
    minRole,
    body: schema.translationChange,
    responses: { 200: schema.articleDraft },
    errors: ['ARTICLE_NOT_FOUND', 'SETTINGS_CHANGED', 'VALIDATION_ERROR'],
    isConditional: true,
    run: ({ body, version, ...call }) =>
      writeTranslation(
        call.db,
        call,
        { id: call.params.article_id!, locale: call.params.locale! },
        body,
        version,
      ),
  }),
  endpoint({
    method: 'DELETE',
    path: translationPath,
    tag,
    summary: 'Delete the text of an article in one language',
    minRole,
    responses: { 200: schema.articleDraft },
    errors: ['ARTICLE_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call =>
      removeTranslation(call.db, call, { id: call.params.article_id!, locale: call.params.locale! }),
  }),
  move('publish', 'published', 'Publish all languages of an article'),
  move('unpublish', 'draft', 'Unpublish an article'),
  move('archive', 'archived', 'Archive an article'),
  endpoint({
    method: 'DELETE',
    path: articlePath,
    tag,
    summary: 'Delete an article',
    minRole,
    responses: { 204: null },
    errors: ['ARTICLE_NOT_FOUND'],
    run: call => deleteArticleDraft(call.db, call, call.params.article_id!),
  }),
]

const preview = endpoint({
  method: 'POST',
  path: '/knowledge/preview',
  tag,
  summary: 'Preview Markdown as the help centre shows it',
  minRole: 'admin',
  body: schema.previewed,
  responses: { 200: schema.preview },
  errors: [],
  async run({ db, project, body }) {
    const { content_html, excerpt } = renderArticle(body.markdown)
    return { html: await sizePictures(db, project.id, content_html), excerpt }
  },
})

/** Hides the path of the temporary file from the caller. */
function explain(error: unknown, path: string): never {
  if (!(error instanceof NoSources)) throw error
  const message = error.message.replaceAll(path, 'The file')
  throw new ApiError('NOT_POSSIBLE', { reason: 'other', ...error.reason, message })
}

const importFile = ({ receiveFile, fileParts }: FileDeps): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/knowledge/import',
    tag,
    summary: 'Import a Markdown file, or a .zip of them, as drafts',
    minRole,
    parts: fileParts,
    responses: { 200: schema.importReport },
    errors: ['MEDIA_TOO_LARGE', 'NOT_POSSIBLE'],
    receive: call => receiveFile(call),
    async run({ db, project, actor, body: path }) {
      const report = await importArticles(db, project.id, path).catch(error => explain(error, path))
      const { failed, warnings, ...counts } = report
      const detail = { ...counts, failed: failed.length, warnings: warnings.length }
      await recordAudit(db, project.id, actor, 'knowledge.imported', { type: 'knowledge' }, detail)
      return report
    },
  })

export const knowledgeDashboard = (deps: FileDeps): Endpoint[] =>
  [...articles, ...categoryDashboard, preview, importFile(deps)].map(gated)
