import { CheckIcon } from '@heroicons/react/20/solid'
import { type FloatingPosition, Menu, UnstyledButton, useMatches } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useAction } from '../core/actions.ts'
import { text } from '../core/text.ts'
import { type Membership, useMe } from '../users/me.ts'
import { useOpenProject } from './open-project.ts'
import classes from './shell.module.css'

type Project = Membership['project']

function Sign({ project }: { project: Project }) {
  return project.logo_url ? (
    <img src={project.logo_url} alt="" />
  ) : (
    <span className={classes.letter} aria-hidden>
      {[...project.name.trim()][0]?.toUpperCase() ?? '?'}
    </span>
  )
}

/** The current project, and links to the others. */
export function ProjectMenu() {
  const open = useOpenProject()
  const { memberships } = useMe()
  const position = useMatches<FloatingPosition>({ base: 'top-start', sm: 'right-start' })
  const navigate = useNavigate()
  if (!open) return null
  const go = ({ id }: Project) => navigate({ to: '/p/$projectId/inbox', params: { projectId: id } })
  return (
    <Menu position={position} width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.project}>
          <Sign project={open.project} />
          <span className="hidden">{`${open.project.name}: ${text.shell.switchProject}`}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{text.shell.projects}</Menu.Label>
        {memberships.map(({ project }) => (
          <Menu.Item
            key={project.id}
            onClick={() => go(project)}
            rightSection={project.id === open.project.id && <CheckIcon width={16} aria-hidden />}
            aria-current={project.id === open.project.id || undefined}
          >
            {project.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
      {memberships
        .filter(({ project }) => project.id !== open.project.id)
        .map(({ project }) => (
          <Switch key={project.id} project={project} go={go} />
        ))}
    </Menu>
  )
}

function Switch({ project, go }: { project: Project; go(project: Project): void }) {
  useAction({
    id: `project ${project.id}`,
    name: `${text.shell.switchProject}: ${project.name}`,
    group: text.shell.projects,
    run: () => go(project),
  })
  return null
}
