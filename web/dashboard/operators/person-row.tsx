import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Avatar } from '../core/avatar.tsx'
import { pageText } from '../core/page-text.ts'
import { text } from '../core/text.ts'
import { When } from '../core/when.tsx'
import { useProject } from '../projects/project.ts'
import classes from './people.module.css'
import { OperatorPersonMenu } from './person-menu.tsx'
import { departmentsQuery, type Person } from './queries.ts'

/** A person with departments, role and actions. */
export function PersonRow({ person }: { person: Person }) {
  const { id, operatorId } = useProject()
  const { data: departments = [] } = useQuery(departmentsQuery(id))
  const names = departments.filter(one => person.department_ids.includes(one.id)).map(one => one.name)
  return (
    <li className={classes.row}>
      <div className={classes.face}>
        <Avatar src={person.avatar_url} name={person.name} />
        {person.has_account && (
          <span
            className={classes.status}
            data-status={person.status}
            role="img"
            aria-label={text.live.statuses[person.status]}
          />
        )}
      </div>
      <div>
        <Group gap={8} wrap="nowrap">
          <Text fw={550} truncate>
            {person.name}
          </Text>
          {person.id === operatorId && <Badge variant="default">{pageText.people.you}</Badge>}
        </Group>
        <Text size="sm" c="dimmed" truncate>
          {person.email}
        </Text>
      </div>
      <div className={classes.where}>
        <Text size="sm" truncate>
          {names.join(', ') || pageText.people.noDepartment}
        </Text>
        <Text size="sm" c="dimmed">
          <Presence person={person} />
        </Text>
      </div>
      <Text className={classes.role} size="sm">
        {pageText.people.roles[person.role]}
      </Text>
      <div className={classes.menu}>
        <OperatorPersonMenu person={person} />
      </div>
    </li>
  )
}

function Presence({ person }: { person: Person }) {
  const { has_account, invitation_expires_at, last_seen_at } = person
  if (!has_account) {
    const isOpen = invitation_expires_at !== null && Date.parse(invitation_expires_at) > Date.now()
    return isOpen ? pageText.people.pending : pageText.people.expired
  }
  if (!last_seen_at) return pageText.people.never
  return (
    <>
      {pageText.people.lastSeen} <When time={last_seen_at} />
    </>
  )
}
