import type { Locator, Page } from 'playwright-core'
import { button, dialog, item, menu, type Overlay, on } from './steps.ts'

/** Overlays of contacts, organizations, settings and the account. */

const title = (page: Page): Locator => page.getByRole('heading', { level: 1 })
const at = (path: string) => on(`/settings/${path}`, title)
const contact = on('/contacts/$contactId', page => page.getByRole('heading', { name: 'Timeline' }))
const organizations = on('/organizations', title)
const organization = on('/organizations/$organizationId', page =>
  page.getByRole('button', { name: 'Add member' }),
)
const account = on('account/security', title)

const views = at('views')
const people = at('people')
const departments = at('departments')
const answers = at('canned-answers')
const fields = at('custom-fields')
const tags = at('tags')
const knowledge = at('knowledge')
const article = at('knowledge/$articleId')
const webhooks = at('webhooks')
const webhook = at('webhooks/$webhookId')
const widget = at('widget')
const senders = at('senders')
const keys = at('keys')

const actions = button(/^Actions for /)

export const settingsOverlays: Overlay[] = [
  contact('contacts/profile-menu.tsx', menu, button('More actions')),
  contact(
    'contacts/contact-picker.tsx',
    dialog('Merge into…'),
    button('More actions'),
    item('Merge into another contact'),
  ),
  contact('contacts/identity-form.tsx', dialog('Add address or ID'), button('Add address or ID')),
  contact('contacts/identity-menu.tsx', menu, actions),
  contact('contacts/verify-dialogs.tsx', dialog('Mark as verified'), actions, item('Mark as verified')),
  organizations('organizations/new-organization.tsx', dialog('New organization'), button('New organization')),
  organization('organizations/members.tsx', dialog('Add member'), button('Add member')),
  views('views/view-menu.tsx', menu, actions),
  views('views/view-menu.tsx', dialog(/^Edit /), actions, item('Edit')),
  people('operators/people-page.tsx', dialog('Invite someone'), button('Invite')),
  people('operators/person-menu.tsx', menu, button(/^Actions for Omar/)),
  people('operators/person-menu.tsx', dialog(/^Edit Omar/), button(/^Actions for Omar/), item('Edit')),
  departments('departments/departments-page.tsx', dialog('New department'), button('New department')),
  departments('departments/department-menu.tsx', menu, actions),
  departments('departments/department-menu.tsx', dialog(/^Edit /), actions, item('Edit')),
  answers('canned-answers/canned-answers-page.tsx', dialog('New canned reply'), button('New canned reply')),
  answers('canned-answers/answer-menu.tsx', menu, actions),
  answers('canned-answers/answer-menu.tsx', dialog(/^Edit /), actions, item('Edit')),
  fields('custom-fields/custom-fields-page.tsx', dialog('New field'), button('New field')),
  fields('custom-fields/field-menu.tsx', menu, actions),
  fields('custom-fields/field-menu.tsx', dialog(/^Edit /), actions, item('Edit')),
  tags('tags/tags-page.tsx', dialog('Create tag'), button('Create tag')),
  tags('tags/tag-menu.tsx', menu, actions),
  tags('tags/tag-menu.tsx', dialog(/^Edit /), actions, item('Edit')),
  tags('tags/tag-menu.tsx', dialog(/^Merge /), actions, item('Merge into…')),
  knowledge('knowledge/knowledge-page.tsx', dialog('New article'), button('New article')),
  knowledge('knowledge/knowledge-page.tsx', dialog('New category'), button('New category')),
  knowledge('knowledge/knowledge-page.tsx', dialog('Import articles'), button('Import')),
  knowledge('knowledge/article-tree.tsx', dialog(/^Edit /), button(/^Edit /)),
  article('knowledge/add-language.tsx', dialog('Add language'), button('Add language')),
  webhooks('webhooks/webhooks-page.tsx', dialog('Add webhook'), button('Add webhook')),
  webhook('webhooks/webhook-page.tsx', dialog('Webhook secret created'), button('Replace secret')),
  widget('widget/question-fields.tsx', menu, button('Add question')),
  widget('widget/secret.tsx', dialog('Signing secret created'), button('Create secret')),
  senders('senders/senders-page.tsx', dialog('Add sender'), button('Add sender')),
  keys('keys/keys-page.tsx', dialog('Create API key'), button('Create key')),
  account('users/second-factor-settings.tsx', dialog('Two-factor authentication'), button('Set up')),
]
