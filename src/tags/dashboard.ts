import { type Endpoint, endpoint } from '../core/endpoint.ts'
import { changeTag, createTag, deleteTag, mergeTag } from './manage.ts'
import { listShownTags } from './queries.ts'
import { newTag, shownTag, shownTags, tagChange, tagMerge } from './schema.ts'

const tag = 'Tags'
const minRole = 'admin'

export const tagDashboard: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tags',
    tag,
    summary: 'List the tags by name',
    responses: { 200: shownTags },
    errors: [],
    run: async ({ db, project }) => ({ items: await listShownTags(db, project.id) }),
  }),
  endpoint({
    method: 'POST',
    path: '/tags',
    tag,
    summary: 'Create a tag',
    minRole,
    body: newTag,
    responses: { 201: shownTag },
    errors: ['TAG_EXISTS'],
    run: call => createTag(call.db, call, call.body),
  }),
  endpoint({
    method: 'PATCH',
    path: '/tags/{tag_id}',
    tag,
    summary: 'Change the name or colour of a tag',
    minRole,
    body: tagChange,
    responses: { 200: shownTag },
    errors: ['TAG_NOT_FOUND', 'TAG_EXISTS'],
    run: call => changeTag(call.db, call, call.params.tag_id!, call.body),
  }),
  endpoint({
    method: 'POST',
    path: '/tags/{tag_id}/merge',
    tag,
    summary: 'Merge this tag into another one',
    minRole,
    body: tagMerge,
    responses: { 200: shownTag },
    errors: ['TAG_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call => mergeTag(call.db, call, call.params.tag_id!, call.body.into_tag_id),
  }),
  endpoint({
    method: 'DELETE',
    path: '/tags/{tag_id}',
    tag,
    summary: 'Delete a tag, and remove it from tickets and contacts',
    description:
      'Saved views with other tags keep those. A saved view with only this tag shows nothing, and keeps an empty `tag`.',
    minRole,
    responses: { 204: null },
    errors: ['TAG_NOT_FOUND'],
    run: call => deleteTag(call.db, call, call.params.tag_id!),
  }),
]
