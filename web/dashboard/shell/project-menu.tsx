import { UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useAction } from '../core/actions.ts'
import { LazyTarget } from '../core/lazy-target.tsx'
import { text } from '../core/text.ts'
import { type Membership, useMe } from '../users/me.ts'
import { useOpenProject } from '../users/open-project.ts'
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

const loadDropdown = () => import('./project-dropdown.tsx')

/** The current project, and links to the others. */
export function ProjectMenu() {
  const open = useOpenProject()
  const { memberships } = useMe()
  const navigate = useNavigate()
  if (!open) return null
  const go = ({ id }: Project) => navigate({ to: '/p/$projectId/inbox', params: { projectId: id } })
  return (
    <>
      <LazyTarget
        load={loadDropdown}
        props={{ openId: open.project.id, go }}
        target={props => (
          <UnstyledButton {...props} className={classes.project}>
            <Sign project={open.project} />
            <span className="hidden">{`${open.project.name}: ${text.shell.switchProject}`}</span>
          </UnstyledButton>
        )}
      />
      {memberships
        .filter(({ project }) => project.id !== open.project.id)
        .map(({ project }) => (
          <Switch key={project.id} project={project} go={go} />
        ))}
    </>
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
