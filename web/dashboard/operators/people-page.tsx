import { UserPlusIcon } from '@heroicons/react/20/solid'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../core/actions.ts'
import { isInHash } from '../core/hash.ts'
import { HoldingDialog } from '../core/holding-dialog.tsx'
import { Page } from '../core/page.tsx'
import { pageText } from '../core/page-text.ts'
import { Loading } from '../core/states.tsx'
import { mayDo, useProject } from '../projects/project.ts'
import { Invite } from './invite.tsx'
import classes from './people.module.css'
import { PersonRow } from './person-row.tsx'
import { peopleQuery } from './queries.ts'

export default function PeoplePage() {
  const { id, role } = useProject()
  const { data: people } = useQuery(peopleQuery(id))
  const mayInvite = mayDo(role, 'admin')
  const [isInviting, setInviting] = useState(mayInvite && isInHash('invite'))
  const open = () => setInviting(true)
  useAction(
    mayInvite
      ? {
          id: 'invite',
          name: pageText.people.inviteTitle,
          group: pageText.people.title,
          icon: UserPlusIcon,
          run: open,
        }
      : null,
  )
  const action = mayInvite && (
    <Button leftSection={<UserPlusIcon width={16} aria-hidden />} onClick={open}>
      {pageText.people.invite}
    </Button>
  )
  return (
    <Page title={pageText.people.title} about={pageText.people.about} actions={action}>
      {people ? (
        <ul className={classes.list}>
          {people.map(person => (
            <PersonRow key={person.id} person={person} />
          ))}
        </ul>
      ) : (
        <Loading />
      )}
      <HoldingDialog
        opened={isInviting}
        onClose={() => setInviting(false)}
        title={pageText.people.inviteTitle}
      >
        <Invite onDone={() => setInviting(false)} />
      </HoldingDialog>
    </Page>
  )
}
