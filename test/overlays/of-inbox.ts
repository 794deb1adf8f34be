import { untilFormatted } from '../editor.ts'
import { button, dialog, item, link, menu, type Overlay, on, option, press, type Step } from './steps.ts'

/** Overlays of the inbox, of an open ticket, and of every page. */

const ticket = on('/inbox/open/$number', page => page.getByRole('textbox', { name: 'Reply' }))
const list = on('/inbox/all', page => page.locator('a[data-ticket]'))
const filtered = on('/inbox/all?tag=vip', page => page.getByRole('button', { name: /^Edit filter/ }))

const messageMenu: Step = page =>
  page.getByRole('log').getByRole('button', { name: 'More actions' }).last().press('Enter')

const write: Step = async page => {
  const reply = await untilFormatted(page.getByRole('textbox', { name: 'Reply' }))
  await reply.focus()
  await page.keyboard.type('Hello')
}

/** The toolbar of the selection is loaded when it is first needed. */
const selectAll: Step = async page => {
  await page.keyboard.press('Control+a')
  await page.getByRole('toolbar').waitFor()
}

const moreButton: Step = page =>
  page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).press('Enter')

const filter = [press('Shift+F'), option('Advanced filter')]

export const inboxOverlays: Overlay[] = [
  ticket('inbox/dialogs/people.tsx', dialog('Assign to'), press('a')),
  ticket('inbox/dialogs/people.tsx', dialog('Transfer to department'), press('f')),
  ticket('inbox/dialogs/snooze.tsx', dialog('Snooze until'), press('s')),
  ticket('inbox/dialogs/choices.tsx', dialog('Priority'), press('p')),
  ticket('inbox/dialogs/choices.tsx', dialog('Status'), press('Shift+P')),
  ticket('inbox/dialogs/tags.tsx', dialog('Tags'), press('l')),
  ticket('inbox/dialogs/subject.tsx', dialog('Subject'), press('e')),
  ticket('inbox/dialogs/merge.tsx', dialog(/^Merge #/), press('m')),
  ticket('inbox/dialogs/split.tsx', dialog('Split into a new ticket'), press('Shift+M')),
  ticket('inbox/dialogs/print.tsx', dialog('Print conversation'), press('Control+p')),
  ticket('personal-data/delete-dialog.tsx', dialog(/^Delete/), press('#')),
  ticket('inbox/ticket-header.tsx', menu, button('More actions')),
  { ...ticket('inbox/side-panel.tsx', dialog('Contact'), press('.')), isNarrow: true },
  ticket('messages/canned-picker.tsx', dialog('Canned replies'), press('i')),
  ticket('messages/message-menu.tsx', menu, messageMenu),
  ticket('messages/edit-message.tsx', dialog('Edit message'), messageMenu, item('Edit')),
  ticket('messages/forward-message.tsx', dialog('Forward message'), messageMenu, item('Forward…')),
  ticket('messages/lightbox.tsx', dialog(/^a\.png/), link('Image a.png')),
  ticket('messages/send-buttons.tsx', menu, button('More send options')),
  ticket(
    'messages/send-buttons.tsx',
    dialog('Send and snooze until'),
    write,
    button('More send options'),
    item('Send and snooze…'),
  ),
  ticket('core/time-dialog.tsx', dialog('Send later'), write, press('Control+Shift+L')),
  ticket(
    'core/time-dialog.tsx',
    page => page.getByRole('dialog').filter({ has: page.getByLabel('Date and time') }),
    press('s'),
    option('Pick a date and time…'),
  ),
  ticket('messages/composer-foot.tsx', page => page.getByRole('group', { name: 'Emoji' }), button('Emoji')),
  ticket('rich-text/format-buttons.tsx', menu, button('More formatting')),
  ticket(
    'rich-text/link-form.tsx',
    page => page.getByRole('textbox', { name: 'Link address' }),
    write,
    press('Control+k'),
  ),
  list('inbox/operator-menu.tsx', menu, button('Search operators')),
  list('inbox/display-menu.tsx', dialog('Display'), button('Display')),
  list('inbox/conditions/add-filter.tsx', dialog('Add filter'), press('Shift+F')),
  list('inbox/conditions/advanced-filter.tsx', dialog('Advanced filter'), ...filter),
  list(
    'inbox/conditions/group-editor.tsx',
    dialog(/^Value: /),
    ...filter,
    button('Add condition'),
    page => page.getByLabel('Field').last().selectOption('Priority'),
    button(/^Value: /),
  ),
  filtered('inbox/conditions/chip.tsx', dialog(/^Edit filter/), button(/^Edit filter/)),
  filtered('inbox/save-view.tsx', dialog('Save as view'), button('Save as view')),
  list('inbox/bulk-bar.tsx', menu, selectAll, moreButton),
  list('inbox/dialogs/merge-many.tsx', dialog(/^Merge \d+ tickets into/), selectAll, press('m')),
  list('inbox/dialogs/delete-many.tsx', dialog(/^Delete \d+ tickets/), selectAll, press('#')),
  list('inbox/new-ticket/new-ticket-dialog.tsx', dialog('New ticket'), press('n', 't')),
  list('contacts/new-contact-dialog.tsx', dialog('New contact'), press('n', 'c')),
  list('shell/command-bar.tsx', dialog('Commands'), press('Control+k')),
  list('shell/key-list.tsx', dialog('Keyboard shortcuts'), press('?')),
  list('shell/project-dropdown.tsx', menu, button(/Switch project$/)),
  list('shell/account-dropdown.tsx', menu, button(/: You$/)),
  list('operators/status-dialog.tsx', dialog('Your status'), button(/: You$/), item('Custom status…')),
]
