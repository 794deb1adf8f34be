import { EllipsisHorizontalIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Menu, Modal } from '@mantine/core'
import { useState } from 'react'
import { api, take } from '../core/api.ts'
import { Confirm } from '../core/confirm.tsx'
import { HoldingDialog } from '../core/holding-dialog.tsx'
import { showNotice } from '../core/notice.ts'
import { pageText } from '../core/page-text.ts'
import { useChange } from '../core/query.ts'
import { mayDo, useProject } from '../projects/project.ts'
import { ChangePerson } from './change-person.tsx'
import { type Link, LinkToShare } from './link-to-share.tsx'
import { type Person, peopleQuery } from './queries.ts'

/** The actions of an admin on a person. A resulting link is passed to `onLink`. */
function useDeeds(person: Person, onLink: (link: Link) => void) {
  const { id: project_id } = useProject()
  const params = { path: { project_id, operator_id: person.id } }
  const queryKey = peopleQuery(project_id).queryKey
  const inviteAgain = useChange({
    send: () => take(api.POST('/projects/{project_id}/operators/{operator_id}/invitation', { params })),
    refresh: [queryKey],
    onDone: answer => onLink(answer.link),
  })
  const reset = useChange({
    send: () => take(api.POST('/projects/{project_id}/operators/{operator_id}/reset', { params })),
    onDone: onLink,
  })
  const remove = useChange({
    send: () => take(api.DELETE('/projects/{project_id}/operators/{operator_id}', { params })),
    expect: [{ key: queryKey, next: (old: Person[]) => old.filter(one => one.id !== person.id) }],
    refresh: [queryKey],
    onDone: () => showNotice(pageText.people.removed(person.name)),
  })
  return { makeLink: person.has_account ? reset : inviteAgain, remove }
}

const linkWords = ({ has_account, name, email }: Person) =>
  has_account
    ? {
        action: pageText.people.reset,
        title: pageText.people.resetReady,
        about: pageText.people.resetAbout(name),
      }
    : {
        action: pageText.people.resend,
        title: pageText.people.invited,
        about: pageText.people.invitedLink(email),
      }

/** For admins; only owners can change owners. */
export function OperatorPersonMenu({ person }: { person: Person }) {
  const { role } = useProject()
  const [open, setOpen] = useState<'change' | 'remove' | null>(null)
  const [link, setLink] = useState<Link | null>(null)
  const { makeLink, remove } = useDeeds(person, setLink)
  if (!mayDo(role, person.role === 'owner' ? 'owner' : 'admin')) return null
  const close = () => setOpen(null)
  const { action, title, about } = linkWords(person)
  const { name } = person
  return (
    <>
      <Choices person={person} link={action} onLink={() => makeLink.mutate()} onOpen={setOpen} />
      <Modal opened={open === 'change'} onClose={close} title={pageText.people.editTitle(name)}>
        <ChangePerson person={person} onDone={close} />
      </Modal>
      <Confirm
        isOpen={open === 'remove'}
        onClose={close}
        title={pageText.people.removeTitle(name)}
        about={pageText.people.removeAbout}
        action={pageText.people.remove}
        run={() => remove.mutate()}
      />
      <HoldingDialog opened={link !== null} onClose={() => setLink(null)} title={title}>
        {link && <LinkToShare link={link} about={about} onDone={() => setLink(null)} />}
      </HoldingDialog>
    </>
  )
}

interface ChoicesProps {
  person: Person
  /** The label of the link action. */
  link: string
  onLink(): void
  onOpen(open: 'change' | 'remove'): void
}

function Choices({ person, link, onLink, onOpen }: ChoicesProps) {
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon aria-label={pageText.people.actions(person.name)}>
          <EllipsisHorizontalIcon width={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onOpen('change')}>{pageText.people.edit}</Menu.Item>
        <Menu.Item onClick={onLink}>{link}</Menu.Item>
        <Menu.Item color="red" onClick={() => onOpen('remove')}>
          {pageText.people.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
