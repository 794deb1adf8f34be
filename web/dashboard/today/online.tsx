import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Avatar } from '../core/avatar.tsx'
import { pageText } from '../core/page-text.ts'
import people from '../operators/people.module.css'
import { peopleQuery } from '../operators/queries.ts'
import { useProject } from '../projects/project.ts'
import classes from './day.module.css'

/** The other people of the project who are online. */
export function Online() {
  const { id, operatorId } = useProject()
  const { data } = useQuery(peopleQuery(id))
  if (!data || data.length < 2) return null
  const online = data.filter(one => one.status === 'online' && one.id !== operatorId)
  return (
    <section>
      <Title order={3} className={classes.heading}>
        {pageText.today.online}
      </Title>
      {online.length === 0 && <p className={classes.quiet}>{pageText.today.onlineNone}</p>}
      <ul className={classes.people}>
        {online.map(({ id, name, avatar_url }) => (
          <li key={id}>
            <span className={people.face}>
              <Avatar name={name} src={avatar_url} size={28} />
              <span className={people.status} data-status="online" aria-hidden />
            </span>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}
