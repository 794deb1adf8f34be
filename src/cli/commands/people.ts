import { isOneOf } from '../../core/objects.ts'
import type { Listed, PageQuery } from '../../core/paging/paging.ts'
import { type OperatorRole, roles } from '../../core/roles.ts'
import { makeSignInLink } from '../../operators/link.ts'
import { createDepartment, createOperator, pageDepartments } from '../../operators/operators.ts'
import { listPeople } from '../../operators/people.ts'
import { findProject } from '../../projects/projects.ts'
import { linkUrlOf } from '../../users/users.ts'
import { changeAudited } from '../audited.ts'
import { type Command, command } from '../command.ts'
import { readEmail, UsageError } from '../parse.ts'
import { drawRecords } from '../table.ts'

function readRole(word: string): OperatorRole {
  if (isOneOf(word, roles)) return word
  throw new UsageError(`--role must be one of ${roles.join(', ')}, not "${word}"`)
}

/** All pages of a list. */
async function readAll<T>(page: (query: PageQuery) => Promise<Listed<T>>): Promise<{ items: T[] }> {
  const items: T[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const read = await page({ page_size: 100, count: false, ...(cursor && { cursor }) })
    items.push(...read.items)
    cursor = read.next_cursor
  }
  return { items }
}

export const operatorCommands: Command[] = [
  command(
    {
      name: 'operator create',
      about: 'Creates an operator',
      required: ['project', 'name', 'email'],
      optional: ['role', 'department'],
    },
    ({ db }, { project = '', name = '', email = '', role, department }) => {
      const input = {
        name,
        email: readEmail('--email', email),
        ...(role !== undefined && { role: readRole(role) }),
        ...(department !== undefined && { department }),
      }
      return changeAudited(
        db,
        project,
        tx => createOperator(tx, project, input),
        made => ({
          action: 'operator.created',
          target: { type: 'operator', id: made.id, name },
          detail: { email: input.email, role: made.role },
        }),
      )
    },
    ({ id, name, role }) => `Operator "${name}", ${role}: ${id}`,
  ),
  command(
    { name: 'operator list', about: 'Lists the operators of a project', required: ['project'] },
    async ({ db }, { project = '' }) => {
      await findProject(db, project)
      return { items: [...(await listPeople(db, project))] }
    },
    ({ items }) =>
      drawRecords(
        items.map(({ id, name, email, role, status, has_account, invitation_expires_at }) => ({
          id,
          name,
          email,
          role,
          account: has_account ? 'yes' : invitation_expires_at ? 'invited' : 'no',
          status,
        })),
        'No operators. Create one with deskbell operator create',
      ),
  ),
  command(
    {
      name: 'operator link',
      about:
        'Creates a single-use link: for a new owner, an invite, or a password reset if the account exists. For someone who lost their second factor, --forget-second-factor turns off two-factor authentication',
      required: ['email'],
      optional: ['project'],
      flags: ['forget-second-factor'],
    },
    async ({ db, config }, { email = '', project, ...flags }) => {
      const forgets = flags['forget-second-factor'] === 'yes'
      const wayIn = await makeSignInLink(db, config, { project, email: readEmail('--email', email), forgets })
      const { token, ...rest } = wayIn
      return { url: linkUrlOf(config.publicUrl, token), ...rest }
    },
    ({ url, expires_at }) =>
      `Open this link before ${expires_at.slice(0, 16).replace('T', ' ')} UTC:\n\n  ${url}\n`,
  ),
  command(
    {
      name: 'department create',
      about: 'Creates a department. The first one in a project is the default',
      required: ['project', 'name'],
    },
    ({ db }, { project = '', name = '' }) =>
      changeAudited(
        db,
        project,
        tx => createDepartment(tx, project, name),
        ({ id }) => ({ action: 'department.created', target: { type: 'department', id, name } }),
      ),
    ({ id, name }) => `Department "${name}": ${id}`,
  ),
  command(
    { name: 'department list', about: 'Lists the departments of a project', required: ['project'] },
    async ({ db }, { project = '' }) => {
      await findProject(db, project)
      return readAll(query => pageDepartments(db, project, query))
    },
    ({ items }) =>
      drawRecords(
        items.map(({ id, name, is_default, operator_ids }) => ({
          id,
          name,
          default: is_default ? 'yes' : 'no',
          operators: operator_ids.length,
        })),
        'No departments. Create one with deskbell department create',
      ),
  ),
]
