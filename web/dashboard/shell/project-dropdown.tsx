import { CheckIcon } from '@heroicons/react/20/solid'
import { type FloatingPosition, Menu, useMatches } from '@mantine/core'
import type { LoadedProps } from '../core/lazy-target.tsx'
import { text } from '../core/text.ts'
import { type Membership, useMe } from '../users/me.ts'

type Project = Membership['project']

interface Props extends LoadedProps {
  openId: string
  go(project: Project): void
}

/** The menu of the projects of this person. */
export default function ProjectDropdown({ openId, go, target, isOpenAtFirst }: Props) {
  const { memberships } = useMe()
  const position = useMatches<FloatingPosition>({ base: 'top-start', sm: 'right-start' })
  return (
    <Menu position={position} width={240} defaultOpened={isOpenAtFirst}>
      <Menu.Target>{target({})}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text.shell.projects}</Menu.Label>
        {memberships.map(({ project }) => (
          <Menu.Item
            key={project.id}
            onClick={() => go(project)}
            rightSection={project.id === openId && <CheckIcon width={16} aria-hidden />}
            aria-current={project.id === openId || undefined}
          >
            {project.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
