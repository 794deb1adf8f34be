import { type Endpoint, endpoint } from '../core/endpoint.ts'
import type { OperatorRole } from '../core/roles.ts'
import { changeCategory, createCategory, deleteCategory, orderKnowledge } from './edit-categories.ts'
import { listWrittenCategories } from './edit-queries.ts'
import * as schema from './edit-schema.ts'
import { getDefaultLocale } from './queries.ts'

const tag = 'Knowledge base'
const minRole: OperatorRole = 'admin'
const categoryPath = '/knowledge/categories/{category_id}'

export const categoryDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/knowledge/categories',
    tag,
    summary: 'List all categories in all languages',
    responses: { 200: schema.writtenCategories },
    errors: [],
    run: async ({ db, project }) => ({
      items: await listWrittenCategories(db, project.id),
      default_locale: await getDefaultLocale(db, project.id),
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/knowledge/categories',
    tag,
    summary: 'Create a category',
    minRole,
    body: schema.newCategory,
    responses: { 201: schema.writtenCategory },
    errors: ['NOT_POSSIBLE', 'VALIDATION_ERROR'],
    run: call => createCategory(call.db, call, call.body),
  }),
  endpoint({
    method: 'PATCH',
    path: categoryPath,
    tag,
    summary: 'Change a category',
    minRole,
    body: schema.categoryChange,
    responses: { 200: schema.writtenCategory },
    errors: ['CATEGORY_NOT_FOUND', 'NOT_POSSIBLE', 'SETTINGS_CHANGED', 'VALIDATION_ERROR'],
    isConditional: true,
    run: ({ body, version, ...call }) =>
      changeCategory(call.db, call, call.params.category_id!, body, version),
  }),
  endpoint({
    method: 'DELETE',
    path: categoryPath,
    tag,
    summary: 'Delete an empty category',
    minRole,
    responses: { 204: null },
    errors: ['CATEGORY_NOT_FOUND', 'NOT_POSSIBLE'],
    run: call => deleteCategory(call.db, call, call.params.category_id!),
  }),
  endpoint({
    method: 'POST',
    path: '/knowledge/order',
    tag,
    summary: 'Set the order of articles and categories',
    minRole,
    body: schema.ordering,
    responses: { 204: null },
    errors: [],
    run: call => orderKnowledge(call.db, call, call.body),
  }),
]
